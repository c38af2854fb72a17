#include "cli/start_sheet.h"

#include "report/figures/heat_figure.h"

namespace vic {
namespace {

HeatLayout world_layout(const TabularWorld& world) {
  if (world.picture.empty()) {
    return layout_of(std::set(world.state_names.begin(), world.state_names.end()));
  }
  WorldPicture picture{.lines = world.picture.lines, .cells = {}};
  for (int s = 0; s < world.S; ++s) {
    const Cell cell = world.picture.cells[s];
    picture.cells.push_back({world.state_names[s], cell.row, cell.column});
  }
  return layout_of(picture);
}

}  // namespace

std::string start_sheet(const TabularWorld& world, const std::vector<StartPanel>& panels,
                        const std::string& label) {
  const HeatLayout layout = world_layout(world);
  std::vector<ValuePanel> drawn;
  for (const StartPanel& panel : panels) {
    ValuePanel& one = drawn.emplace_back();
    one.title = panel.title;
    for (const auto& place : layout.places) {
      one.values.push_back(panel.values[*world.state_named(place.state)]);
    }
  }
  return draw_value_sheet(layout, drawn, label, Form::file);
}

}  // namespace vic
