// Shared by the files of the Python module: arrays without copies, work that Ctrl-C ends, and the
// parts that each file adds to the module.
#pragma once

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"

namespace vic::python {

namespace py = pybind11;

// Settings in the form of the package: ("world.noise", "0.2").
using SettingPairs = std::vector<std::pair<std::string, std::string>>;
std::vector<Assignment> assignments(const SettingPairs& settings);

// The settings of a section, for work that `stop` ends.
template <class Settings>
Settings read_settings(const std::string& section, const SettingPairs& pairs, Stop stop = {}) {
  Overrides overrides(assignments(pairs));
  Settings out;
  overrides.apply(section, out);
  overrides.finish();
  out.stop = stop;
  return out;
}

using Shape = std::vector<py::ssize_t>;

// An array that takes over the numbers.
template <class T>
py::array_t<T> array(std::vector<T> numbers, Shape shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(numbers));
  const T* data = kept->data();
  py::capsule owner(kept.get(), [](void* list) { delete static_cast<std::vector<T>*>(list); });
  kept.release();
  return py::array_t<T>(std::move(shape), data, owner);
}

// The same with one dimension.
template <class T>
py::array_t<T> array(std::vector<T> numbers) {
  const auto size = static_cast<py::ssize_t>(numbers.size());
  return array(std::move(numbers), {size});
}

// A read-only array that views numbers of an object, which it keeps alive.
template <class T>
py::array_t<T> view(const std::vector<T>& numbers, Shape shape, py::handle owner) {
  py::array_t<T> shown(std::move(shape), numbers.data(), owner);
  shown.attr("setflags")(py::arg("write") = false);
  return shown;
}

// Calls `work` on a separate thread, without the interpreter's lock, and returns when it has ended.
// Meanwhile this thread checks for signals: Ctrl-C is a request to stop, after which the signal's
// exception, KeyboardInterrupt, is thrown. Exceptions of the work are thrown here.
void run_interruptible(const std::function<void(StopRequest& stop)>& work);

// The same for work that returns something.
template <class Work>
auto interruptible(const Work& work) {
  std::optional<decltype(work(Stop()))> result;
  run_interruptible([&](StopRequest& stop) { result.emplace(work(Stop(stop))); });
  return std::move(*result);
}

// None if it is not known.
template <class Value>
py::object maybe(const std::optional<Value>& value) {
  return value ? py::cast(*value) : py::none();
}

// The parts of the module, by file.
void add_worlds(py::module_& module);
void add_exact(py::module_& module);
void add_training(py::module_& module);
void add_runs(py::module_& module);
void add_executions(py::module_& module);
void add_simulators(py::module_& module);
void add_episodes(py::module_& module);
void add_verdicts(py::module_& module);

}  // namespace vic::python
