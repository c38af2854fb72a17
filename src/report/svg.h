// A small writer of SVG. Looks are classes (report/palette.h); a figure is part of the page or a
// file of its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vic {

// The text with &, <, > and quotes made fit for HTML and SVG.
std::string escape_markup(std::string_view text);

enum class Form { inline_part, file };

class Svg {
 public:
  // `label` is what a screen reader says.
  Svg(double width, double height, std::string label);

  // `more` is further attributes, already escaped: " data-s=\"3\"".
  void rect(double x, double y, double width, double height, std::string_view classes,
            std::string_view more = "");
  void circle(double x, double y, double radius, std::string_view classes,
              std::string_view more = "");
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  void path(const std::vector<std::pair<double, double>>& points, std::string_view classes,
            std::string_view end = "");
  // `anchor` is start, middle or end.
  void text(double x, double y, std::string_view classes, std::string_view words,
            std::string_view anchor = "start", std::string_view more = "");

  std::string finish(Form form) const;

 private:
  double width_, height_;
  std::string label_, body_;
};

// Round numbers that cover [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace vic
