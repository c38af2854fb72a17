#include "cli/export_format.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace vic {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string scalar_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// the cells of a row with the names of their columns
using Cells = std::vector<std::pair<std::string, std::string>>;
void flatten(const Json& value, const std::string& name, Cells& cells) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      flatten(member, name.empty() ? key : name + "." + key, cells);
    }
    return;
  }
  std::string text;
  if (value.is_array()) {
    for (const Json& element : value) {
      text +=
          (text.empty() ? "" : " ") + (element.is_array() ? element.dump() : scalar_text(element));
    }
  } else {
    text = scalar_text(value);
  }
  cells.emplace_back(name, std::move(text));
}

std::string csv_text(const Export& data, Stop stop) {
  // the columns of the first row: other rows have the same, or lack some
  std::vector<std::string> columns;
  std::string out;
  for (std::size_t r = 0; r < data.rows; ++r) {
    stop.check();
    Cells cells;
    flatten(data.row(r), "", cells);
    if (r == 0) {
      for (const auto& [name, text] : cells) {
        columns.push_back(name);
        out += (columns.size() > 1 ? "," : "") + csv_field(name);
      }
      out += "\n";
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto found = std::ranges::find(cells, columns[c], &Cells::value_type::first);
      out += (c > 0 ? "," : "") + (found == cells.end() ? "" : csv_field(found->second));
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string export_bytes(const Export& data, ExportFormat format, Stop stop) {
  if (format == ExportFormat::npz) return npz_bytes(data.arrays());
  if (format == ExportFormat::csv) return csv_text(data, stop);
  std::string out;
  for (std::size_t r = 0; r < data.rows; ++r) {
    stop.check();
    out += data.row(r).dump() + "\n";
  }
  return out;
}

Export export_lines(std::vector<Json> lines) {
  const auto kept = std::make_shared<const std::vector<Json>>(std::move(lines));
  Export out;
  out.rows = kept->size();
  out.row = [kept](std::size_t r) { return (*kept)[r]; };
  out.arrays = [kept] {
    std::vector<NpzArray> arrays;
    for (std::size_t r = 0; r < kept->size(); ++r) {
      for (const auto& [key, value] : (*kept)[r].items()) {
        if (!value.is_number()) continue;
        auto found = std::ranges::find(arrays, key, &NpzArray::name);
        if (found == arrays.end()) {
          const std::vector<double> none(kept->size(), std::numeric_limits<double>::quiet_NaN());
          arrays.push_back({key, {kept->size()}, none});
          found = arrays.end() - 1;
        }
        std::get<std::vector<double>>(found->values)[r] = value.get<double>();
      }
    }
    return arrays;
  };
  return out;
}

}  // namespace vic
