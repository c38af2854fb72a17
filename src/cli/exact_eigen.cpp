// vic exact WORLD --eigenoptions N: options from the map alone.
#include <fmt/format.h>

#include <cmath>

#include "base/json.h"
#include "base/print.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "cli/value_table.h"
#include "oracle/eigenoptions.h"
#include "oracle/reach.h"

namespace vic {

void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console) {
  const OptionSet set = eigenoptions(world, options.eigenoptions);
  const double success = mean_success(world, set.success);
  const double best = mean_success(world, best_success(world));
  const auto json = [&] {
    return Json{{"world", world.name}, {"T_max", world.T_max}, {"options", set.options},
                {"I", set.I},          {"H", set.H},           {"success", success},
                {"best_success", best}};
  };
  console.show(json, [&] {
    print(console.out, "{}, T_max = {}: {} eigenoptions, chosen uniformly\n\n", world.name,
          world.T_max, set.options);
    const ValueTable table{console.out, 8};
    table.row("I", number_text(set.I),
              fmt::format("I(option; s_f), in nats; log {} = {:.6f}", set.options,
                          std::log(set.options)));
    table.row("H", number_text(set.H), "H(s_f)");
    table.row("reach", number_text(success),
              fmt::format("mean success over the reachable goals, by the option that ends there "
                          "most often; {:.4f} at best",
                          best));
    print(console.out, "\n  p(s_f)\n\n{}", heat_map(world, set.p_f, console.palette));
  });
}

}  // namespace vic
