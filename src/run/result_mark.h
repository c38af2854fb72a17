// Telling the results of a run from those of others: its id, and the mark that results carry.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/settings.h"

namespace vic {

struct Run;

// The evaluation's file in the folder of its run.
inline constexpr const char* evaluation_name = "/evaluation.json";

// The identity of a run, 16 digits: a hash of the settings that training depends on, which are all
// but the number of threads, names, checkpoints and eval.*, and of the world's file.
std::string run_id(const std::vector<Assignment>& settings, std::string_view world_text);

// The mark in all results of a run's folder, so that results of another run or of another update
// are noticed; the checkpoint's metadata have the same. The metrics have no room for it and are
// identified by their checksum.
Json result_mark(const Run& run);

// What is wrong with a result, in a sentence, if its mark differs from another in a key that both
// have; "" if it does not.
std::string wrong_mark(const std::string& path, const Json& result, const Json& mark);

// The same for the results in a folder, which must be those of the run and of the update that its
// learner has done.
std::string wrong_results(const Run& run, const std::string& folder);

// evaluation.json of the folder, if an evaluation of the run as it is now would write the same: if
// it has the run's id, update and metrics, and this build of the program.
std::optional<std::string> stored_evaluation(const Run& run, const std::string& folder);

}  // namespace vic
