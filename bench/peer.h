// The peer: the straightforward PyTorch program in bench/peer.py, or the JAX program in
// bench/peer_jax.py, run as a separate process.
#pragma once

#include <optional>
#include <string>

#include "bench/updates.h"

namespace vic {

// Updates per second of the peer's own process. Throws an Error if it cannot run.
Speed measure_peer(const UpdateCase& c, int updates, const Peer& peer);

// Seconds of the peer's own process until its policy has 99 % of H_max; nothing if it does not get
// there in 20000 updates.
std::optional<double> peer_seconds_to_optimum(const OptimumCase& c, double H_max, const Peer& peer);

}  // namespace vic
