// The verdicts on the claims of experiments, from the verdict.json files of vic reproduce.
#pragma once

#include <string>
#include <vector>

namespace vic {

// A row of the table of claims, with texts as they are shown.
struct ClaimRow {
  std::string claim, source, measured, threshold;
  std::string verdict;     // holds, refuted, undecided or not run
  std::string see;         // a page that explains it, if the experiment names one
  std::string title = {};  // of the experiment
};

// The claims of all folders that have a verdict.json. Throws a UsageError if one is damaged.
std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders);

// A table per experiment, in Markdown, as in docs/claims.md.
std::string claims_markdown(const std::vector<ClaimRow>& claims);

// The page with these tables in place of its sections; what stands before the first one is kept.
std::string with_tables(const std::string& page, const std::string& tables);

}  // namespace vic
