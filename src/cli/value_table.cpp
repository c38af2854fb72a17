#include "cli/value_table.h"

#include <fmt/format.h>

#include "base/print.h"

namespace vic {

void ValueTable::row(std::string_view name, const std::string& value,
                     const std::string& meaning) const {
  print(out, "  {:<{}} {:>10}  {}\n", name, width, value, meaning);
}

std::string number_text(const std::optional<double>& number, int digits) {
  return number ? fmt::format("{:.{}f}", *number, digits) : std::string("-");
}

}  // namespace vic
