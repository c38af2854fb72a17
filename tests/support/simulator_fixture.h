// Folders of runs in a simulated world, for tests: their options have random actions.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "eval/films.h"
#include "eval/simulator_eval.h"
#include "eval/survey_json.h"
#include "sim/world.h"

namespace vic {

struct SimulatorFixture {
  std::string algorithm = "marginal";
  int seed = 1;
  bool finished = true;
  int T = 20, options = 40;
};

inline SimulatorPtr fixture_cheetah(int T) {
  Overrides overrides({{"world.T", std::to_string(T), "test"}});
  return load_simulator("half-cheetah", overrides);
}

// I_hat of the metrics rises to 3 nats in ten lines; three lines of behaviours.
inline void write_simulator_fixture(const std::string& folder, const SimulatorFixture& run) {
  std::filesystem::create_directories(folder);
  write_file(
      folder + "/settings.toml",
      fmt::format(
          "[run]\nformat = 3\nworld = \"half-cheetah\"\n[world]\nmodel = \"\"\nlevels = 5\nT = "
          "{}\nframe_skip = 5\nbin = 0.5\nturn = 0.9\n[train]\nalgorithm = \"{}\"\n"
          "seed = {}\nupdates = 80\nwarm_up = 20\n",
          run.T, run.algorithm, run.seed));
  std::string metrics, behaviours;
  for (int i = 1; i <= (run.finished ? 10 : 4); ++i) {
    metrics += fmt::format("{{\"update\":{},\"I_hat\":{}}}\n", 10 * i, 0.3 * i);
  }
  for (int i = 1; i <= (run.finished ? 3 : 1); ++i) {
    behaviours += fmt::format(
        R"({{"update":{},"H":{},"ci95":0.1,"cells":9,"behaviours":[{{"behaviour":"stays",)"
        R"("kind":6,"kind_name":"stays","options":{}}},{{"behaviour":"2 backflips","kind":0,)"
        R"("kind_name":"2 or more backflips","options":{}}}]}})"
        "\n",
        30 * i, 0.5 * i, 60 - 10 * i, 40 + 10 * i);
  }
  const std::string half = run.finished ? "" : "{\"update\":5";
  write_file(folder + "/metrics.jsonl", metrics + half);
  write_file(folder + "/behaviours.jsonl", behaviours + half);
  if (!run.finished) return;

  const SimulatorPtr simulator = fixture_cheetah(run.T);
  const Simulator& world = *simulator;
  const SimulatorSpec& spec = world.spec();
  const Json truth = {{"world", spec.name},
                      {"kind", "simulated"},
                      {"T", spec.T},
                      {"actuators", spec.F()},
                      {"levels", spec.L()},
                      {"seconds", spec.option_seconds()},
                      {"random", survey_json(spec, random_survey(world, 0, run.options, 1))}};
  write_file(folder + "/truth.json", truth.dump() + "\n");
  std::vector<std::vector<double>> options;
  for (int b = 0; b < run.options; ++b) {
    options.push_back(random_option(world, static_cast<std::uint64_t>(run.seed), b));
  }
  write_file(folder + "/films.json", films_json(world, options).dump() + "\n");
  Json evaluation = {{"world", spec.name}, {"algorithm", run.algorithm}, {"seed", run.seed},
                     {"updates", 100},     {"kind", "simulated"},        {"I_hat", 3.0}};
  evaluation.update(survey_json(spec, survey_of(world, options)));
  write_file(folder + "/evaluation.json", evaluation.dump() + "\n");
}

}  // namespace vic
