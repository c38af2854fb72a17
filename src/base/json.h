// A JSON value: built from initializer lists, read from text, written as text.
//
//   Json json = {{"world", "line"}, {"H", 2.19}, {"route", Json::array()}};
//   json["route"].push_back("left");
//   write_file(path, json.dump(2) + "\n");
//
// Cheap to include: the JSON library that parses and prints is compiled in json_text.cpp alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
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

// A text that is not JSON, a key or an index that is not there, a value of another kind, or a text
// to be written that is not UTF-8.
class JsonError : public Error {
 public:
  using Error::Error;
};

// What to do with bytes that are not UTF-8 in a text to be written.
enum class BadUtf8 { reject, replace };

// Null, true or false, a whole number (64 bits, kept exactly), a double, a text, an array or an
// object. The members of an object stay in the order in which they were added, and their keys are
// unique. References to elements and members hold until the next one is added or removed.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json();  // null
  Json(std::nullptr_t);
  // a template, because pointers would convert to bool
  template <std::same_as<bool> T>
  Json(T value) : Json(Truth{value}) {}
  Json(int value);
  Json(long value);
  Json(long long value);
  Json(unsigned value);
  Json(unsigned long value);
  Json(unsigned long long value);
  Json(double value);
  Json(const char* text);
  Json(std::string text);
  Json(std::string_view text);
  Json(Array elements);
  template <class T>
  Json(const std::vector<T>& list) : Json(Array(list.begin(), list.end())) {}
  // An object where every element is an array of a text and a value, as in {{"a", 1}, {"b", 2}},
  // and an array otherwise, as in {1, 2, 3}. What may be empty is better begun with array() or
  // object().
  Json(std::initializer_list<Json> list);
  static Json array();
  static Json object();

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  // The value of a text in UTF-8. Of equal keys in an object the last one counts. `parse` throws a
  // JsonError that names line and column; `try_parse` returns nothing. Both refuse text in which
  // arrays and objects are nested more than 1,000 deep.
  static Json parse(std::string_view text);
  static std::optional<Json> try_parse(std::string_view text);

  // The text: on one line, or with `indent` spaces for each level. Doubles have as many digits as
  // tell them apart, and those that are not finite are null.
  std::string dump(int indent = -1, BadUtf8 bad = BadUtf8::reject) const;

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;   // whole or not
  bool is_integer() const;  // a whole number, written without point and exponent
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  // The value as bool, int, long, std::size_t, double or std::string; numbers are converted. Throws
  // where it is of another kind, and where a whole number is wanted that does not fit.
  template <class T>
  T get() const;

  // Of arrays and objects: the number of elements or members. Null has none, all others are one.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // Members of an object. The changeable operator[] adds a null where the key is missing and makes
  // an object of null; the others throw.
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& at(std::string_view key) const;
  // The member, nullptr where there is none or this is no object.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Object& items() const;  // throws where this is no object
  // Takes the members of another object: those of known keys change, the others are added.
  void update(const Json& other);
  void erase(std::string_view key);  // nothing where there is no such member

  // Elements of an array; null has none. All throw where this is neither.
  Json& operator[](std::size_t index);
  const Json& operator[](std::size_t index) const { return at(index); }
  const Json& at(std::size_t index) const;
  Json& back();
  const Json& back() const { return at(size() - 1); }
  const Json* begin() const;
  const Json* end() const;
  Json& push_back(Json element);  // makes an array of null; returns the new element

  // Numbers are equal by value, objects with their members in the same order.
  friend bool operator==(const Json& a, const Json& b);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  // int64 and uint64 are both needed: each has numbers that the other lacks
  using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                             Array, Object>;
  struct Truth {
    bool value;
  };
  explicit Json(Truth truth);
  template <class T>
  T whole_number() const;
  void write(std::string& out, int indent, int level, BadUtf8 bad) const;

  Value value_;
};

template <>
bool Json::get() const;
template <>
int Json::get() const;
template <>
long Json::get() const;
template <>
std::size_t Json::get() const;
template <>
double Json::get() const;
template <>
std::string Json::get() const;

// Null for what is not known.
template <class Value>
Json maybe(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
Json maybe(bool known, double value);

}  // namespace vic
