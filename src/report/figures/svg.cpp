#include "report/figures/svg.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

// two decimals are a hundredth of a pixel; no trailing zeros
std::string number(double x) {
  std::string text = fmt::format("{:.2f}", x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::array names = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (char c : text) {
    const std::size_t i = special.find(c);
    out += i == std::string_view::npos ? std::string(1, c) : names[i];
  }
  return out;
}

Svg::Svg(double width, double height, std::string label)
    : width_(width), height_(height), label_(std::move(label)) {}

void Svg::rect(double x, double y, double width, double height, std::string_view classes,
               std::string_view more) {
  elements_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}/>\n",
                           number(x), number(y), number(width), number(height), classes, more);
}

void Svg::circle(double x, double y, double radius, std::string_view classes,
                 std::string_view more) {
  elements_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"{}/>\n", number(x),
                           number(y), number(radius), classes, more);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view classes,
               std::string_view more) {
  elements_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"{}/>\n",
                           number(x1), number(y1), number(x2), number(y2), classes, more);
}

void Svg::path(const std::vector<std::pair<double, double>>& points, std::string_view classes,
               std::string_view end, std::string_view more) {
  if (points.empty()) return;
  std::string d;
  for (const auto& [x, y] : points) {
    d += fmt::format("{}{} {}", d.empty() ? "M" : "L", number(x), number(y));
  }
  elements_ += fmt::format("<path d=\"{}{}\" class=\"{}\"{}/>\n", d, end, classes, more);
}

void Svg::put_text(double x, double y, std::string_view classes, std::string_view anchor,
                   std::string_view more, const std::string& inside) {
  const std::string place = anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", anchor);
  elements_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}{}>{}</text>\n", number(x),
                           number(y), classes, place, more, inside);
}

void Svg::text(double x, double y, std::string_view classes, std::string_view words,
               std::string_view anchor, std::string_view more) {
  put_text(x, y, classes, anchor, more, escape_markup(words));
}

void Svg::symbol(double x, double y, std::string_view classes, std::string_view words,
                 std::string_view anchor) {
  const Symbol symbol = split_symbol(words);
  std::string inside = escape_markup(symbol.base), rest = escape_markup(symbol.rest);
  // text after a subscript returns to the baseline
  inside += symbol.below.empty()
                ? rest
                : fmt::format("<tspan dy=\"3\" class=\"sub\">{}</tspan><tspan dy=\"-3\">{}</tspan>",
                              escape_markup(symbol.below), rest);
  put_text(x, y, classes, anchor, "", inside);
}

void Svg::turned_text(double x, double y, std::string_view classes, std::string_view words) {
  text(x, y, classes, words, "middle",
       fmt::format(" transform=\"rotate(-90 {} {})\"", number(x), number(y)));
}

std::string Svg::finish(Form form) const {
  const std::string size = fmt::format("width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"",
                                       number(width_), number(height_));
  const std::string name = escape_markup(label_);
  if (form == Form::inline_part) {
    return fmt::format("<svg class=\"fig\" {} role=\"img\" aria-label=\"{}\">\n{}</svg>\n", size,
                       name, elements_);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" {} role=\"img\">\n"
      "<title>{}</title>\n<style>{}</style>\n{}</svg>\n",
      size, name, standalone_css(), elements_);
}

Symbol split_symbol(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const std::size_t word = std::min(text.find_first_not_of(letters), text.size());
  const std::size_t base = std::min(text.find('_'), word);
  if (base == 0 || word < base + 2) {
    const std::size_t end = std::min(std::max<std::size_t>(base, 1), text.size());
    return {text.substr(0, end), "", text.substr(end)};
  }
  std::string below(text.substr(base + 1, word - base - 1));
  std::replace(below.begin(), below.end(), '_', ' ');
  return {text.substr(0, base), below, text.substr(word)};
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double span = high - low;
  if (!(span > 0)) return {low};
  const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= raw) step = factor * power;
  }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; ++i) {
    // no tick is -0
    ticks.push_back(i == 0 ? 0 : i * step);
  }
  return ticks;
}

std::vector<double> spread(std::vector<double> places, double distance, double low, double high) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return places[i]; });
  // down from the first, then up from the last
  double next = low;
  for (std::size_t i : order) {
    places[i] = std::max(places[i], next);
    next = places[i] + distance;
  }
  double room = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    places[*i] = std::min(places[*i], room);
    room = places[*i] - distance;
  }
  return places;
}

void Extent::hold(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

double label_width(std::string_view text) {
  double width = 0;
  for (char c : text) {
    // only the first byte of a letter counts
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    width += std::string_view("iljtf.,:' |").find(c) != std::string_view::npos ? 4 : 7;
  }
  return width;
}

void Plot::draw_tick(Svg& svg, double value, std::string_view words) const {
  svg.line(x(value), bottom, x(value), bottom + (words.empty() ? 3 : 5), "axis");
  if (!words.empty()) svg.text(x(value), bottom + 18, "small", words, "middle");
}

void Plot::draw_axes(Svg& svg, std::string_view words, Scale scale) const {
  const auto tick_text = [](double value) {
    return fmt::format("{:g}", std::abs(value) < 1e-12 ? 0.0 : value);
  };
  for (double value : round_ticks(up.low, up.high, 8)) {
    svg.line(left, y(value), right, y(value), "grid");
    svg.text(left - 8, y(value) + 4, "small", tick_text(value), "end");
  }
  svg.line(left, bottom, right, bottom, "axis");
  if (scale == Scale::log10) {
    for (double ten = std::pow(10, std::floor(across.low)); std::log10(ten) <= across.high;
         ten *= 10) {
      for (double value = ten; value < 9.5 * ten; value += ten) {
        const double at = std::log10(value);
        if (at < across.low - 1e-9 || at > across.high + 1e-9) continue;
        // 1, 2 and 5 are labelled if there is room
        const double digit = std::round(value / ten);
        const bool named =
            digit == 1 || (across.high - across.low < 2 && (digit == 2 || digit == 5));
        draw_tick(svg, at, named ? grouped_text(std::llround(value)) : "");
      }
    }
  } else {
    for (double value : round_ticks(across.low, across.high, 10)) {
      // updates have no fractions
      if (scale == Scale::whole && value != std::round(value)) continue;
      draw_tick(svg, value,
                scale == Scale::whole ? grouped_text(std::llround(value)) : tick_text(value));
    }
  }
  svg.text((left + right) / 2, bottom + 34, "small", words, "middle");
}

}  // namespace vic
