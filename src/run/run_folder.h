// A run: a world, settings and a learner, and the folder they are kept in.
//
//   settings.toml            every setting, resolved
//   world.toml               the world file, where the world came from one
//   metrics.jsonl            one line of Metrics every so many updates; no time or host in it
//   checkpoint.safetensors   the learner
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "method/learner.h"
#include "world/tabular.h"

namespace vic {

struct RunSettings {
  std::string world;
  std::string group;
  int metrics_every = 10;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("world", world, Range{}, "the world's name, or its file");
    field("group", group, Range{}, "what reports call its figure; the world where it is not said");
    field("metrics_every", metrics_every, Range{1, 1e9}, "updates between two lines of metrics");
  }
};

// A learner with the world it lives in.
struct Run {
  RunSettings settings;
  std::vector<Assignment> resolved;  // every setting, as settings.toml has it
  std::unique_ptr<TabularWorld> world;
  std::unique_ptr<Learner> learner;
};

// A run that has not begun, from what the user set: run.world, world.* and train.*. Throws a
// UsageError.
Run make_run(Overrides overrides);

// A run from its folder, its learner as in the checkpoint.
Run load_run(const std::string& folder);

// Writes settings and world into a new folder. Throws a UsageError where there is a run already.
void begin_run_folder(const Run& run, const std::string& folder);

// Writes the checkpoint, all of it or none.
void save_checkpoint(const Run& run, const std::string& folder);

// One line of metrics.jsonl.
std::string metrics_line(Metrics metrics);

}  // namespace vic
