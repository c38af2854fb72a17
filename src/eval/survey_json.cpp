#include "eval/survey_json.h"

#include "eval/measures.h"

namespace vic {

Json coordinates_json(const SimulatorSpec& spec) {
  Json list = Json::array();
  for (const Coordinate& coordinate : spec.coordinates) {
    list.push_back({{"name", coordinate.name},
                    {"unit", coordinate.unit},
                    {"cell", coordinate.cell_name},
                    {"bin", coordinate.bins.width},
                    {"full", maybe(coordinate.bins.full)},
                    {"rotation", coordinate.rotation}});
  }
  return list;
}

Json survey_json(const SimulatorSpec& spec, const Survey& survey) {
  Json json = {{"options", survey.options()}, {"failures", survey.failures()}};
  Measured measured;
  measured.survey = &survey;
  measured.spec = &spec;
  add_measures(json, Measure::survey, measured);
  for (std::size_t k = 0; k < spec.coordinates.size(); ++k) {
    const std::string& name = spec.coordinates[k].name;
    const auto [mean, spread, min, max] = survey.coordinate(k);
    json[name + "_mean"] = mean;
    json[name + "_spread"] = spread;
    json[name + "_min"] = min;
    json[name + "_max"] = max;
  }
  if (spec.ground) json["height_max"] = survey.height_max();
  json["coordinates"] = coordinates_json(spec);
  Json& behaviours = json["behaviours"] = Json::array();
  for (const auto& [name, kind, kind_name, options] : survey.behaviours()) {
    behaviours.push_back(
        {{"behaviour", name}, {"kind", kind}, {"kind_name", kind_name}, {"options", options}});
  }
  Json& cells = json["cell_list"] = Json::array();
  for (const auto& [cell, options] : survey.cells()) {
    Json& entry = cells.push_back(Json::object());
    for (std::size_t k = 0; k < cell.size(); ++k) entry[spec.coordinates[k].cell_name] = cell[k];
    entry["options"] = options;
  }
  return json;
}

}  // namespace vic
