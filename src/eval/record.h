// What is known about a run as JSON documents: what vic eval prints with --json, and what a run's
// folder keeps.
#pragma once

#include <optional>

#include "base/json.h"
#include "eval/evaluate.h"
#include "eval/reference.h"

namespace vic {

// An evaluation beside what its world offers, for evaluation.json: the measures (eval/measures.h)
// of its kind of world, and what is not a number. What is compared with the reference is null where
// that has neither the truth nor random actions.
Json evaluation_json(const Learner& learner, const Evaluation& evaluation,
                     const Reference& reference);

// What the options of a policy in training do, for behaviours.jsonl, and those of an evaluation
// that are shown, for films.json; nothing for tables.
std::optional<Json> behaviours_json(const Learner& learner, int options, const Step& step);
std::optional<Json> films_json(const Learner& learner, const Evaluation& evaluation);

}  // namespace vic
