#include "bench/envpool.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/script.h"
#include "bench/stepping.h"
#include "sim/mujoco/mujoco_world.h"

namespace vic {
namespace {

// actions per second, round by round
struct Rates {
  std::vector<double> ours, plain;
  std::map<std::string, std::vector<double>> envpool;  // by the way of using it
};

// the fastest way's rates, and medians of what is compared with them round by round
Json summary(const Rates& rates) {
  const auto& [way, theirs] = *std::max_element(
      rates.envpool.begin(), rates.envpool.end(),
      [](const auto& a, const auto& b) { return median(a.second) < median(b.second); });
  const auto ratio = [&](const std::vector<double>& list) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < list.size(); ++k) ratios.push_back(list[k] / theirs.at(k));
    return median(ratios);
  };
  return {{"actions_per_second", median(rates.ours)},
          {"plain_actions_per_second", median(rates.plain)},
          {"envpool_actions_per_second", median(theirs)},
          {"ratio", ratio(rates.ours)},
          {"plain_ratio", ratio(rates.plain)},
          {"way", way}};
}

}  // namespace

const std::vector<EnvpoolCase>& envpool_cases() {
  static const std::vector<EnvpoolCase> cases = {
      {100, 128, 1}, {100, 128, 2}, {1000, 32, 1}, {1000, 32, 2}};
  return cases;
}

Json measure_envpool(const EnvpoolCase& c, const std::string& python, int rounds,
                     const Progress& progress) {
  Overrides overrides({{"world.T", fmt::format("{}", c.T), "bench"}});
  const auto world = load_mujoco_world("half-cheetah", overrides);
  MujocoModel plain = world->model();
  plain.model = plain.plain;
  const MujocoWorld plain_world(plain);
  const std::vector<Levels> shards = cut_levels(*world, draw_levels(*world, c.options));
  Json json = {{"world", world->spec().name}, {"T", c.T},
               {"options", c.options},        {"threads", c.threads},
               {"mujoco", mujoco_version()},  {"envpool", nullptr},
               {"envpool_mujoco", nullptr}};
  Rates processor, wall;
  const double actions = c.options * c.T;
  const auto step = [&](const Simulator& simulator, std::vector<double> Rates::*list) {
    const Stepping stepping = step_shards(simulator, shards, c.threads);
    (processor.*list).push_back(actions / stepping.processor);
    (wall.*list).push_back(actions / stepping.wall / c.threads);
  };
  for (int round = 0; round < rounds; ++round) {
    progress(
        fmt::format("half-cheetah, {} actions, {} thread(s), round {}", c.T, c.threads, round + 1));
    step(*world, &Rates::ours);
    step(plain_world, &Rates::plain);
    const Json theirs =
        run_script(python, "peer_envpool.py",
                   {"--actions", fmt::format("{}", c.T), "--options", fmt::format("{}", c.options),
                    "--threads", fmt::format("{}", c.threads)});
    json["envpool"] = theirs.at("envpool");
    json["envpool_mujoco"] = theirs.at("mujoco");
    for (const Json& way : theirs.at("ways")) {
      const auto number = [&](const char* name) { return way.at(name).get<double>(); };
      const std::string name = way.at("way").get<std::string>();
      processor.envpool[name].push_back(number("actions") / number("processor"));
      wall.envpool[name].push_back(number("actions") / number("wall") / c.threads);
    }
  }
  json["processor"] = summary(processor);
  json["wall"] = summary(wall);
  return json;
}

std::string envpool_head() {
  return fmt::format(
      "actions per second and core\n{:<8} {:>7} {:<9} {:>8} {:>8} {:>9} {:>7} {:>7}  {}", "actions",
      "threads", "seconds", "vic's", "plain", "EnvPool's", "ratio", "plain",
      "EnvPool's environments");
}

std::string envpool_lines(const Json& row) {
  std::string text;
  for (const char* clock : {"processor", "wall"}) {
    const auto number = [&](const char* name) { return row[clock][name].get<double>(); };
    text += fmt::format("{:<8} {:>7} {:<9} {:>8.0f} {:>8.0f} {:>9.0f} {:>7.2f} {:>7.2f}  {}\n",
                        row["T"].get<int>(), row["threads"].get<int>(), clock,
                        number("actions_per_second"), number("plain_actions_per_second"),
                        number("envpool_actions_per_second"), number("ratio"),
                        number("plain_ratio"), row[clock]["way"].get<std::string>());
  }
  return text + fmt::format("MuJoCo {}, EnvPool {} with MuJoCo {}\n",
                            row["mujoco"].get<std::string>(), row["envpool"].get<std::string>(),
                            row["envpool_mujoco"].get<std::string>());
}

}  // namespace vic
