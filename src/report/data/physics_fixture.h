// Folders of runs of a physics world, for tests: their options are of random actions.
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "eval/films.h"
#include "eval/survey_json.h"
#include "sim/mujoco/physics_registry.h"

namespace vic {

struct PhysicsFixture {
  std::string algorithm = "marginal";
  int seed = 1;
  bool finished = true;
  int T = 20, options = 40;
};

inline PhysicsWorld fixture_cheetah(int T) {
  PhysicsSettings settings;
  settings.T = T;
  return make_physics_world("half-cheetah", physics_registry()[0].text, settings);
}

// I_hat of the metrics rises to 3 nats in ten lines; three lines of behaviours.
inline void write_physics_fixture(const std::string& folder, const PhysicsFixture& run) {
  std::filesystem::create_directories(folder);
  write_file(folder + "/settings.toml",
             fmt::format("[run]\nworld = \"half-cheetah\"\n[world]\nmodel = \"\"\nlevels = 5\nT = "
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
        R"("options":{}}},{{"behaviour":"2 backflips","options":{}}}]}})"
        "\n",
        30 * i, 0.5 * i, 60 - 10 * i, 40 + 10 * i);
  }
  const std::string half = run.finished ? "" : "{\"update\":5";
  write_file(folder + "/metrics.jsonl", metrics + half);
  write_file(folder + "/behaviours.jsonl", behaviours + half);
  if (!run.finished) return;

  const PhysicsWorld world = fixture_cheetah(run.T);
  const Survey random = random_survey(world, 0, run.options, 1);
  const Json truth = {{"world", world.name}, {"kind", "physics"},  {"T", world.T},
                      {"motors", world.M},   {"levels", world.L},  {"seconds", world.seconds()},
                      {"bin", world.bin},    {"turn", world.turn}, {"random", survey_json(random)}};
  write_file(folder + "/truth.json", truth.dump() + "\n");
  std::vector<std::vector<double>> options;
  Survey survey;
  PhysicsBody body(world);
  for (int b = 0; b < run.options; ++b) {
    options.push_back(random_option(world, static_cast<std::uint64_t>(run.seed), b));
    survey.add(behaviour_of(world, body, options.back()));
  }
  write_file(folder + "/films.json", films_json(world, options).dump() + "\n");
  Json evaluation = {{"world", world.name}, {"algorithm", run.algorithm}, {"seed", run.seed},
                     {"updates", 100},      {"kind", "physics"},          {"I_hat", 3.0}};
  evaluation.update(survey_json(survey));
  write_file(folder + "/evaluation.json", evaluation.dump() + "\n");
}

}  // namespace vic
