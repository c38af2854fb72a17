#include "serve/live_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/process.h"
#include "base/text.h"
#include "report/figures/palette.h"
#include "report/page/page_parts.h"
#include "report/report_files.h"
#include "serve/guard.h"
#include "serve/serve_files.h"
#include "serve/start_request.h"

namespace vic {
namespace {

// refreshing may take this share of a processor, and is no more frequent than this
constexpr double look_share = 0.05;
constexpr std::chrono::milliseconds look_pause{1000}, heart{5000};

HttpResponse json_response(const std::string& text, int status = 200) {
  return {.status = status, .type = "application/json", .body = text};
}

HttpResponse fault(int status, const std::string& sentence) {
  return json_response(Json{{"error", sentence}}.dump(-1, BadUtf8::replace), status);
}

}  // namespace

LivePage::LivePage(LiveOptions options)
    : options_(std::move(options)), list_({options_.root}), sections_(options_.root) {
  look();
  sent_ = rows_;
}

std::string LivePage::name_of_run(const std::string& folder) const {
  return shown(std::filesystem::path(folder).lexically_relative(options_.root).string(),
               std::string::npos);
}

void LivePage::look() {
  looked_ = Clock::now();
  runs_ = list_.refresh();
  rows_.clear();
  for (const RunStatus& run : runs_) {
    Json json = status_json(run);
    json["name"] = name_of_run(run.folder);
    rows_[name_of_run(run.folder)] = json.dump(-1, BadUtf8::replace);
  }
}

void LivePage::freshen() {
  // while streams are open, news() refreshes
  if (Clock::now() - looked_ > 3 * look_pause) look();
}

Json LivePage::changes(const std::map<std::string, std::string>& before) const {
  Json gone = Json::array();
  std::string changed;
  for (const auto& [name, row] : rows_) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == row) continue;
    changed += (changed.empty() ? "" : ",") + row;
  }
  for (const auto& [name, row] : before) {
    if (!rows_.contains(name)) gone.push_back(name);
  }
  return {{"changed", Json::parse("[" + changed + "]")}, {"gone", gone}};
}

std::string LivePage::news() {
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return "";
  const Stopwatch watch;
  look();
  std::string events;
  const auto add = [&](const char* name, const Json& data) {
    events += event_text(name, data.dump(-1, BadUtf8::replace), ++event_);
  };
  if (sent_ != rows_) add("runs", changes(std::exchange(sent_, rows_)));
  for (const auto& [name, code, words] : children_.ended()) {
    if (code == 0 || code == 143) continue;  // done, or stopped on request
    add("ended", {{"name", name}, {"code", code}, {"words", shown(words, std::string::npos)}});
  }
  if (const long made = evaluations_.made(); made != evaluations_sent_) {
    add("evaluated", {{"made", made}});
    evaluations_sent_ = made;
  }
  // a page that receives nothing for a while knows that the server is gone
  if (events.empty() && now >= next_beat_) add("beat", Json::object());
  if (!events.empty()) next_beat_ = now + heart;
  const std::chrono::duration<double> pause(watch.processor_seconds() / look_share);
  next_look_ = Clock::now() + std::max<Clock::duration>(
                                  look_pause, std::chrono::duration_cast<Clock::duration>(pause));
  return events;
}

const RunStatus& LivePage::named_run(const HttpRequest& request) const {
  const std::string* name = request.parameter("run");
  // only runs found below the folder have names: no path from a request is ever opened
  const auto found = std::ranges::find_if(runs_, [&](const RunStatus& run) {
    return name != nullptr && name_of_run(run.folder) == *name;
  });
  if (found == runs_.end()) {
    fail_usage("There is no run '{}' here.", name == nullptr ? "" : shown(*name));
  }
  return *found;
}

HttpResponse LivePage::page() const {
  std::string runs;
  for (const auto& [name, row] : rows_) runs += (runs.empty() ? "" : ",") + row;
  Json unreadable = list_.unreadable();
  const std::string state =
      fmt::format("{{\"root\":{},\"choices\":{},\"unreadable\":{},\"runs\":[{}]}}",
                  Json(options_.root).dump(-1, BadUtf8::replace), start_choices().dump(),
                  unreadable.dump(-1, BadUtf8::replace), runs);
  const std::string nonce = random_token();
  HttpResponse response{.type = "text/html; charset=utf-8", .body = {}};
  response.body =
      fill(resources::live_html,
           {{"nonce", nonce},
            {"version", escape_markup(options_.version)},
            {"style", fmt::format("/* uPlot: {} */\n{}\n{}\n{}\n{}", resources::uplot_license,
                                  resources::uplot_css, figure_css(), resources::page_css,
                                  resources::live_css)},
            {"theme_script", std::string(resources::theme_js)},
            {"state", script_text(state)},
            {"uplot", std::string(resources::uplot_js)},
            {"figures", figures_script()},
            {"player", player_script()},
            {"stream", std::string(resources::stream_js)},
            {"script", std::string(resources::live_js)}});
  // only our own scripts may run, whatever the names of other people's runs contain
  response.headers = {
      {"Content-Security-Policy",
       fmt::format("default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; "
                   "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                   "frame-ancestors 'none'",
                   nonce)}};
  return response;
}

HttpResponse LivePage::start(const HttpRequest& request) {
  const auto form = Json::try_parse(request.body);
  if (!form || !form->is_object()) fail_usage("The request is not a JSON object.");
  const StartRequest wish = read_start_request(*form, options_.root);
  const std::string name = name_of_run(wish.folder);
  children_.start(options_.program, wish.arguments, name);
  return json_response(Json{{"name", name}}.dump());
}

HttpResponse LivePage::stop(const RunStatus& run) {
  if (!stop_training(run.folder)) {
    return fault(409, fmt::format("Nothing trains {} any more.", name_of_run(run.folder)));
  }
  return json_response("{}");
}

HttpResponse LivePage::resume(const RunStatus& run) {
  if (run.state != RunState::interrupted) {
    return fault(409, fmt::format("{} is {}: nothing is left to resume.", name_of_run(run.folder),
                                  vic::name_of(run.state)));
  }
  children_.start(options_.program, {"train", "--resume", run.folder}, name_of_run(run.folder));
  return json_response("{}");
}

HttpResponse LivePage::handle(const HttpRequest& request) {
  const bool post = request.method == "POST";
  if (!post && request.method != "GET") return fault(405, "GET and POST are understood.");
  const std::string wish = request.method + " " + request.path;
  try {
    if (wish == "GET /ping") return json_response("{}");
    if (wish == "GET /" || wish == "GET /events") freshen();
    if (wish == "GET /") return page();
    if (wish == "GET /events") {
      // everything: a client that reconnects may have missed anything
      Json all = changes({});
      all["all"] = true;
      return {.type = "text/event-stream",
              .body = event_text("runs", all.dump(-1, BadUtf8::replace), ++event_),
              .stream = true};
    }
    if (wish == "GET /section") {
      return json_response(sections_.json(named_run(request).folder, runs_, evaluations_));
    }
    if (wish == "POST /start") return start(request);
    if (wish == "POST /stop") return stop(named_run(request));
    if (wish == "POST /resume") return resume(named_run(request));
  } catch (const UsageError& error) {
    return fault(400, error.what());
  } catch (const std::exception& error) {
    return fault(500, error.what());
  }
  return fault(404, fmt::format("There is nothing at {}.", shown(request.path)));
}

}  // namespace vic
