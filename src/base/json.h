// A JSON value: built from initializer lists, read from text, written as text.
//
//   Json json = {{"world", "line"}, {"H", 2.19}, {"route", Json::array()}};
//   json["route"].push_back("left");
//   write_file(path, json.dump(2) + "\n");
//
// TOML is read into the same values. The library that parses and prints JSON is compiled in
// json.cpp alone, the one that parses TOML in toml.cpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace vic {

// A text that is not JSON, a missing key or index, a value of the wrong kind, or a text to be
// written that is not UTF-8.
class JsonError : public Error {
 public:
  explicit JsonError(const std::string& message, std::size_t at = 0) : Error(message), byte(at) {}

  std::size_t byte = 0;  // where the text is not JSON, from 1; 0 for the other errors
};

// What to do with bytes that are not UTF-8 in a text to be written.
enum class BadUtf8 { reject, replace };

// Null, true or false, a whole number (64 bits, kept exactly), a double, a text, an array or an
// object. The members of an object stay in the order in which they were added, and their keys are
// unique. References to elements and members are valid until the next one is added or removed.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  template <std::integral T>
  Json(T value) {
    if constexpr (std::same_as<T, bool>) {
      value_ = value;
    } else if constexpr (std::signed_integral<T>) {
      value_ = std::int64_t{value};
    } else {
      value_ = std::uint64_t{value};
    }
  }
  Json(double value) : value_(value) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(Array elements) : value_(std::move(elements)) {}
  template <class T>
  Json(const std::vector<T>& list) : Json(Array(list.begin(), list.end())) {}
  // An object where every element is an array of a text and a value, as in {{"a", 1}, {"b", 2}},
  // else an array, as in {1, 2, 3}. A list that may be empty should begin as array() or object().
  Json(std::initializer_list<Json> list);
  static Json array() { return Json(Array()); }
  static Json object(Object members = {});  // their keys must be unique

  // The value of a text in UTF-8. Of equal keys in an object the last one counts. `parse` throws a
  // JsonError that names line and column; `try_parse` returns nothing. Both refuse text in which
  // arrays and objects are nested more than 1,000 deep.
  static Json parse(std::string_view text);
  static std::optional<Json> try_parse(std::string_view text);

  // The text: on one line, or with `indent` spaces for each level. Doubles have just enough digits
  // to be read back exactly, and those that are not finite become null.
  std::string dump(int indent = -1, BadUtf8 bad = BadUtf8::reject) const;

  bool is_null() const { return holds<std::nullptr_t>(); }
  bool is_boolean() const { return holds<bool>(); }
  bool is_number() const { return is_integer() || holds<double>(); }
  // A whole number, written without point and exponent.
  bool is_integer() const { return holds<std::int64_t>() || holds<std::uint64_t>(); }
  bool is_string() const { return holds<std::string>(); }
  bool is_array() const { return holds<Array>(); }
  bool is_object() const { return holds<Object>(); }

  // The value as bool, int, long, std::size_t, double or std::string; numbers are converted. Throws
  // where it is of another kind, and where a number does not fit the whole-number type.
  template <class T>
  T get() const;

  // Of arrays and objects: the number of elements or members. Null has none, all others are one.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // Members of an object. The non-const operator[] adds a null where the key is missing and turns
  // null into an object; the others throw.
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& at(std::string_view key) const;
  // The member; nullptr where there is none or this is not an object.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Object& items() const;  // throws where this is not an object
  // Takes the members of another object: those of known keys change, the others are added.
  void update(const Json& other);
  void erase(std::string_view key);  // no effect where there is no such member

  // Elements of an array; null has none. All throw where this is neither.
  Json& operator[](std::size_t index) { return const_cast<Json&>(at(index)); }
  const Json& operator[](std::size_t index) const { return at(index); }
  const Json& at(std::size_t index) const;
  Json& back() { return (*this)[size() - 1]; }
  const Json& back() const { return at(size() - 1); }
  const Json* begin() const;
  const Json* end() const;
  Json& push_back(Json element);  // turns null into an array; returns the new element

  // The lines of the value in a TOML file; 0 for all other values.
  int first_line = 0, last_line = 0;

  // Numbers are equal by value, objects with their members in the same order.
  friend bool operator==(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  // int64 and uint64 are both needed: each has numbers that the other lacks
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                             Array, Object>;
  template <class T>
  bool holds() const {
    return std::holds_alternative<T>(value_);
  }
  void write(std::string& out, int indent, int level, BadUtf8 bad) const;

  Value value_;
};

// Null for an unknown value.
template <class Value>
Json maybe(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
inline Json maybe(bool known, double value) {
  return known ? Json(value) : Json();
}

// The tokens of a JSON text. A scalar is a null, true or false, a number or a text.
enum class JsonToken { scalar, key, begin_array, end_array, begin_object, end_object };

// Passes the tokens of the text to `visit` in order, scalars and keys with their value: for readers
// that must not build a tree. Takes time and memory proportional to the length of the text, and
// does not recurse. The text must be one value; a byte order mark before it is skipped. Throws a
// JsonError; an exception of `visit` ends the reading.
void read_json(std::string_view text, const std::function<void(JsonToken, Json)>& visit);

// The table of a TOML text, as an object with its members by rising key; every value has its lines.
// Dates and times, which none of our files has, are null. `path` is the name of the text in errors.
// Throws a UsageError of one line with the file and the line where it is not TOML.
Json parse_toml(std::string_view text, const std::string& path);

}  // namespace vic
