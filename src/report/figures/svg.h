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
  void line(double x1, double y1, double x2, double y2, std::string_view classes,
            std::string_view more = "");
  void path(const std::vector<std::pair<double, double>>& points, std::string_view classes,
            std::string_view end = "", std::string_view more = "");
  // `anchor` is start, middle or end.
  void text(double x, double y, std::string_view classes, std::string_view words,
            std::string_view anchor = "start", std::string_view more = "");

  // A name of ours, "H_max 2.19", with its subscript.
  void symbol(double x, double y, std::string_view classes, std::string_view words,
              std::string_view anchor = "start");

  std::string finish(Form form) const;

 private:
  void put_text(double x, double y, std::string_view classes, std::string_view anchor,
                std::string_view more, const std::string& inside);

  double width_, height_;
  std::string label_, body_;
};

// "H_at_D_max 1.83" cut into "H", "at D max" and " 1.83"; a text without a subscript is all base.
struct Symbol {
  std::string base, below, rest;
};
Symbol split_symbol(std::string_view text);

// Round numbers that cover [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace vic
