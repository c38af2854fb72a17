// verdict.json: the claims of an experiment, and whether they hold, as vic reproduce left them.
#pragma once

#include <string>
#include <vector>

namespace vic {

// A row of the table of claims. Texts as they are shown.
struct ClaimRow {
  std::string claim, measured, threshold;
  bool pass = false;
};

// The claims of all folders that have a verdict.json; those without are passed over. Throws a
// UsageError for one that is damaged.
std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders);

}  // namespace vic
