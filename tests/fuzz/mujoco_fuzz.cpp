// Any text is either a model whose parts fit together, or one clean line. MuJoCo itself is compiled
// without sanitizers and coverage: the search is for a crash, a file that is opened, or a model
// that costs too much.
#include <cstdint>
#include <string_view>

#include "require.h"
#include "sim/mujoco/mujoco_model.h"

// an error that leaves the compiler of models leaks its memory
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const vic::MujocoModel model = vic::make_mujoco_model("m.xml", text, {});
    const vic::SimulatorSpec& spec = model.spec;
    vic::require(spec.F() > 0 && spec.L() > 0 && spec.seconds > 0);
    vic::require(spec.state_names.size() == spec.start.size());
    for (const vic::Actuator& one : spec.actuators)
      vic::require(static_cast<int>(one.controls.size()) == spec.L());
    for (const std::string& name : spec.state_names) vic::require(!vic::has_control(name));
    vic::make_data(model);
  } catch (const vic::UsageError& error) {
    const std::string_view message = error.what();
    vic::require(!vic::has_control(message) && message.size() < 2000);
  }
  return 0;
}
