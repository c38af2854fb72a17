// Records of a TensorBoard event file: the messages Event and Summary of its protocol, framed as
// TFRecords.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vic {

struct Scalar {
  std::string_view tag;
  double value = 0;  // stored as a float
};

// The record at the beginning of every event file. Times are seconds since 1970.
std::string first_event(double wall_time);

// A record of the scalars of one step; its length does not depend on the time.
std::string scalars_event(double wall_time, std::int64_t step, std::span<const Scalar> scalars);

}  // namespace vic
