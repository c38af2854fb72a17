#include "base/toml_reader.h"

#include <algorithm>
#include <limits>

#include "base/closest.h"
#include "base/text.h"

namespace vic {
namespace {

// the line a node begins on; a table that was never written out begins with what is in it
int line_of(const TomlNode& node) {
  const TomlNode* at = &node;
  while (at->first_line == 0 && at->table() != nullptr && !at->table()->empty()) {
    at = &at->table()->front().node;
  }
  return std::max(1, at->first_line);
}

// a value as a message repeats it
std::string value_text(const TomlNode& node) {
  if (const auto* text = node.text()) return fmt::format("\"{}\"", shown(*text));
  if (const auto* whole = node.whole()) return fmt::format("{}", *whole);
  // with a point in it always, lest 4.0 be shown as the 4 that was wanted
  if (const auto* real = node.real()) return fmt::format("{:#}", *real);
  if (const auto* flag = node.flag()) return *flag ? "true" : "false";
  if (const auto* list = node.list()) return list->empty() ? "[]" : "[...]";
  if (const auto* table = node.table()) return table->empty() ? "{}" : "{...}";
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
void check_keys(const TomlDocument& document, const TomlNode::Table& table,
                const std::string& prefix, const Keys& known) {
  for (const auto& [key, key_line, node] : table) {
    if (contains(known, key)) continue;
    const int line = std::max(line_of(node), key_line);
    // whatever follows a [table] belongs to it, which is easily forgotten
    const bool misplaced = contains(document.keys(), key);
    fail_usage("{}:{}: there is no key {}{}{}", document.path(), line, prefix, shown(key),
               misplaced ? fmt::format("; write {} above the first [table] of the file.", key)
                         : hint(key, std::vector<std::string>(known.begin(), known.end())));
  }
}

}  // namespace

TomlDocument::TomlDocument(std::string_view text, std::string path, std::vector<std::string> keys)
    : path_(std::move(path)), keys_(std::move(keys)), table_(parse_toml(text, path_)) {
  check_keys(*this, *table_.table(), "", keys_);
}

TomlTable TomlDocument::root() const {
  return TomlTable(*this, table_, "", 1);
}

int TomlValue::whole(Range range) const {
  const auto* whole = node_ != nullptr ? node_->whole() : nullptr;
  if (whole == nullptr || !contains(range, static_cast<double>(*whole))) {
    reject(describe_range(range, "a whole number"));
  }
  return static_cast<int>(*whole);
}

double TomlValue::number(Range range) const {
  const auto* whole = node_ != nullptr ? node_->whole() : nullptr;
  const auto* real = node_ != nullptr ? node_->real() : nullptr;
  const double value = whole != nullptr  ? static_cast<double>(*whole)
                       : real != nullptr ? *real
                                         : std::numeric_limits<double>::quiet_NaN();
  if (!contains(range, value)) reject(describe_range(range, "a number"));
  return value;
}

bool TomlValue::flag() const {
  if (node_ == nullptr || node_->flag() == nullptr) reject("true or false");
  return *node_->flag();
}

std::string TomlValue::text(std::string_view allowed) const {
  if (node_ == nullptr || node_->text() == nullptr) reject(allowed);
  return *node_->text();
}

std::string TomlValue::name() const {
  const std::string allowed =
      fmt::format("text of 1 to {} bytes without control characters", longest_shown);
  std::string value = text(allowed);
  if (value.empty() || value.size() > longest_shown || has_control(value)) reject(allowed);
  return value;
}

std::vector<TomlValue> TomlValue::list(std::string_view allowed) const {
  const auto* list = node_ != nullptr ? node_->list() : nullptr;
  if (list == nullptr || list->empty()) reject(allowed);
  std::vector<TomlValue> elements;
  elements.reserve(list->size());
  for (const TomlNode& element : *list) {
    elements.emplace_back(*document_, &element, key_, line_of(element));
  }
  return elements;
}

TomlTable TomlValue::table(std::initializer_list<std::string_view> keys) const {
  if (node_ == nullptr || node_->table() == nullptr) {
    reject(fmt::format("a table with the keys {}",
                       joined(std::vector<std::string>(keys.begin(), keys.end()), ", ")));
  }
  check_keys(*document_, *node_->table(), key_ + ".", keys);
  return TomlTable(*document_, *node_, key_ + ".", line_);
}

std::vector<std::pair<std::string, TomlValue>> TomlValue::entries() const {
  if (node_ == nullptr || node_->table() == nullptr) reject("a table");
  std::vector<std::pair<std::string, TomlValue>> list;
  for (const auto& [key, key_line, node] : *node_->table()) {
    list.emplace_back(
        key, TomlValue(*document_, &node, fmt::format("{}.{}", key_, shown(key)), line_of(node)));
  }
  return list;
}

std::vector<Assignment> TomlValue::assignments() const {
  if (node_ == nullptr || node_->table() == nullptr) reject("a table of settings");
  return settings_in(*node_, document_->path());
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
  const TomlNode* node = table_->find(key);
  return TomlValue(*document_, node, prefix_ + std::string(key),
                   node != nullptr ? line_of(*node) : line_);
}

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  // a list that is longer than this does not help to find a typing error
  constexpr std::size_t longest_list = 12;
  const std::string_view compared = name.substr(0, longest_shown);
  if (known.size() <= longest_list) return suggestion(compared, known);
  return fmt::format("; the closest is {}.", closest(compared, known));
}

}  // namespace vic
