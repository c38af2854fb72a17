#include "world/toml_reader.h"

#include <algorithm>
#include <limits>

#include "base/closest.h"
#include "base/text.h"

namespace vic {
namespace {

// the line a node begins on; a table that was never written out begins with what is in it
int line_of(const toml::node& node) {
  const toml::node* at = &node;
  while (at->source().begin.line == 0 && at->is_table() && !at->as_table()->empty()) {
    at = &at->as_table()->begin()->second;
  }
  return std::max(1, static_cast<int>(at->source().begin.line));
}

// a value as a message repeats it
std::string value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", shown(text->get()));
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  // with a point in it always, lest 4.0 be shown as the 4 that was wanted
  if (const auto* real = node.as_floating_point()) return fmt::format("{:#}", real->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_array()) return node.as_array()->empty() ? "[]" : "[...]";
  if (node.is_table()) return node.as_table()->empty() ? "{}" : "{...}";
  return "(a date or time)";
}

template <class Keys>
bool contains(const Keys& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool contains(Range range, double value) {
  return value >= range.min && value <= range.max;
}

// throws for the first key of the table that is not among `known`
template <class Keys>
void check_keys(const TomlDocument& document, const toml::table& table, const std::string& prefix,
                const Keys& known) {
  for (const auto& [key, node] : table) {
    if (contains(known, key.str())) continue;
    const int line = std::max(line_of(node), static_cast<int>(key.source().begin.line));
    // whatever follows a [table] belongs to it, which is easily forgotten
    const bool misplaced = contains(document.keys(), key.str());
    fail_usage("{}:{}: there is no key {}{}{}", document.path(), line, prefix, shown(key.str()),
               misplaced ? fmt::format("; write {} above the first [table] of the file.", key.str())
                         : hint(key.str(), std::vector<std::string>(known.begin(), known.end())));
  }
}

}  // namespace

TomlDocument::TomlDocument(std::string_view text, std::string path, std::vector<std::string> keys)
    : path_(std::move(path)), keys_(std::move(keys)), table_(parse_toml(text, path_)) {
  check_keys(*this, table_, "", keys_);
}

TomlTable TomlDocument::root() const {
  return TomlTable(*this, table_, "", 1);
}

int TomlValue::whole(Range range) const {
  const auto* whole = node_ != nullptr ? node_->as_integer() : nullptr;
  if (whole == nullptr || !contains(range, static_cast<double>(whole->get()))) {
    reject(describe_range(range, "a whole number"));
  }
  return static_cast<int>(whole->get());
}

double TomlValue::number(Range range) const {
  const auto* whole = node_ != nullptr ? node_->as_integer() : nullptr;
  const auto* real = node_ != nullptr ? node_->as_floating_point() : nullptr;
  const double value = whole != nullptr  ? static_cast<double>(whole->get())
                       : real != nullptr ? real->get()
                                         : std::numeric_limits<double>::quiet_NaN();
  if (!contains(range, value)) reject(describe_range(range, "a number"));
  return value;
}

bool TomlValue::flag() const {
  if (node_ == nullptr || !node_->is_boolean()) reject("true or false");
  return node_->as_boolean()->get();
}

std::string TomlValue::text(std::string_view allowed) const {
  if (node_ == nullptr || !node_->is_string()) reject(allowed);
  return node_->as_string()->get();
}

std::string TomlValue::name() const {
  const std::string allowed =
      fmt::format("text of 1 to {} bytes without control characters", longest_shown);
  std::string value = text(allowed);
  if (value.empty() || value.size() > longest_shown || has_control(value)) reject(allowed);
  return value;
}

std::vector<TomlValue> TomlValue::list(std::string_view allowed) const {
  if (node_ == nullptr || !node_->is_array() || node_->as_array()->empty()) reject(allowed);
  std::vector<TomlValue> elements;
  elements.reserve(node_->as_array()->size());
  for (const toml::node& element : *node_->as_array()) {
    elements.emplace_back(*document_, &element, key_, line_of(element));
  }
  return elements;
}

TomlTable TomlValue::table(std::initializer_list<std::string_view> keys) const {
  if (node_ == nullptr || !node_->is_table()) {
    reject(fmt::format("a table with the keys {}", fmt::join(keys, ", ")));
  }
  check_keys(*document_, *node_->as_table(), key_ + ".", keys);
  return TomlTable(*document_, *node_->as_table(), key_ + ".", line_);
}

std::vector<std::pair<std::string, TomlValue>> TomlValue::entries() const {
  if (node_ == nullptr || !node_->is_table()) reject("a table");
  std::vector<std::pair<std::string, TomlValue>> list;
  for (const auto& [key, node] : *node_->as_table()) {
    list.emplace_back(
        key.str(),
        TomlValue(*document_, &node, fmt::format("{}.{}", key_, shown(key.str())), line_of(node)));
  }
  return list;
}

std::vector<Assignment> TomlValue::assignments() const {
  if (node_ == nullptr || !node_->is_table()) reject("a table of settings");
  return settings_in(*node_->as_table(), document_->path());
}

TomlValue TomlValue::called(std::string key) const {
  return TomlValue(*document_, node_, std::move(key), line_);
}

void TomlValue::reject(std::string_view allowed) const {
  if (node_ == nullptr) fail("{} is missing; it must be {}.", key_, allowed);
  fail("{} = {} is not allowed; it must be {}.", key_, value_text(*node_), allowed);
}

void TomlValue::fail_at(int line, std::string_view message) const {
  fail_usage("{}:{}: {}", document_->path(), line, message);
}

TomlValue TomlTable::operator[](std::string_view key) const {
  const toml::node* node = table_->get(key);
  return TomlValue(*document_, node, prefix_ + std::string(key),
                   node != nullptr ? line_of(*node) : line_);
}

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  // a list that is longer than this helps nobody find a typing error
  constexpr std::size_t longest_list = 12;
  const std::string_view compared = name.substr(0, longest_shown);
  if (known.size() <= longest_list) return suggestion(compared, known);
  return fmt::format("; the closest is {}.", closest(compared, known));
}

}  // namespace vic
