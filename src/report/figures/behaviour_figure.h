// What the options of a run did while it trained: stacked bars, a column for each line of
// behaviours.jsonl.
#pragma once

#include <array>
#include <string>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

// Behaviours in kinds that can be told apart by colour; flips first.
inline constexpr std::array behaviour_kinds = {"2 or more backflips",
                                               "1 backflip",
                                               "1 forward flip",
                                               "2 or more forward flips",
                                               "runs",
                                               "crawls",
                                               "stays",
                                               "stands on its nose, rears up",
                                               "lies on its back"};

// The kind of a behaviour's name; names that are not known are of the last kind but two, "stays".
std::size_t behaviour_kind(const std::string& name);

// Empty text where the run has no line yet.
std::string draw_behaviours(const RunFiles& run, Form form);

// The colours of the kinds.
std::string behaviour_legend_html();

}  // namespace vic
