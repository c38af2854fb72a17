// Who may talk to the server: pages that it served itself, to a browser that was given its address.
#pragma once

#include <optional>
#include <string>

#include "serve/http.h"

namespace vic {

// 32 digits from the system's randomness.
std::string random_token();

// The token that a file holds, so that pages which are open find a server that was started again.
// Where there is no such file, it is made with a new token, for its owner alone. Throws a
// UsageError where the file has something else, or where others can read it.
std::string kept_token(const std::string& path);

class Guard {
 public:
  Guard(std::string token, int port) : token_(std::move(token)), port_(port) {}

  // What to answer where a request is refused: one that names another host (a foreign
  // name that leads to this machine, DNS rebinding), one that comes from a page of another origin,
  // one without the token. The reasons are looked at in this order, so that a stranger learns
  // nothing about the token.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;

 private:
  std::string token_;
  int port_;
};

// Whether two texts are the same, in a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace vic
