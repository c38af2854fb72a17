// The verdicts on the claims of experiments, as vic reproduce left them in verdict.json.
#pragma once

#include <string>
#include <vector>

namespace vic {

// A row of the table of claims. Texts as they are shown.
struct ClaimRow {
  std::string claim, source, measured, threshold;
  std::string verdict;     // holds, refuted, undecided or not run
  std::string see;         // what explains it, where the experiment says so
  std::string title = {};  // of the experiment
};

// The claims of all folders that have a verdict.json. Throws a UsageError for one that is damaged.
std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders);

// A table per experiment, in Markdown, as docs/claims.md has them.
std::string claims_markdown(const std::vector<ClaimRow>& claims);

}  // namespace vic
