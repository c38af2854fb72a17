// Programs of bench/ in Python, which other tools are measured with: processes of their own.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace vic {

// The JSON that bench/NAME prints when `python` runs it. Throws an Error with the last line that it
// wrote to stderr where it fails: the programs say there what is missing.
Json run_script(const std::string& python, const std::string& name,
                const std::vector<std::string>& arguments);

// Throws a UsageError where the file cannot be a Python that has this package.
void require_python(const std::string& python, const char* package);

}  // namespace vic
