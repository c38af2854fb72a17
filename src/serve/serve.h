// vic serve as a function: a live page of the runs of a folder, for browsers on this machine.
#pragma once

#include <functional>
#include <string>

#include "base/stop.h"
#include "serve/live_page.h"

namespace vic {

struct ServeOptions {
  LiveOptions page;
  int port = 0;            // 0: a free one
  std::string token_file;  // keeps the token for the next start; "": a new one every time
};

// Serves until the stop is wanted, and then throws Interrupted. `ready` is called once with the
// address, token included, when the server answers. Throws a UsageError for a folder, port or file
// that cannot be used.
[[noreturn]] void serve(const ServeOptions& options,
                        const std::function<void(const std::string& address)>& ready, Stop stop);

// The answer to a request: the guard's refusal or the page's answer, with the common headers.
HttpResponse answer(const HttpRequest& request, const class Guard& guard, LivePage& page);

}  // namespace vic
