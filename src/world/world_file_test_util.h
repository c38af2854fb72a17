// What the tests of world files share.
#pragma once

#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

// A file with a mistake in it, and the one line it must be answered with.
struct Mistake {
  std::string text;
  std::string error;
};

// The world of this text, which errors call "w.toml", with these assignments "key=value".
TabularWorld parse_world(const std::string& text, const std::vector<std::string>& settings = {});

// The message that the text is answered with; "" where it is a world.
std::string error_of(const std::string& text, const std::vector<std::string>& settings = {});

// `text` with the first `from` in it replaced; a test that looks for something not there fails.
std::string replaced(std::string text, const std::string& from, const std::string& to);

// Expects every text to be answered with its error, and every error to be one clean line.
void expect_errors(const std::vector<Mistake>& mistakes);

}  // namespace vic
