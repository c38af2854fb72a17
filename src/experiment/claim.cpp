#include "experiment/claim.h"

#include <algorithm>
#include <cmath>

#include "base/file_value.h"
#include "base/text.h"
#include "eval/measures.h"
#include "experiment/experiment.h"

namespace vic {
namespace {

template <class Value>
bool contains(const std::vector<Value>& list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

// one measure, or the ratio of two; `also` is allowed besides those of an evaluation
std::string read_measure(const FileValue& value, const std::string& also) {
  std::vector<std::string> known = measure_names();
  known.push_back(also);
  const std::string text = value.text();
  const std::size_t slash = text.find(" / ");
  const auto check = [&](const std::string& name) {
    if (contains(known, name)) return;
    value.fail("{} = \"{}\" measures '{}', which is not known{}", value.key(), shown(text),
               shown(name), suggestion(name, known));
  };
  check(text.substr(0, slash));
  if (slash != std::string::npos) check(text.substr(slash + 3));
  return text;
}

template <class Enum>
void read_choice(const FileValue& value, Enum& choice) {
  if (!value) return;
  const std::string name = value.text();
  const auto& names = names_of<Enum>;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) value.reject(fmt::format("\"{}\" or \"{}\"", names[0], names[1]));
  choice = static_cast<Enum>(found - names.begin());
}

void read_subject(const FileValue& keys, Claim& claim) {
  claim.text = keys["text"].text();
  if (const FileValue source = keys["source"]) claim.source = source.text();
  if (const FileValue see = keys["see"]) claim.see = see.text();
  if (const FileValue groups = keys["groups"]) claim.groups = read_names(groups);
  if (const FileValue names = keys["algorithms"]) claim.algorithms = read_names(names);
  if (const FileValue given = keys["settings"]) claim.settings = read_settings(given);
}

void read_quantity(const FileValue& keys, Claim& claim) {
  claim.measure = read_measure(keys["measure"], "updates");
  if (const FileValue until = keys["until"]) {
    claim.until = read_measure(until, "I_hat");
    claim.level = keys["level"].number(Range{});
  }
  if ((claim.measure == "updates") != !claim.until.empty()) {
    keys["measure"].fail("the measure \"updates\" and the key until go together.");
  }
  if (const FileValue versus = keys["versus"]) claim.versus = versus.name();
  if (const FileValue group = keys["versus_group"]) claim.versus_group = group.name();
  read_choice(keys["compare"], claim.compare);
  if (const FileValue setting = keys["against"]) claim.against = setting.name();
}

// a claim about no run at all is a mistake in the file
void check_subject(const FileValue& value, const Claim& claim, const std::vector<RunPlan>& runs) {
  const auto is_known = [&](auto&& test) { return std::ranges::any_of(runs, test); };
  if (!is_known([&](const RunPlan& run) { return claim.selects(run); })) {
    value.fail("this claim is about none of the runs; see its groups, algorithms and settings.");
  }
  if (!claim.versus.empty() && !is_known([&](const RunPlan& run) {
        return (run.algorithm == claim.versus || run.method() == claim.versus) &&
               (claim.versus_group.empty() || run.group == claim.versus_group);
      })) {
    value.fail("this claim compares with '{}', which is none of the runs.", shown(claim.versus));
  }
  if (!claim.against.empty() && is_known([&](const RunPlan& run) {
        return claim.selects(run) && !setting_of(run, claim.against);
      })) {
    value.fail("this claim needs a number for {} in the settings of all its runs.",
               shown(claim.against));
  }
}

}  // namespace

std::vector<std::string> read_names(const FileValue& value) {
  std::vector<std::string> names;
  for (const FileValue& element : value.list("a list of names")) names.push_back(element.name());
  return names;
}

Claim read_claim(const FileValue& value, const std::vector<RunPlan>& runs) {
  const FileValue& keys = value.table({"text", "source", "see", "groups", "algorithms", "settings",
                                       "measure", "until", "level", "versus", "versus_group",
                                       "compare", "against", "at_least", "at_most", "over"});
  Claim claim;
  read_subject(keys, claim);
  read_quantity(keys, claim);
  if (const FileValue bound = keys["at_least"]) claim.at_least = bound.number(Range{});
  if (const FileValue bound = keys["at_most"]) claim.at_most = bound.number(Range{});
  if (!keys["at_least"] && !keys["at_most"]) {
    value.fail("this claim has no bound; give it at_least, at_most or both.");
  }
  read_choice(keys["over"], claim.over);
  check_subject(value, claim, runs);
  return claim;
}

bool Claim::selects(const RunPlan& run) const {
  const auto has = [&](const Axis& axis) {
    const auto found = std::ranges::find(run.varied, axis.key, &Assignment::key);
    return found != run.varied.end() &&
           std::ranges::find(axis.choices, found->value, &Assignment::value) != axis.choices.end();
  };
  return (groups.empty() || contains(groups, run.group)) &&
         (algorithms.empty() || contains(algorithms, run.algorithm)) &&
         std::ranges::all_of(settings, has);
}

std::string Claim::quantity() const {
  std::string words = until.empty() ? measure : fmt::format("updates until {} is {}", until, level);
  if (!versus.empty()) {
    const std::string where = versus_group.empty() ? "" : fmt::format(" in {}", versus_group);
    words = fmt::format("{} {} {}{}", words,
                        compare == Comparison::ratio ? "divided by that of" : "minus that of",
                        versus, where);
  }
  return against.empty() ? words : fmt::format("slope of {} over {}", words, against);
}

std::string Claim::wanted() const {
  const bool least = std::isfinite(at_least), most = std::isfinite(at_most);
  if (least && most) return fmt::format("from {} to {}", at_least, at_most);
  return least ? fmt::format("at least {}", at_least) : fmt::format("at most {}", at_most);
}

std::optional<double> setting_of(const RunPlan& run, const std::string& key) {
  // the last assignment wins
  for (auto set = run.assignments.rbegin(); set != run.assignments.rend(); ++set) {
    if (set->key != key) continue;
    double number = 0;
    parse_setting(*set, Range{}, number);
    return number;
  }
  return std::nullopt;
}

}  // namespace vic
