#include "base/json_text.h"

#include <nlohmann/json.hpp>

namespace vic {
namespace {

using Library = nlohmann::json;

// hands the library's tokens on
class Adapter : public Library::json_sax_t {
 public:
  explicit Adapter(JsonEvents& events) : events_(events) {}

  bool null() override {
    events_.null();
    return true;
  }
  bool boolean(bool value) override {
    events_.boolean(value);
    return true;
  }
  bool number_integer(std::int64_t number) override {
    events_.negative(number);
    return true;
  }
  bool number_unsigned(std::uint64_t number) override {
    events_.whole(number);
    return true;
  }
  bool number_float(double number, const std::string&) override {
    events_.real(number);
    return true;
  }
  bool string(std::string& text) override {
    events_.string(std::move(text));
    return true;
  }
  bool start_array(std::size_t) override {
    events_.begin_array();
    return true;
  }
  bool end_array() override {
    events_.end_array();
    return true;
  }
  bool start_object(std::size_t) override {
    events_.begin_object();
    return true;
  }
  bool key(std::string& key) override {
    events_.key(std::move(key));
    return true;
  }
  bool end_object() override {
    events_.end_object();
    return true;
  }
  // only binary formats have these
  bool binary(Library::binary_t&) override { return false; }
  bool parse_error(std::size_t byte, const std::string&, const Library::exception& error) override {
    events_.error(byte, error.what());
    return false;
  }

 private:
  JsonEvents& events_;
};

constexpr std::size_t deepest = 1000;

// Makes a value of the tokens of a text.
class Builder : public JsonEvents {
 public:
  Json root;

  void null() override { put(nullptr); }
  void boolean(bool value) override { put(value); }
  void negative(std::int64_t number) override { put(number); }
  void whole(std::uint64_t number) override { put(number); }
  void real(double number) override { put(number); }
  void string(std::string text) override { put(std::move(text)); }
  void begin_array() override { open(put(Json::array())); }
  void begin_object() override { open(put(Json::object())); }
  void key(std::string key) override { member_ = &(*open_.back())[key]; }
  void end_array() override { open_.pop_back(); }
  void end_object() override { open_.pop_back(); }
  void error(std::size_t, const std::string& message) override { throw JsonError(message); }

 private:
  Json& put(Json value) {
    if (open_.empty()) return root = std::move(value);
    if (open_.back()->is_array()) return open_.back()->push_back(std::move(value));
    return *member_ = std::move(value);
  }

  // values are copied, written and destroyed by recursion: a hostile text must not exhaust the
  // stack
  void open(Json& value) {
    if (open_.size() == deepest) {
      throw JsonError(fmt::format("The JSON is nested more than {} deep.", deepest));
    }
    open_.push_back(&value);
  }

  std::vector<Json*> open_;  // the arrays and objects around the next token, outermost first
  Json* member_ = nullptr;   // where the next value of the innermost object goes
};

// the line that follows an opening bracket or a comma, nothing where all is on one line
void new_line(std::string& out, int indent, int level) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
}

}  // namespace

void read_json(std::string_view text, JsonEvents& events) {
  Adapter adapter(events);
  Library::sax_parse(text.begin(), text.end(), &adapter);
}

std::string quoted_json(const std::string& text, BadUtf8 bad) {
  using Handler = Library::error_handler_t;
  try {
    return Library(text).dump(-1, ' ', /*ensure_ascii=*/false,
                              bad == BadUtf8::reject ? Handler::strict : Handler::replace);
  } catch (const Library::exception& error) {
    throw JsonError(error.what());
  }
}

std::string number_json(double number) {
  return Library(number).dump();
}

Json Json::parse(std::string_view text) {
  Builder builder;
  read_json(text, builder);
  return std::move(builder.root);
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
  // the brackets, and between them what `element` writes of each
  const auto list = [&](const auto& elements, const char* brackets, const auto& element) {
    out += brackets[0];
    const char* separator = "";
    for (const auto& one : elements) {
      out += separator;
      new_line(out, indent, level + 1);
      element(one);
      separator = ",";
    }
    if (!elements.empty()) new_line(out, indent, level);
    out += brackets[1];
  };
  if (const auto* array = std::get_if<Array>(&value_)) {
    list(*array, "[]", [&](const Json& one) { one.write(out, indent, level + 1, bad); });
  } else if (const auto* object = std::get_if<Object>(&value_)) {
    list(*object, "{}", [&](const Member& member) {
      out += quoted_json(member.first, bad) + (indent < 0 ? ":" : ": ");
      member.second.write(out, indent, level + 1, bad);
    });
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    out += quoted_json(*text, bad);
  } else if (const auto* real = std::get_if<double>(&value_)) {
    out += number_json(*real);
  } else if (const auto* number = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*number);
  } else if (const auto* whole = std::get_if<std::uint64_t>(&value_)) {
    out += std::to_string(*whole);
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out += *truth ? "true" : "false";
  } else {
    out += "null";
  }
}

}  // namespace vic
