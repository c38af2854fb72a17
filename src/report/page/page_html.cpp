// What the sections of the page are made of.
#include <fmt/core.h>

#include <cctype>

#include "base/text.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"

namespace vic {
std::string fill(std::string_view form, const std::map<std::string, std::string>& values) {
  std::string out;
  while (true) {
    const std::size_t begin = form.find("{{"), end = form.find("}}", begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) break;
    out += form.substr(0, begin);
    out += values.at(std::string(form.substr(begin + 2, end - begin - 2)));
    form.remove_prefix(end + 2);
  }
  return out + std::string(form);
}

std::string typeset(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] == '^' && text.size() > 1) {
      out += fmt::format("<sup>{}</sup>", text[1]);
      text.remove_prefix(2);
      continue;
    }
    const Symbol symbol = split_symbol(text);
    // one letter is a symbol
    const bool letter =
        symbol.base.size() == 1 && std::isalpha(static_cast<unsigned char>(symbol.base[0]));
    out += letter ? fmt::format("<i>{}</i>", symbol.base) : escape_markup(symbol.base);
    if (!symbol.below.empty()) out += fmt::format("<sub>{}</sub>", symbol.below);
    text = symbol.rest;
  }
  return out;
}

std::string colour_dot(int colour) {
  return fmt::format("<span class=\"dot\" style=\"background:var(--c{})\"></span>",
                     colour % series_colours);
}

std::string value_cell(const std::optional<Estimate>& value, int digits, const char* unit) {
  if (!value) return "<td>–</td>";
  const std::string mean = minus_text(value->mean, digits) + unit;
  if (!value->half) return fmt::format("<td>{}</td>", mean);
  return fmt::format("<td>{}<span class=\"pm\"> ± {:.{}f}</span></td>", mean, *value->half, digits);
}

std::string note_html(const std::string& words) {
  return fmt::format("<p class=\"note\">{}</p>\n", words);
}

std::string facts_html(const NamedTexts& facts) {
  std::string html;
  for (const auto& [name, value] : facts) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
  }
  return fmt::format("<dl class=\"facts\">{}</dl>\n", html);
}

std::string table_html(const std::string& label, const char* classes, const std::string& head,
                       const std::string& rows) {
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"{}\">"
      "<thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
      escape_markup(label), classes, head, rows);
}

std::string figure_html(const std::string& title, const std::string& words,
                        const std::string& content, const std::string& attributes) {
  return fmt::format("<figure{}>\n<figcaption><h3>{}</h3><p>{}</p></figcaption>\n{}</figure>\n",
                     attributes, escape_markup(title), words, content);
}

}  // namespace vic
