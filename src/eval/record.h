// What is known about a world and about a run as JSON documents: what vic exact and vic eval print
// with --json, and what a run's folder keeps as truth.json and evaluation.json.
#pragma once

#include <optional>

#include "base/json.h"
#include "eval/evaluate.h"
#include "oracle/truth.h"

namespace vic {

// The truth, with the world's picture. Null is what is not known, `notes` say why.
Json truth_json(const Truth& truth);

// The same, solved as far as a learner can be measured by it, and in no more time than training
// takes.
Json find_truth_json(const TabularWorld& world, const SolveProgress& progress = {});

// The same of a run's world, whatever that is: of a simulated world, what random actions do in it.
Json find_truth_json(const Learner& learner, const SolveProgress& progress = {});

// An evaluation beside the truth, which is a truth_json.
Json evaluation_json(const Learner& learner, const Evaluation& evaluation, const Json& truth);

// What the options of a policy in training do, for behaviours.jsonl, and those of an evaluation
// that are shown, for films.json; nothing for tables.
std::optional<Json> behaviours_json(const Learner& learner, int options);
std::optional<Json> films_json(const Learner& learner, const Evaluation& evaluation);

}  // namespace vic
