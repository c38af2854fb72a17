// vic reproduce: a figure of the paper, from the first update to the verdict.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/closest.h"
#include "cli/sweep_command.h"
#include "experiment/verdict.h"
#include "report/page/page.h"

namespace vic {
namespace {

// the experiments of the house, by name
std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  std::error_code status;
  for (const auto& file : std::filesystem::directory_iterator(VIC_EXPERIMENTS, status)) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// a file of the user's, or one of the house's by its name
std::string find_experiment(const std::string& name) {
  if (name.ends_with(".toml")) return name;
  const std::vector<std::string> names = experiment_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    fail_usage("There is no experiment '{}'{}", name, suggestion(name, names));
  }
  return fmt::format("{}/{}.toml", VIC_EXPERIMENTS, name);
}

std::string measured_text(const Verdict& verdict) {
  if (std::isnan(verdict.measured)) return verdict.measured_as;
  return fmt::format("{:.4f} ({} of {})", verdict.measured, verdict.measured_as, verdict.seeds);
}

std::string verdict_word(bool pass, const Console& console) {
  const char* word = pass ? "PASS" : "FAIL";
  if (!console.colour) return word;
  return fmt::format("\x1b[{}m{}\x1b[0m", pass ? "32" : "1;31", word);
}

void print_verdicts(const std::vector<Verdict>& verdicts, const Console& console) {
  std::string claim;
  for (const Verdict& verdict : verdicts) {
    if (verdict.claim != claim) {
      claim = verdict.claim;
      fmt::print(console.out, "\n{}: {} {}\n", claim, verdict.measure, verdict.wanted);
    }
    fmt::print(console.out, "  {:<20} {:<23} {:>21}  {}\n", verdict.group, verdict.algorithm,
               measured_text(verdict), verdict_word(verdict.pass, console));
  }
}

Json verdicts_json(const std::vector<Verdict>& verdicts) {
  Json list = Json::array();
  for (const Verdict& v : verdicts) {
    list.push_back({{"claim", v.claim},
                    {"group", v.group},
                    {"algorithm", v.algorithm},
                    {"measure", v.measure},
                    {"wanted", v.wanted},
                    {"measured", std::isnan(v.measured) ? Json(nullptr) : Json(v.measured)},
                    {"measured_as", v.measured_as},
                    {"seeds", v.seeds},
                    {"pass", v.pass}});
  }
  return list;
}

void write_report(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                  const std::string& path, const SweepOptions& options) {
  PageOptions page;
  page.title = experiment.title;
  page.version = VIC_VERSION;
  page.command =
      fmt::format("./vic reproduce {}", std::filesystem::path(options.file).stem().string());
  for (const Verdict& v : verdicts) {
    page.claims.push_back({fmt::format("{}: {}, {}", v.claim, v.group, v.algorithm),
                           measured_text(v), fmt::format("{} {}", v.measure, v.wanted), v.pass});
  }
  write_page(path, read_report({options.folder()}), page);
}

void run_reproduce(SweepOptions options, const Console& console) {
  options.file = find_experiment(options.file);
  const Experiment experiment = load_experiment(options);
  sweep_and_watch(experiment, options, console);

  // a few updates prove nothing: the quick form has no verdict
  const std::string folder = options.folder();
  std::vector<Verdict> verdicts = judge(experiment, read_evaluations(experiment, folder));
  if (options.quick) verdicts.clear();
  const std::string page = folder + "/report.html";
  write_report(experiment, verdicts, page, options);
  const auto failed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return !verdict.pass; });
  if (options.common.json) {
    const Json json = {{"title", experiment.title},
                       {"folder", folder},
                       {"report", page},
                       {"claims", verdicts_json(verdicts)}};
    fmt::print(console.out, "{}\n", json.dump(2));
  } else {
    fmt::print(console.out, "{}\n", experiment.title);
    print_verdicts(verdicts, console);
    fmt::print(console.out, "\n{} runs, {}; the page is {}\n", experiment.runs.size(),
               options.quick
                   ? "too short for claims"
                   : fmt::format("{} of {} claims hold", verdicts.size() - failed, verdicts.size()),
               page);
  }
  if (failed > 0) {
    console.out.flush();
    throw Error(fmt::format("{} of {} claims do not hold.", failed, verdicts.size()));
  }
}

}  // namespace

Action declare_reproduce(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  app.add_option(
         "figure", options->file,
         fmt::format("{}, or an experiment of yours (.toml)", fmt::join(experiment_names(), ", ")))
      ->type_name("FIGURE")
      ->required();
  options->add_to(app);
  return [options](const Console& console) { run_reproduce(*options, console); };
}

}  // namespace vic
