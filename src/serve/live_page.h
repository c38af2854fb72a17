// The live page: its answers to requests, and the events that it sends to every open page.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/data/run_list.h"
#include "serve/http.h"
#include "serve/live_section.h"
#include "serve/processes.h"

namespace vic {

struct LiveOptions {
  std::string root;     // the folder whose runs are shown
  std::string program;  // the program that trains runs
  std::string version;
};

class LivePage {
 public:
  explicit LivePage(LiveOptions options);

  // The answer to a request that the guard let pass:
  //   GET /              the page
  //   GET /ping          whether the server is up
  //   GET /events        a stream of events; it begins with all runs
  //   GET /section?run=  the figures of a run and of those of the same world
  //   POST /start        begins a training (start_request.h)
  //   POST /stop, /resume?run=
  HttpResponse handle(const HttpRequest& request);

  // Refreshes the runs of the folder, and returns the events since the last call, for all streams:
  // "runs" with the runs that changed and the names of those that are gone, "ended" with the
  // messages of a training that the page had started and that failed, "beat" now and then. Cheap
  // enough to call ten times per second: it refreshes as often as a small share of the processor
  // allows.
  std::string news();

 private:
  using Clock = std::chrono::steady_clock;
  void look();
  void freshen();  // refreshes if that was not done for a while
  std::string name_of_run(const std::string& folder) const;
  Json changes(const std::map<std::string, std::string>& before) const;
  const RunStatus& named_run(const HttpRequest& request) const;
  HttpResponse page() const;
  HttpResponse start(const HttpRequest& request);
  HttpResponse stop(const RunStatus& run);
  HttpResponse resume(const RunStatus& run);

  LiveOptions options_;
  RunList list_;
  std::vector<RunStatus> runs_;
  std::map<std::string, std::string> rows_;  // the runs as JSON, by name
  std::map<std::string, std::string> sent_;  // those that open streams have
  LiveEvaluations evaluations_;
  LiveSections sections_;
  Children children_;
  Clock::time_point looked_ = {}, next_look_ = {}, next_beat_ = {};
  long evaluations_sent_ = 0, event_ = 0;
};

}  // namespace vic
