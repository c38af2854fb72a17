#include "report/data/verdict_file.h"

#include <fmt/format.h>

#include "base/file.h"
#include "report/data/json_object.h"

namespace vic {

std::vector<ClaimRow> read_claims(const std::vector<std::string>& folders) {
  std::vector<ClaimRow> rows;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/verdict.json";
    if (!path_exists(path)) continue;
    for (const JsonObject& claim : JsonObject::parse(read_file(path), path).objects("claims")) {
      // how it was measured, or why it was not
      std::string measured = claim.text("measured_as");
      if (const auto value = claim.maybe_number("measured")) {
        measured = fmt::format("{:.4f} ({} of {})", *value, measured, claim.whole("seeds"));
      }
      rows.push_back({fmt::format("{}: {}, {}", claim.text("claim"), claim.text("group"),
                                  claim.text("algorithm")),
                      measured, fmt::format("{} {}", claim.text("measure"), claim.text("wanted")),
                      claim.truth("pass")});
    }
  }
  return rows;
}

}  // namespace vic
