// The files of web/ and uPlot, as they were when the program was built.
#pragma once

#include <string_view>

namespace vic::resources {

extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view player_js;
extern const std::string_view theme_js;
extern const std::string_view uplot_js;
extern const std::string_view uplot_css;
extern const std::string_view uplot_license;

}  // namespace vic::resources
