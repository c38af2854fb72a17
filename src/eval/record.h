// A run's results as JSON documents: the output of vic eval --json, and files of a run's folder.
#pragma once

#include <optional>

#include "base/json.h"
#include "eval/evaluate.h"
#include "eval/reference.h"

namespace vic {

// An evaluation beside the reference of its world, for evaluation.json: the measures
// (eval/measures.h) of its kind of world, and what is not a number. Measures that need the
// reference are null if it has neither the truth nor random actions.
Json evaluation_json(const Learner& learner, const Evaluation& evaluation,
                     const Reference& reference);

// H, D and N of a policy in training in a table, for control.jsonl; see measure_control.
Json control_json(const Learner& learner, const std::optional<HistoryTree>& tree, int options,
                  const Step& step);

// A survey of the options of a policy in training in a simulated world, for behaviours.jsonl.
Json behaviours_json(const Learner& learner, int options, const Step& step);

// The options of an evaluation that are shown as films, for films.json; nothing for tables.
std::optional<Json> films_json(const Learner& learner, const Evaluation& evaluation);

}  // namespace vic
