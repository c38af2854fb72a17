// Any text is either settings from which a run can be made and which can be written again, or one
// clean sentence.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/file_value.h"
#include "base/settings.h"
#include "method/settings.h"
#include "require.h"
#include "run/run_folder.h"

namespace {

// like make_run, without the world and the nets, which take as much memory as settings demand
std::vector<vic::Assignment> resolve(std::vector<vic::Assignment> assignments) {
  vic::Overrides overrides(std::move(assignments));
  vic::RunSettings run;
  vic::TrainSettings train;
  overrides.apply("run", run);
  overrides.apply("train", train);
  overrides.finish();
  return overrides.resolved();
}

std::vector<vic::Assignment> parse(std::string_view text) {
  return vic::FileValue::parse_toml(text, "s.toml").assignments();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<vic::Assignment> resolved;
  try {
    resolved = resolve(parse({reinterpret_cast<const char*>(data), size}));
  } catch (const vic::UsageError& error) {
    const std::string_view message = error.what();
    vic::require(message.starts_with("s.toml") && !vic::has_control(message));
    return 0;
  }
  // accepted settings are the same after a run's folder has kept them
  const std::string text = vic::settings_text(resolved);
  vic::require(vic::settings_text(resolve(parse(text))) == text);
  return 0;
}
