// vic reproduce: a figure of the paper, from the first update to the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/closest.h"
#include "base/print.h"
#include "cli/sweep_command.h"
#include "experiment/verdict.h"
#include "report/page/page.h"

namespace vic {
namespace {

// the experiments that come with the program, by name
std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  std::error_code status;
  for (const auto& file : std::filesystem::directory_iterator(VIC_EXPERIMENTS, status)) {
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// a file of the user's, or an experiment of ours by its name
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
  if (console.palette == Palette::plain) return word;
  return fmt::format("\x1b[{}m{}\x1b[0m", pass ? "32" : "1;31", word);
}

void print_verdicts(const std::vector<Verdict>& verdicts, const Console& console) {
  std::string claim;
  for (const Verdict& verdict : verdicts) {
    if (verdict.claim != claim) {
      claim = verdict.claim;
      print(console.out, "\n{}: {} {}\n", claim, verdict.measure, verdict.wanted);
    }
    print(console.out, "  {:<20} {:<23} {:>21}  {}\n", verdict.group, verdict.algorithm,
          measured_text(verdict), verdict_word(verdict.pass, console));
  }
}

void write_report(const Experiment& experiment, const std::string& path,
                  const SweepOptions& options) {
  PageOptions page;
  page.title = experiment.title;
  page.version = VIC_VERSION;
  page.command =
      fmt::format("./vic reproduce {}", std::filesystem::path(options.file).stem().string());
  if (!options.quick) page.claims = read_claims({options.folder()});
  write_page(path, read_report({options.folder()}), page);
}

// the experiment with its verdicts, for people
void print_experiment(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                      const std::string& page, const SweepOptions& options,
                      const Console& console) {
  const auto passed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return verdict.pass; });
  print(console.out, "{}\n", experiment.title);
  print_verdicts(verdicts, console);
  print(console.out, "\n{} runs, {}; the page is {}\n", experiment.runs.size(),
        options.quick ? "too short for claims"
                      : fmt::format("{} of {} claims hold", passed, verdicts.size()),
        page);
}

void run_reproduce(SweepOptions options, const UserSettings& given, const Console& console) {
  options.file = find_experiment(options.file);
  const Experiment experiment = load_experiment(options, given);
  sweep_and_watch(experiment, options, console);

  // a few updates prove nothing: the quick form has no verdict
  const std::string folder = options.folder();
  std::vector<Verdict> verdicts = test_claims(experiment, read_evaluations(experiment, folder));
  if (options.quick) verdicts.clear();
  if (!verdicts.empty()) write_verdicts(experiment, verdicts, folder);
  const std::string page = folder + "/report.html";
  write_report(experiment, page, options);
  const auto json = [&] {
    return Json{{"title", experiment.title},
                {"folder", folder},
                {"report", page},
                {"claims", verdicts_json(verdicts)}};
  };
  console.show(json, [&] { print_experiment(experiment, verdicts, page, options, console); });
  const auto failed = std::count_if(verdicts.begin(), verdicts.end(),
                                    [](const Verdict& verdict) { return !verdict.pass; });
  if (failed > 0) {
    console.out.flush();
    throw Error(fmt::format("{} of {} claims do not hold.", failed, verdicts.size()));
  }
}

}  // namespace

Action declare_reproduce(Arguments& arguments) {
  auto options = std::make_shared<SweepOptions>();
  arguments.positional(
      "figure", options->file, Need::required,
      fmt::format("{}, or an experiment of yours (.toml)", fmt::join(experiment_names(), ", ")));
  options->add_to(arguments);
  return [options](const UserSettings& settings, const Console& console) {
    run_reproduce(*options, settings, console);
  };
}

}  // namespace vic
