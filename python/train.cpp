// Training for Python: like vic train, with a callback for its progress.
#include <fmt/format.h>

#include <memory>

#include "core.h"
#include "eval/reference.h"
#include "run/run_from.h"
#include "run/training.h"

namespace vic::python {
namespace {

// Callbacks: Python functions, called with the interpreter's lock.
struct Watch {
  py::object
      progress;       // (update, updates, I_hat), or None; it ends the training by returning False
  int every = 10;     // updates between two calls
  py::function warn;  // (sentence)
};

Warn warn_by(const Watch& watch) {
  return [&watch](const std::string& sentence) {
    const py::gil_scoped_acquire acquire;
    watch.warn(sentence);
  };
}

// whether to go on
bool tell(const Watch& watch, const Learner& learner) {
  const py::gil_scoped_acquire acquire;
  const py::object answer =
      watch.progress(learner.state().update, learner.settings().all_updates(), learner.I_hat());
  return !answer.is(py::bool_(false));
}

void finish(Training& training, const Watch& watch, StopRequest& stop) {
  const long all = training.updates();
  const bool shown = !watch.progress.is_none();
  const Reference reference = find_reference(training.run, {}, {}, Stop(stop));
  vic::train(training, reference,
             {.progress =
                  [&](const Learner& learner) {
                    const long update = learner.state().update;
                    if (!shown || (update % watch.every != 0 && update != all)) return;
                    if (!tell(watch, learner)) stop.wanted = true;
                  },
              .warn = warn_by(watch),
              .stop = Stop(stop)});
}

std::string folder_of(const Run& run) {
  const TrainSettings& settings = run.learner->settings();
  return fmt::format("runs/{}-{}-{}", world_name(run.world), settings.algorithm, settings.seed);
}

// a new run, in the world of run.world or, if that is a table from Python, of world.toml in the
// folder `copy`; begun with the weights of the run `from`, unless that is empty
std::string train(const SettingPairs& settings, const std::string& copy, const std::string& from,
                  const std::string& out, bool force, const Watch& watch) {
  std::string folder = out;
  run_interruptible([&](StopRequest& stop) {
    const std::vector<Assignment> set = assignments(settings);
    Run run =
        from.empty() ? make_run(Overrides(set), copy) : make_run_from(from, set, warn_by(watch));
    if (folder.empty()) folder = folder_of(run);
    const Existing existing = force ? Existing::replace : Existing::keep;
    Training training = begin_training(std::move(run), folder, existing);
    finish(training, watch, stop);
  });
  return folder;
}

void resume(const std::string& folder, const Watch& watch) {
  run_interruptible([&](StopRequest& stop) {
    Training training = resume_training(folder, warn_by(watch));
    if (!is_finished(training)) finish(training, watch, stop);
  });
}

}  // namespace

void add_training(py::module_& module) {
  py::class_<Watch>(module, "Watch")
      .def(py::init([](py::object progress, int every, py::function warn) {
        return Watch{std::move(progress), every, std::move(warn)};
      }));
  module.def("train", train);
  module.def("resume", resume);
}

}  // namespace vic::python
