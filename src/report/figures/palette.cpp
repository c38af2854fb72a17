#include "report/figures/palette.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/report_files.h"

namespace vic {
namespace {

// the files have one rule per line
std::string flat(std::string_view css) {
  std::string text(css);
  std::erase(text, '\n');
  return text;
}

// the colours as variables, the first line of the file
std::string_view light_variables() {
  return resources::light_css.substr(0, resources::light_css.find('\n'));
}

std::string light_heat() {
  return flat(resources::light_css.substr(light_variables().size()));
}

}  // namespace

int heat_level(double share) {
  if (!(share > 0)) return 0;
  // even the smallest p above 0 must not look like 0
  return std::clamp(static_cast<int>(std::lround(std::sqrt(share) * heat_levels)), 1, heat_levels);
}

std::string series_class(std::string_view look, int colour) {
  return fmt::format("{} c{}", look, colour % series_colours);
}

std::string figure_css() {
  return fmt::format("{}\n{}\n@media screen{{{}}}\n{}", light_variables(), light_heat(),
                     flat(resources::dark_css), flat(resources::figure_css));
}

std::string standalone_css() {
  std::string css = flat(resources::figure_css);
  const std::string_view variables = light_variables();
  // "--ink:#1b2230;": its value in place of "var(--ink)"
  for (std::size_t begin = variables.find("--"); begin != std::string_view::npos;
       begin = variables.find("--", begin + 2)) {
    const std::size_t colon = variables.find(':', begin), end = variables.find(';', begin);
    const std::string name = fmt::format("var({})", variables.substr(begin, colon - begin));
    for (std::size_t at = 0; (at = css.find(name, at)) != std::string::npos;) {
      css.replace(at, name.size(), variables.substr(colon + 1, end - colon - 1));
    }
  }
  return css + light_heat();
}

}  // namespace vic
