#include "eval/survey_json.h"

#include "info/entropy.h"

namespace vic {

Json survey_json(const Survey& survey) {
  const EntropyEstimate entropy = estimate_entropy(survey.cell_counts());
  Json json = {{"options", survey.options()},
               {"failures", survey.failures()},
               {"H", entropy.H},
               {"ci95", entropy.ci95},
               {"cells", survey.cells().size()},
               {"distance_mean", survey.distance_mean()},
               {"distance_spread", survey.distance_spread()},
               {"distance_min", survey.distance_min()},
               {"distance_max", survey.distance_max()},
               {"height_max", survey.height_max()},
               {"forward_flips", survey.forward_flips()},
               {"backflips", survey.backflips()},
               {"two_turns", survey.two_turns()},
               {"most_forward_flips", survey.most_forward_flips()},
               {"most_backflips", survey.most_backflips()}};
  Json& names = json["behaviours"] = Json::array();
  for (const auto& [name, count] : survey.names()) {
    names.push_back({{"behaviour", name}, {"options", count}});
  }
  Json& cells = json["cell_list"] = Json::array();
  for (const auto& [cell, count] : survey.cells()) {
    cells.push_back({{"place", cell.place}, {"turns", cell.turns}, {"options", count}});
  }
  return json;
}

}  // namespace vic
