// World files as texts in a test, and the expected errors.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "world/world_file.h"

namespace vic {

// A file with a mistake in it, and the one-line error that it must cause.
struct Mistake {
  std::string text;
  std::string error;
};

// The world of this text, which errors call "w.toml", with these assignments "key=value".
inline TabularWorld parse_world(const std::string& text,
                                const std::vector<std::string>& settings = {}) {
  std::vector<Assignment> assignments;
  assignments.reserve(settings.size());
  for (const std::string& setting : settings) assignments.push_back(parse_assignment(setting));
  Overrides overrides(assignments);
  TabularWorld world = parse_world_file(text, "w.toml", overrides);
  overrides.finish();
  return world;
}

// The error that the text causes; "" if it is a world.
inline std::string error_of(const std::string& text,
                            const std::vector<std::string>& settings = {}) {
  try {
    parse_world(text, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// `text` with the first `from` in it replaced; the test fails if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "there is no '" << from << "' to replace";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Expects every text to cause its error, and every error to be one clean line.
inline void expect_errors(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    const std::string error = error_of(mistake.text);
    EXPECT_EQ(error, mistake.error);
    EXPECT_FALSE(has_control(error));
    EXPECT_LT(error.size(), 400U);
  }
}

}  // namespace vic
