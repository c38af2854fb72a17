// The Python module vic._core, on which the package vic is built. It is private to the package.
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <iostream>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "cli/program.h"
#include "core.h"

namespace vic::python {
namespace {

// the exceptions of the package, for the lifetime of the process
struct ErrorTypes {
  py::handle error, usage;
};
ErrorTypes error_types;

void raise(py::handle type, const std::exception& error) {
  PyErr_SetString(type.ptr(), shown(error.what(), std::string::npos).c_str());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Interrupted& error) {
    raise(PyExc_KeyboardInterrupt, error);
  } catch (const UsageError& error) {
    raise(error_types.usage, error);
  } catch (const Error& error) {
    raise(error_types.error, error);
  }
}

// runs a vic command like the program; returns what it writes to stdout
std::string command(const std::vector<std::string>& arguments, bool progress) {
  std::ostringstream out, nothing;
  run_interruptible([&](StopRequest& stop) {
    Console console{.out = out, .err = progress ? std::cerr : nothing};
    console.stop = Stop(stop);
    run_arguments(arguments, console);
  });
  return out.str();
}

// pybind11 before 2.12 expects the arrays of NumPy 1
void require_numpy() {
  const std::string version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (PYBIND11_VERSION_HEX >= 0x020C0000 || version.starts_with("1.")) return;
  throw py::import_error(
      fmt::format("This build of vic was compiled with pybind11 {}.{} and needs NumPy 1; this is "
                  "NumPy {}. pip install . builds one for it.",
                  PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR, version));
}

}  // namespace

std::vector<Assignment> assignments(const SettingPairs& settings) {
  std::vector<Assignment> list;
  for (const auto& [key, value] : settings) list.push_back({key, value, "settings"});
  return list;
}

void run_interruptible(const std::function<void(StopRequest& stop)>& work) {
  StopRequest request;
  std::exception_ptr failure;
  std::optional<py::error_already_set> signal;
  {
    const py::gil_scoped_release release;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread worker([&] {
      try {
        // the interpreter keeps the thread's state while it works: callbacks take the lock quickly
        const py::gil_scoped_acquire known;
        const py::gil_scoped_release without_lock;
        work(request);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_all();
    });
    constexpr std::chrono::milliseconds pause(50);
    for (std::unique_lock lock(mutex); !ended.wait_for(lock, pause, [&] { return done; });) {
      lock.unlock();
      {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
          signal.emplace();
          request.wanted = true;
        }
      }
      lock.lock();
    }
    worker.join();
  }
  if (signal) throw std::move(*signal);
  if (failure) std::rethrow_exception(failure);
}

PYBIND11_MODULE(_core, module) {
  module.doc() = "What the package vic is made of; use vic.";
  require_numpy();
  const py::module_ errors = py::module_::import("vic._errors");
  error_types = {py::object(errors.attr("Error")).release(),
                 py::object(errors.attr("UsageError")).release()};
  py::register_exception_translator(translate);
  module.attr("version") = VIC_VERSION;
  module.def("command", command);
  add_worlds(module);
  add_exact(module);
  add_training(module);
  add_runs(module);
  add_executions(module);
  add_simulators(module);
  add_episodes(module);
  add_verdicts(module);
}

}  // namespace vic::python
