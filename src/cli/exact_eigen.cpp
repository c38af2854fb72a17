// vic exact WORLD --eigenoptions N: options from the map alone.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>

#include "base/json.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "oracle/eigenoptions.h"
#include "oracle/reach.h"

namespace vic {

void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console) {
  const OptionSet set = eigenoptions(world, options.eigenoptions);
  const double success = mean_success(world, set.success);
  const double best = mean_success(world, best_success(world));
  if (options.common.json) {
    const Json json = {{"world", world.name}, {"T_max", world.T_max}, {"options", set.options},
                       {"I", set.I},          {"H", set.H},           {"success", success},
                       {"best_success", best}};
    fmt::print(console.out, "{}\n", json.dump(2));
    return;
  }
  fmt::print(console.out, "{}, T_max = {}: {} eigenoptions, chosen alike\n\n", world.name,
             world.T_max, set.options);
  const auto row = [&](const char* name, double value, const std::string& meaning) {
    fmt::print(console.out, "  {:<8} {:>10.6f}  {}\n", name, value, meaning);
  };
  row("I", set.I,
      fmt::format("I(option; s_f), in nats; log {} = {:.6f}", set.options, std::log(set.options)));
  row("H", set.H, "H(s_f)");
  row("reach", success,
      fmt::format("mean success over the goals in reach, by the option that ends there most often; "
                  "{:.4f} at best",
                  best));
  fmt::print(console.out, "\n  p(s_f)\n\n{}",
             heat_map(world, set.p_f, console.colour ? Palette::colour : Palette::plain));
}

}  // namespace vic
