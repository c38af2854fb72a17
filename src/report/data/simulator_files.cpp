#include "report/data/simulator_files.h"

namespace vic {
namespace {

std::vector<BehaviourCount> read_behaviours(const JsonObject& json) {
  std::vector<BehaviourCount> counts;
  for (const JsonObject& entry : json.objects("behaviours")) {
    counts.push_back({entry.text("behaviour"), static_cast<int>(entry.whole("kind")),
                      entry.text("kind_name"), entry.whole("options")});
  }
  return counts;
}

CoordinateSummary read_summary(const JsonObject& json, const std::string& name) {
  const auto number = [&](const char* what) { return json.number((name + what).c_str()); };
  return {number("_mean"), number("_spread"), number("_min"), number("_max")};
}

CellCount read_cell(const JsonObject& json, const std::vector<Coordinate>& coordinates) {
  CellCount count;
  for (const Coordinate& coordinate : coordinates) {
    count.cell.push_back(static_cast<int>(json.whole(coordinate.cell_name.c_str())));
  }
  count.options = json.whole("options");
  return count;
}

}  // namespace

PerMeasure<double> read_measures(const JsonObject& json) {
  PerMeasure<double> values;
  for (std::size_t i = 0; i < measures().size(); ++i) {
    const char* name = measures()[i].name;
    try {
      values.list[i] = number_at(json.json(), name);
    } catch (const JsonError&) {
      fail_usage("{} is damaged: its {} is not a number.", json.path(), name);
    }
  }
  for (const char* needed : {"H", "ci95"}) json.number(needed);
  return values;
}

SurveyValues read_survey(const JsonObject& json) {
  SurveyValues values;
  values.options = json.whole("options");
  values.failures = json.whole("failures");
  values.measures = read_measures(json);
  values.coordinates = read_coordinates(json);
  for (const Coordinate& coordinate : values.coordinates) {
    values.summaries.push_back(read_summary(json, coordinate.name));
  }
  if (json.has("height_max")) values.height_max = json.number("height_max");
  values.behaviours = read_behaviours(json);
  for (const JsonObject& cell : json.objects("cell_list")) {
    values.cell_list.push_back(read_cell(cell, values.coordinates));
  }
  return values;
}

SimulatorTruth read_simulator_truth(const JsonObject& json) {
  return {.T = json.whole("T"),
          .actuators = json.whole("actuators"),
          .levels = json.whole("levels"),
          .seconds = json.number("seconds"),
          .random = read_survey(json.object("random"))};
}

std::vector<BehaviourLine> parse_behaviours(std::string_view text, const std::string& path,
                                            bool finished) {
  std::vector<BehaviourLine> lines;
  parse_log(text, path, finished, [&](long update, const JsonObject& json) {
    lines.push_back({update, json.number("H"), read_behaviours(json)});
  });
  return lines;
}

}  // namespace vic
