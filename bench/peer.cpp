#include "bench/peer.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "base/data_folder.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "bench/parts.h"

namespace vic {
namespace {

// runs the peer with these arguments and returns what it prints
Json run_peer(const std::string& arguments, const Peer& peer) {
  const bool torch = peer.jax.empty();
  const std::string program =
      (data_folder() / (torch ? "bench/peer.py" : "bench/peer_jax.py")).string();
  const std::string command = fmt::format(
      "{} {} --json {}{} 2>/dev/null", shell_word(torch ? "/usr/bin/python3" : peer.jax),
      shell_word(program), arguments, peer.gathers ? " --gather-heads" : "");
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("The peer cannot be started: no process can be made.");
  std::string text;
  std::array<char, 4096> chunk{};
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
    text.append(chunk.data(), n);
  }
  if (pclose(pipe) != 0) {
    if (torch) {
      throw Error("The peer failed; it needs python3-torch, which ./vic bench --peer installs.");
    }
    throw Error(fmt::format("The peer failed; {} needs jax: pip install jax==0.10.2.", peer.jax));
  }
  return Json::parse(text);
}

}  // namespace

Speed measure_peer(const UpdateCase& c, int updates, const Peer& peer) {
  const Json json = run_peer(
      fmt::format("--world {} --algorithm {} --updates {} --learning-rate {}{}", c.world,
                  c.algorithm, updates, still_rate, c.long_options ? " --options-length 14" : ""),
      peer);
  return {.updates_per_second = json.at("updates_per_own_second").get<double>(),
          .moves = json.at("mean_moves").get<double>()};
}

std::optional<double> peer_seconds_to_optimum(const OptimumCase& c, double H_max,
                                              const Peer& peer) {
  const Json json = run_peer(
      fmt::format("--world {} --algorithm {} --updates {} --warm-up {} --until 0.99 --h-max {}",
                  c.world, c.algorithm, c.most_updates, c.warm_up, H_max),
      peer);
  const Json& seconds = json.at("own_seconds_until");
  return seconds.is_null() ? std::nullopt : std::optional(seconds.get<double>());
}

}  // namespace vic
