// Environments written in Python as simulated worlds: the family of names "gymnasium:ID". The
// package makes the environments and steps a batch of them in one call; this file adapts them to
// the rest of the program.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "core.h"
#include "sim/world.h"

namespace vic::python {
namespace {

constexpr std::string_view prefix = "gymnasium:";

struct EnvironmentSettings {
  int T = 100;
  int levels = 5;
  std::string cells;
  int seed = -1;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T", T, Range{1, 100000}, "actions of an option");
    field("levels", levels, Range{2, 1000}, "levels of an action that is a number");
    field("cells", cells, Range{}, "the numbers that cells are made of, and widths: \"0:0.5 3:1\"");
    field("seed", seed, Range{-1, 2147483647},
          "of every reset, which makes the world deterministic; -1: each option has its own");
  }
};

// A Python object that may be released by any thread.
class Held {
 public:
  explicit Held(py::object object) : object_(std::move(object)) {}
  ~Held() {
    const py::gil_scoped_acquire acquire;
    object_ = py::object();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  py::object attr(const char* name) const { return object_.attr(name); }

 private:
  py::object object_;
};

// B environments that step together. They keep their own state: snapshots hold the observations
// only, and cannot be restored.
class EnvironmentEpisodes : public Episodes {
 public:
  EnvironmentEpisodes(const SimulatorSpec& spec, int B, py::object batch)
      : Episodes(spec, B, 1), spec_(spec), batch_(std::move(batch)) {}

 protected:
  void advance(int, std::span<double>, std::span<const double>, const RandomAddress&) override {}

  void begin_all(RandomAddress noise) override {
    std::vector<std::int64_t> seeds;
    for (int b = 0; b < B(); ++b, ++noise.row) {
      seeds.push_back(static_cast<std::int64_t>(uniform(noise) * 2147483648.0));
    }
    const py::gil_scoped_acquire acquire;
    take(batch_.attr("reset")(array(std::move(seeds))), 0);
  }

  void advance_all(std::span<const int> levels) override {
    if (actions_taken(0) == spec_.T) {
      fail_usage("An option in {} takes {} actions, and no more.", spec_.name, spec_.T);
    }
    const py::gil_scoped_acquire acquire;
    const py::array_t<int> chosen({B(), spec_.F()}, levels.data());
    take(batch_.attr("step")(chosen), actions_taken(0) + 1);
  }

 private:
  // the observations (B, n) become the states
  void take(const py::object& returned, int taken) {
    const auto states = returned.cast<py::array_t<double, py::array::c_style>>();
    const auto n = static_cast<std::size_t>(spec_.n());
    require(states.size() == static_cast<py::ssize_t>(B() * n),
            "The environments of {} returned {} numbers in place of {}.", spec_.name, states.size(),
            B() * n);
    for (int b = 0; b < B(); ++b) {
      const std::span<double> to = snapshot(b);
      to[0] = taken;
      std::copy_n(states.data() + static_cast<std::size_t>(b) * n, n, to.begin() + 1);
    }
  }

  const SimulatorSpec& spec_;
  Held batch_;
};

SimulatorSpec spec_of(const py::object& source) {
  const py::dict from = source.attr("specification")();
  SimulatorSpec spec;
  spec.name = file_name(from["name"].cast<std::string>());
  spec.state_names = from["state_names"].cast<std::vector<std::string>>();
  spec.start = from["start"].cast<std::vector<double>>();
  spec.T = from["T"].cast<int>();
  spec.deterministic = from["deterministic"].cast<bool>();
  // one call of Python for all options
  spec.together = true;
  for (const auto& [name, controls] :
       from["actuators"].cast<std::vector<std::pair<std::string, std::vector<double>>>>()) {
    spec.actuators.push_back({name, controls});
  }
  using Axis = std::tuple<int, double, int>;
  for (const auto& [number, width, limit] : from["cells"].cast<std::vector<Axis>>()) {
    spec.coordinates.push_back({.name = spec.state_names.at(static_cast<std::size_t>(number)),
                                .unit = "",
                                .bins = {.width = width},
                                .limit = limit,
                                .code_scale = 0.1 / width,
                                .number = number});
  }
  return spec;
}

class EnvironmentWorld : public Simulator {
 public:
  explicit EnvironmentWorld(const py::object& source)
      : Simulator(spec_of(source)), source_(source) {}

  std::unique_ptr<Episodes> make_episodes(int B, int) const override {
    const py::gil_scoped_acquire acquire;
    return std::make_unique<EnvironmentEpisodes>(spec(), B, source_.attr("batch")(B));
  }

 private:
  Held source_;
};

// the package's function that makes the source for a name; for the lifetime of the process
py::handle make_source;

SimulatorPtr load_environment(const std::string& name, Overrides& overrides, const std::string&) {
  EnvironmentSettings settings;
  overrides.apply("world", settings);
  const py::gil_scoped_acquire acquire;
  const py::object source = make_source(name.substr(prefix.size()), settings.T, settings.levels,
                                        settings.cells, settings.seed);
  return std::make_shared<const EnvironmentWorld>(source);
}

}  // namespace

void add_simulators(py::module_& module) {
  module.def("set_environments", [](const py::function& make) {
    if (!make_source) {
      register_simulators(
          {.name = "Gymnasium",
           .entries = {},
           .is_file = [](const std::string& name) { return name.starts_with(prefix); },
           .settings = [](const std::string&) { return describe("world", EnvironmentSettings{}); },
           .load = load_environment});
    }
    make_source = py::object(make).release();
  });
}

}  // namespace vic::python
