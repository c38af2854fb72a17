#include "base/json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text.h"

namespace vic {
namespace {

using Library = nlohmann::json;

// values are copied, written and destroyed by recursion: a hostile text must not exhaust the stack
constexpr std::size_t deepest = 1000;

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

template <class T>
constexpr bool is_number_type = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

// whether a number of type T can be made of this one
template <class T, class Number>
bool fits(Number number) {
  if constexpr (std::floating_point<T>) {
    return true;
  } else if constexpr (std::integral<Number>) {
    return std::in_range<T>(number);
  } else {
    // the smallest T, and 2^31, 2^63 or 2^64, which a double has exactly
    constexpr auto below = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double above = 2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    return number >= below && number < above;
  }
}

// passes the library's tokens on
class Tokens : public Library::json_sax_t {
 public:
  explicit Tokens(const std::function<void(JsonToken, Json)>& visit) : visit_(visit) {}

  bool null() override { return pass(JsonToken::scalar); }
  bool boolean(bool value) override { return pass(JsonToken::scalar, value); }
  bool number_integer(std::int64_t number) override { return pass(JsonToken::scalar, number); }
  bool number_unsigned(std::uint64_t number) override { return pass(JsonToken::scalar, number); }
  bool number_float(double number, const std::string&) override {
    return pass(JsonToken::scalar, number);
  }
  bool string(std::string& text) override { return pass(JsonToken::scalar, std::move(text)); }
  bool start_array(std::size_t) override { return pass(JsonToken::begin_array); }
  bool end_array() override { return pass(JsonToken::end_array); }
  bool start_object(std::size_t) override { return pass(JsonToken::begin_object); }
  bool key(std::string& key) override { return pass(JsonToken::key, std::move(key)); }
  bool end_object() override { return pass(JsonToken::end_object); }
  bool binary(Library::binary_t&) override { return false; }  // no text has such
  bool parse_error(std::size_t byte, const std::string&, const Library::exception& error) override {
    throw JsonError(error.what(), byte);
  }

 private:
  bool pass(JsonToken token, Json value = {}) {
    visit_(token, std::move(value));
    return true;
  }

  const std::function<void(JsonToken, Json)>& visit_;
};

// the text of a value that is not a list; throws where it is a text that is not UTF-8
std::string scalar_text(const Library& scalar, BadUtf8 bad) {
  using Handler = Library::error_handler_t;
  try {
    return scalar.dump(-1, ' ', /*ensure_ascii=*/false,
                       bad == BadUtf8::reject ? Handler::strict : Handler::replace);
  } catch (const Library::exception&) {
    throw JsonError(fmt::format("'{}' cannot be written as JSON: it is not UTF-8.",
                                shown(scalar.get<std::string>())));
  }
}

}  // namespace

Json::Json(std::initializer_list<Json> list) {
  if (!std::all_of(list.begin(), list.end(), is_member)) {
    value_ = Array(list);
    return;
  }
  value_ = Object();
  for (const Json& member : list) (*this)[std::get<std::string>(member[0].value_)] = member[1];
}

Json Json::object(Object members) {
  Json json;
  json.value_ = std::move(members);
  return json;
}

void read_json(std::string_view text, const std::function<void(JsonToken, Json)>& visit) {
  Tokens tokens(visit);
  Library::sax_parse(text.begin(), text.end(), &tokens);
}

Json Json::parse(std::string_view text) {
  Json root;
  std::vector<Json*> open;  // the arrays and objects around the next token, outermost first
  Json* place = &root;      // where the next value goes
  read_json(text, [&](JsonToken token, Json value) {
    if (token == JsonToken::end_array || token == JsonToken::end_object) return open.pop_back();
    if (token == JsonToken::key) {
      place = &(*open.back())[std::get<std::string>(value.value_)];
      return;
    }
    if (token == JsonToken::begin_array) value = array();
    if (token == JsonToken::begin_object) value = object();
    if (!open.empty() && open.back()->is_array()) place = &open.back()->push_back(nullptr);
    *place = std::move(value);
    if (token == JsonToken::scalar) return;
    if (open.size() == deepest) {
      throw JsonError(fmt::format("The JSON is nested more than {} deep.", deepest));
    }
    open.push_back(place);
  });
  return root;
}

std::optional<Json> Json::try_parse(std::string_view text) {
  try {
    return parse(text);
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

std::string Json::dump(int indent, BadUtf8 bad) const {
  std::string out;
  write(out, indent, 0, bad);
  return out;
}

void Json::write(std::string& out, int indent, int level, BadUtf8 bad) const {
  const auto new_line = [&](int depth) {
    if (indent >= 0) out.append(1, '\n').append(static_cast<std::size_t>(indent * depth), ' ');
  };
  // the brackets, and between them each element, written by `element`
  const auto list = [&](const auto& elements, const char* brackets, const auto& element) {
    out += brackets[0];
    const char* separator = "";
    for (const auto& one : elements) {
      out += separator;
      new_line(level + 1);
      element(one);
      separator = ",";
    }
    if (!elements.empty()) new_line(level);
    out += brackets[1];
  };
  if (is_array()) {
    list(std::get<Array>(value_), "[]",
         [&](const Json& one) { one.write(out, indent, level + 1, bad); });
  } else if (is_object()) {
    list(std::get<Object>(value_), "{}", [&](const Member& member) {
      out += scalar_text(member.first, bad) + (indent < 0 ? ":" : ": ");
      member.second.write(out, indent, level + 1, bad);
    });
  } else {
    std::visit(
        [&]<class T>(const T& scalar) {
          if constexpr (!std::same_as<T, Array> && !std::same_as<T, Object>) {
            out += scalar_text(scalar, bad);
          }
        },
        value_);
  }
}

template <class T>
T Json::get() const {
  return std::visit(
      [this]<class Held>(const Held& held) -> T {
        if constexpr (std::same_as<T, Held>) {
          return held;
        } else if constexpr (is_number_type<T> && is_number_type<Held>) {
          if (fits<T>(held)) return static_cast<T>(held);
          reject(*this, "a smaller one");
        }
        reject(*this, std::same_as<T, bool>          ? "true or false"
                      : std::same_as<T, std::string> ? "text"
                                                     : "a number");
      },
      value_);
}

template bool Json::get() const;
template int Json::get() const;
template long Json::get() const;
template std::size_t Json::get() const;
template double Json::get() const;
template std::string Json::get() const;

std::size_t Json::size() const {
  if (is_array()) return std::get<Array>(value_).size();
  if (is_object()) return std::get<Object>(value_).size();
  return is_null() ? 0 : 1;
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

const Json& Json::at(std::size_t index) const {
  if (index < static_cast<std::size_t>(end() - begin())) return begin()[index];
  throw JsonError(fmt::format("A JSON array of {} has no element {}.", size(), index));
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
  const auto negative = [](const Json& json) { return json.get<double>() < 0; };
  if (negative(a) || negative(b)) return a.value_ == b.value_;
  return a.get<std::size_t>() == b.get<std::size_t>();
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump(-1, BadUtf8::replace);
}

}  // namespace vic
