// A small writer of SVG, and what the figures have in common: ranges, ticks, axes, places for
// labels. Styles are classes (palette.h); a figure is part of the page or a separate file.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vic {

// The text with &, <, > and quotes escaped for HTML and SVG.
std::string escape_markup(std::string_view text);

enum class Form { inline_part, file };

class Svg {
 public:
  // `label` is for screen readers.
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

  // A symbol of notation, such as "H_max 2.19", with its subscript.
  void symbol(double x, double y, std::string_view classes, std::string_view words,
              std::string_view anchor = "start");

  // Text that reads upward, with its middle at (x, y): the name of a y axis.
  void turned_text(double x, double y, std::string_view classes, std::string_view words);

  std::string finish(Form form) const;

 private:
  void put_text(double x, double y, std::string_view classes, std::string_view anchor,
                std::string_view more, const std::string& inside);

  double width_, height_;
  std::string label_, elements_;
};

// The beginning of a text, "H_at_D_max 1.83" cut into "H", "at D max" and " 1.83": a word or a
// single character, its subscript if it has one, and the rest.
struct Symbol {
  std::string_view base;
  std::string below;
  std::string_view rest;
};
Symbol split_symbol(std::string_view text);

// Round numbers that cover [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

// Places for labels at these heights, in the same order, no two closer than `distance` and none
// outside [low, high] as long as there is room.
std::vector<double> spread(std::vector<double> places, double distance, double low, double high);

// The smallest and the largest of some values; none yet if low > high.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void hold(double value);
  // The margin at either end.
  double air() const { return high > low ? 0.06 * (high - low) : 0.5; }
  // 0 at the low end, 1 at the high one.
  double share(double value) const { return high > low ? (value - low) / (high - low) : 0; }
};

// The approximate width of a text of 12 pixels; no font is available to measure it.
double label_width(std::string_view text);

// The values of an x axis: any numbers, integers, or logarithms of integers.
enum class Scale { plain, whole, log10 };

// The area of a figure in which values are drawn: its edges in pixels, and the values at them.
struct Plot {
  double left = 0, right = 0, top = 0, bottom = 0;
  Extent across = {}, up = {};

  double x(double value) const { return left + across.share(value) * (right - left); }
  double y(double value) const { return bottom - up.share(value) * (bottom - top); }
  // Lines and numbers at round values; `words` name the x axis.
  void draw_axes(Svg& svg, std::string_view words, Scale scale = Scale::plain) const;

 private:
  void draw_tick(Svg& svg, double value, std::string_view words) const;
};

}  // namespace vic
