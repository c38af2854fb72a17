// JSON text token by token: for base/json.h, and for readers that must not build a tree of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace vic {

// Receives the tokens of a JSON text in their order. An exception ends the reading.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;

  virtual void null() = 0;
  virtual void boolean(bool value) = 0;
  virtual void negative(std::int64_t number) = 0;  // a whole number below 0
  virtual void whole(std::uint64_t number) = 0;    // the other whole numbers
  virtual void real(double number) = 0;            // finite
  virtual void string(std::string text) = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void begin_object() = 0;
  virtual void key(std::string key) = 0;
  virtual void end_object() = 0;
  // Where the text is not JSON; nothing follows. `byte` counts from 1.
  virtual void error(std::size_t byte, const std::string& message) = 0;
};

// Reads the text, in time and memory proportional to its length and without recursion. It must be
// one value; a byte order mark before it is skipped.
void read_json(std::string_view text, JsonEvents& events);

// The text between JSON's quotes, with its escapes. Throws a JsonError where it is not UTF-8.
std::string quoted_json(const std::string& text, BadUtf8 bad = BadUtf8::reject);

// The shortest digits that read back as the same double, always with a point or an exponent; null
// where it is not finite.
std::string number_json(double number);

}  // namespace vic
