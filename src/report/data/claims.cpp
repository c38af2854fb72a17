#include "report/data/claims.h"

#include <fmt/core.h>

#include "base/file.h"
#include "base/file_value.h"

namespace vic {
namespace {

// the number with its interval and how it was measured, or why it was not measured
std::string measured_text(const FileValue& claim) {
  const std::string how = claim.text("measured_as");
  const auto value = claim.maybe_number("measured");
  if (!value) return how;
  const auto low = claim.maybe_number("low"), high = claim.maybe_number("high");
  const std::string range = low && high ? fmt::format(" [{:.4f}, {:.4f}]", *low, *high) : "";
  return fmt::format("{:.4f}{} ({} of {})", *value, range, how, claim.whole("seeds"));
}

}  // namespace

std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders) {
  std::vector<ClaimRow> rows;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/verdict.json";
    if (!path_exists(path)) continue;
    require_plain_file(path);
    const FileValue file = FileValue::parse(read_file(path), path);
    for (const FileValue& claim : file.objects("claims")) {
      rows.push_back({fmt::format("{}: {}, {}", claim.text("text"), claim.text("group"),
                                  claim.text("algorithm")),
                      claim.text("source"), measured_text(claim),
                      fmt::format("{} {}", claim.text("measure"), claim.text("wanted")),
                      claim.text("verdict"), claim.text("see"), file.text("title")});
    }
  }
  return rows;
}

std::string claims_markdown(const std::vector<ClaimRow>& claims) {
  std::string out, title;
  for (const ClaimRow& row : claims) {
    if (row.title != title) {
      title = row.title;
      out += fmt::format(
          "{}## {}\n\n| claim | source | measured | must be | verdict |\n|---|---|---|---|---|\n",
          out.empty() ? "" : "\n", title);
    }
    // links are relative to docs/claims.md
    const std::string see = row.see.starts_with("docs/") ? row.see.substr(5) : row.see;
    const std::string verdict = see.empty() || row.verdict == "holds" || row.verdict == "not run"
                                    ? row.verdict
                                    : fmt::format("[{}]({})", row.verdict, see);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", row.claim, row.source, row.measured,
                       row.threshold, verdict);
  }
  return out;
}

std::string with_tables(const std::string& page, const std::string& tables) {
  if (page.empty() || page.starts_with("## ")) return tables;
  const std::string introduction = page.substr(0, page.find("\n## "));
  return introduction + (introduction.ends_with('\n') ? "\n" : "\n\n") + tables;
}

}  // namespace vic
