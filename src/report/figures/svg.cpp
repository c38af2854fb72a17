#include "report/figures/svg.h"

#include <fmt/core.h>

#include <cmath>

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
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height, std::string label)
    : width_(width), height_(height), label_(std::move(label)) {}

void Svg::rect(double x, double y, double width, double height, std::string_view classes,
               std::string_view more) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{}\"{}/>\n",
                       number(x), number(y), number(width), number(height), classes, more);
}

void Svg::circle(double x, double y, double radius, std::string_view classes,
                 std::string_view more) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"{}/>\n", number(x),
                       number(y), number(radius), classes, more);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view classes,
               std::string_view more) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"{}/>\n",
                       number(x1), number(y1), number(x2), number(y2), classes, more);
}

void Svg::path(const std::vector<std::pair<double, double>>& points, std::string_view classes,
               std::string_view end, std::string_view more) {
  if (points.empty()) return;
  std::string d;
  for (const auto& [x, y] : points) {
    d += fmt::format("{}{} {}", d.empty() ? "M" : "L", number(x), number(y));
  }
  body_ += fmt::format("<path d=\"{}{}\" class=\"{}\"{}/>\n", d, end, classes, more);
}

void Svg::put_text(double x, double y, std::string_view classes, std::string_view anchor,
                   std::string_view more, const std::string& inside) {
  const std::string place = anchor == "start" ? "" : fmt::format(" text-anchor=\"{}\"", anchor);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}{}>{}</text>\n", number(x), number(y),
                       classes, place, more, inside);
}

void Svg::text(double x, double y, std::string_view classes, std::string_view words,
               std::string_view anchor, std::string_view more) {
  put_text(x, y, classes, anchor, more, escape_markup(words));
}

void Svg::symbol(double x, double y, std::string_view classes, std::string_view words,
                 std::string_view anchor) {
  const Symbol symbol = split_symbol(words);
  std::string inside = escape_markup(symbol.base);
  if (!symbol.below.empty()) {
    // what follows comes up again
    inside += fmt::format("<tspan dy=\"3\" class=\"sub\">{}</tspan><tspan dy=\"-3\">{}</tspan>",
                          escape_markup(symbol.below), escape_markup(symbol.rest));
  }
  put_text(x, y, classes, anchor, "", inside);
}

std::string Svg::finish(Form form) const {
  const std::string size = fmt::format("width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\"",
                                       number(width_), number(height_));
  const std::string name = escape_markup(label_);
  if (form == Form::inline_part) {
    return fmt::format("<svg class=\"fig\" {} role=\"img\" aria-label=\"{}\">\n{}</svg>\n", size,
                       name, body_);
  }
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fig\" {} role=\"img\">\n"
      "<title>{}</title>\n<style>{}</style>\n{}</svg>\n",
      size, name, standalone_css(), body_);
}

Symbol split_symbol(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::size_t base = 0;
  while (base < text.size() && letter(text[base])) ++base;
  std::size_t end = base;
  while (end < text.size() && (letter(text[end]) || text[end] == '_')) ++end;
  if (base == 0 || end < base + 2) return {std::string(text), "", ""};
  std::string below(text.substr(base + 1, end - base - 1));
  for (char& c : below) c = c == '_' ? ' ' : c;
  return {std::string(text.substr(0, base)), below, std::string(text.substr(end))};
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double span = high - low;
  if (!(span > 0)) return {low};
  const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; ++i) {
    // no tick is called -0
    ticks.push_back(i == 0 ? 0 : i * step);
  }
  return ticks;
}

}  // namespace vic
