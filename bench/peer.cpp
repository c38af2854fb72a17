#include "bench/peer.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "bench/parts.h"
#include "bench/script.h"

namespace vic {
namespace {

// runs the peer with these arguments and returns what it prints
Json run_peer(std::vector<std::string> arguments, const Peer& peer) {
  arguments.push_back("--json");
  if (peer.gathers) arguments.push_back("--gather-heads");
  if (!peer.jax.empty()) return run_script(peer.jax, "peer_jax.py", arguments);
  return run_script("/usr/bin/python3", "peer.py", arguments);
}

}  // namespace

Speed measure_peer(const UpdateCase& c, int updates, const Peer& peer) {
  std::vector<std::string> arguments = {"--world",         c.world,     "--algorithm",
                                        c.algorithm,       "--updates", fmt::format("{}", updates),
                                        "--learning-rate", still_rate};
  if (c.long_options) arguments.insert(arguments.end(), {"--options-length", "14"});
  const Json json = run_peer(std::move(arguments), peer);
  return {.updates_per_second = json.at("updates_per_own_second").get<double>(),
          .moves = json.at("mean_moves").get<double>()};
}

std::optional<double> peer_seconds_to_optimum(const OptimumCase& c, double H_max,
                                              const Peer& peer) {
  const Json json =
      run_peer({"--world", c.world, "--algorithm", c.algorithm, "--updates",
                fmt::format("{}", c.most_updates), "--warm-up", fmt::format("{}", c.warm_up),
                "--until", "0.99", "--h-max", fmt::format("{}", H_max)},
               peer);
  const Json& seconds = json.at("own_seconds_until");
  return seconds.is_null() ? std::nullopt : std::optional(seconds.get<double>());
}

}  // namespace vic
