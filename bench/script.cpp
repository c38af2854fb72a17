#include "bench/script.h"

#include <filesystem>

#include "base/data_folder.h"
#include "base/error.h"
#include "base/spawn.h"
#include "base/text.h"

namespace vic {

Json run_script(const std::string& python, const std::string& name,
                const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {python, (data_folder() / "bench" / name).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::optional<Output> output = run_and_read(words);
  if (!output) throw Error(fmt::format("Cannot start {}: there is no such program.", python));
  if (output->code != 0) {
    std::string_view text = output->err;
    while (text.ends_with('\n')) text.remove_suffix(1);
    const std::string_view last = text.substr(text.rfind('\n') + 1);
    throw Error(fmt::format("bench/{} failed: {}", name,
                            last.empty() ? "it does not say why." : shown(last, 300)));
  }
  return Json::parse(output->out);
}

void require_python(const std::string& python, const char* package) {
  if (std::filesystem::is_regular_file(python)) return;
  fail_usage("{} is not a program; name a Python that has {}, as in venv/bin/python.", python,
             package);
}

}  // namespace vic
