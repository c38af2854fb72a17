#include "base/json.h"

#include <algorithm>
#include <limits>
#include <ostream>

namespace vic {
namespace {

const char* kind_of(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_boolean()) return "true or false";
  if (json.is_number()) return "a number";
  if (json.is_string()) return "text";
  return json.is_array() ? "an array" : "an object";
}

[[noreturn]] void reject(const Json& json, const char* wanted) {
  throw JsonError(fmt::format("A JSON value is {} where {} is needed.", kind_of(json), wanted));
}

// {"key", value}
bool is_member(const Json& json) {
  return json.is_array() && json.size() == 2 && json[0].is_string();
}

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(Truth truth) : value_(truth.value) {}
Json::Json(int value) : value_(std::int64_t{value}) {}
Json::Json(long value) : value_(std::int64_t{value}) {}
Json::Json(long long value) : value_(std::int64_t{value}) {}
Json::Json(unsigned value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long long value) : value_(std::uint64_t{value}) {}
Json::Json(double value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(Array elements) : value_(std::move(elements)) {}

Json::Json(std::initializer_list<Json> list) {
  if (!std::all_of(list.begin(), list.end(), is_member)) {
    value_ = Array(list);
    return;
  }
  value_ = Object();
  for (const Json& member : list) (*this)[std::get<std::string>(member[0].value_)] = member[1];
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array() {
  return Json(Array());
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

bool Json::is_null() const {
  return std::holds_alternative<std::nullptr_t>(value_);
}

bool Json::is_boolean() const {
  return std::holds_alternative<bool>(value_);
}

bool Json::is_number() const {
  return is_integer() || std::holds_alternative<double>(value_);
}

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}

bool Json::is_string() const {
  return std::holds_alternative<std::string>(value_);
}

bool Json::is_array() const {
  return std::holds_alternative<Array>(value_);
}

bool Json::is_object() const {
  return std::holds_alternative<Object>(value_);
}

// a number as a whole one: T must have it
template <class T>
T Json::whole_number() const {
  constexpr double below = static_cast<double>(std::numeric_limits<T>::min());
  if (const auto* n = std::get_if<std::int64_t>(&value_); n && std::in_range<T>(*n)) {
    return static_cast<T>(*n);
  }
  if (const auto* n = std::get_if<std::uint64_t>(&value_); n && std::in_range<T>(*n)) {
    return static_cast<T>(*n);
  }
  // 2^31, 2^63 or 2^64, which a double has exactly
  constexpr double above = 2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
  if (const auto* x = std::get_if<double>(&value_); x && *x >= below && *x < above) {
    return static_cast<T>(*x);
  }
  reject(*this, is_number() ? "a smaller one" : "a number");
}

template <>
bool Json::get() const {
  if (!is_boolean()) reject(*this, "true or false");
  return std::get<bool>(value_);
}

template <>
int Json::get() const {
  return whole_number<int>();
}

template <>
long Json::get() const {
  return whole_number<long>();
}

template <>
std::size_t Json::get() const {
  return whole_number<std::size_t>();
}

template <>
double Json::get() const {
  if (const auto* n = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*n);
  if (const auto* n = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*n);
  if (const auto* x = std::get_if<double>(&value_)) return *x;
  reject(*this, "a number");
}

template <>
std::string Json::get() const {
  if (!is_string()) reject(*this, "text");
  return std::get<std::string>(value_);
}

std::size_t Json::size() const {
  if (is_null()) return 0;
  if (is_array()) return std::get<Array>(value_).size();
  return is_object() ? std::get<Object>(value_).size() : 1;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  if (!is_object()) reject(*this, "an object");
  return std::get<Object>(value_).emplace_back(std::string(key), Json()).second;
}

const Json& Json::at(std::string_view key) const {
  if (const Json* found = find(key)) return *found;
  if (!is_object()) reject(*this, "an object");
  throw JsonError(fmt::format("A JSON object lacks \"{}\".", key));
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const auto& [name, value] : std::get<Object>(value_)) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Json::Object& Json::items() const {
  if (!is_object()) reject(*this, "an object");
  return std::get<Object>(value_);
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

void Json::erase(std::string_view key) {
  if (!is_object()) reject(*this, "an object");
  std::erase_if(std::get<Object>(value_),
                [&](const Member& member) { return member.first == key; });
}

Json& Json::operator[](std::size_t index) {
  return const_cast<Json&>(at(index));
}

const Json& Json::at(std::size_t index) const {
  if (index < static_cast<std::size_t>(end() - begin())) return begin()[index];
  throw JsonError(fmt::format("A JSON array of {} has no element {}.", size(), index));
}

Json& Json::back() {
  return (*this)[size() - 1];
}

const Json* Json::begin() const {
  if (is_null()) return nullptr;
  if (!is_array()) reject(*this, "an array");
  return std::get<Array>(value_).data();
}

const Json* Json::end() const {
  return begin() + size();
}

Json& Json::push_back(Json element) {
  if (is_null()) value_ = Array();
  if (!is_array()) reject(*this, "an array");
  return std::get<Array>(value_).emplace_back(std::move(element));
}

bool operator==(const Json& a, const Json& b) {
  if (!a.is_number() || !b.is_number()) return a.value_ == b.value_;
  if (!a.is_integer() || !b.is_integer()) return a.get<double>() == b.get<double>();
  const auto equal = [](auto x, auto y) { return std::cmp_equal(x, y); };
  const auto* x = std::get_if<std::int64_t>(&a.value_);
  const auto* y = std::get_if<std::int64_t>(&b.value_);
  const auto* u = std::get_if<std::uint64_t>(&a.value_);
  const auto* v = std::get_if<std::uint64_t>(&b.value_);
  if (x) return y ? equal(*x, *y) : equal(*x, *v);
  return y ? equal(*u, *y) : equal(*u, *v);
}

Json maybe(bool known, double value) {
  return known ? Json(value) : Json();
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump(-1, BadUtf8::replace);
}

}  // namespace vic
