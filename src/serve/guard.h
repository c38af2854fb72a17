// Access to the server: only pages that it served itself, in a browser that has its address.
#pragma once

#include <optional>
#include <string>

#include "serve/http.h"

namespace vic {

// 32 digits from the system's randomness.
std::string random_token();

// The token in a file, kept so that open pages find a server that was restarted. If there is no
// such file, it is made with a new token, readable by its owner alone. Throws a UsageError if the
// file has something else, or if others can read it.
std::string kept_token(const std::string& path);

class Guard {
 public:
  Guard(std::string token, int port) : token_(std::move(token)), port_(port) {}

  // The answer to a request that is refused: one that names another host (a foreign name that
  // resolves to this machine, DNS rebinding), one that comes from a page of another origin, or one
  // without the token. The checks are made in this order, so that a stranger learns nothing about
  // the token.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;

 private:
  std::string token_;
  int port_;
};

// Whether two texts are equal, in a time that does not depend on where they differ.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace vic
