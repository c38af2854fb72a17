#include "serve/serve.h"

#include <fmt/core.h>

#include "serve/guard.h"
#include "serve/http_server.h"

namespace vic {

HttpResponse answer(const HttpRequest& request, const Guard& guard, LivePage& page) {
  auto refused = guard.refuse(request);
  HttpResponse response = refused ? *std::move(refused) : page.handle(request);
  const NamedValues all = {{"Cache-Control", "no-store"},
                           {"X-Content-Type-Options", "nosniff"},
                           {"Referrer-Policy", "no-referrer"},  // the address has the token
                           {"Cross-Origin-Opener-Policy", "same-origin"},
                           {"Cross-Origin-Resource-Policy", "same-origin"}};
  response.headers.insert(response.headers.end(), all.begin(), all.end());
  return response;
}

void serve(const ServeOptions& options,
           const std::function<void(const std::string& address)>& ready, Stop stop) {
  const std::string token =
      options.token_file.empty() ? random_token() : kept_token(options.token_file);
  HttpServer server(options.port);
  const Guard guard(token, server.port());
  LivePage page(options.page);
  ready(fmt::format("http://127.0.0.1:{}/?token={}", server.port(), token));
  server.run([&](const HttpRequest& request) { return answer(request, guard, page); },
             [&] {
               // without viewers there is no work
               if (server.has_streams()) server.broadcast(page.news());
             },
             stop);
  throw Interrupted("Stopped; trainings that the page started go on.");
}

}  // namespace vic
