// What the options of a run did while it trained: stacked bars, a column for each line of
// behaviours.jsonl.
#pragma once

#include <map>
#include <string>

#include "report/data/report_data.h"
#include "report/figures/svg.h"

namespace vic {

// Kinds of behaviours by their numbers, which decide on their order and colour.
using BehaviourKinds = std::map<int, std::string>;

// The kinds that the runs of a world met.
BehaviourKinds behaviour_kinds(const WorldReport& world);

// Empty text where the run has no line yet.
std::string draw_behaviours(const RunFiles& run, Form form);

// The colours of the kinds.
std::string behaviour_legend_html(const BehaviourKinds& kinds);

}  // namespace vic
