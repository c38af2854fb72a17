#include "serve/guard.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>

#include "base/file.h"
#include "base/system_call.h"

namespace vic {
namespace {

constexpr std::size_t token_digits = 32;

bool is_token(std::string_view text) {
  return text.size() == token_digits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, token_digits / 2> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes)) {
    throw Error("The system provides no random numbers, which a token needs.");
  }
  std::string token;
  for (unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string kept_token(const std::string& path) {
  const Descriptor file(
      retried([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); }));
  if (file.number >= 0) {
    const std::string token = random_token();
    write_all(file.number, token + "\n", path);
    return token;
  }
  if (errno != EEXIST) fail_usage("Cannot make {}: {}.", path, std::strerror(errno));
  require_plain_file(path);
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077) != 0) {
    fail_usage("{} can be read by others; chmod 600 {} keeps the token yours.", path, path);
  }
  std::string token = read_file(path, 4096);
  if (token.ends_with('\n')) token.pop_back();
  if (!is_token(token)) {
    fail_usage("{} holds no token of vic serve, which is {} digits; remove it for a new one.", path,
               token_digits);
  }
  return token;
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char differs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differs = static_cast<unsigned char>(differs | (a[i] ^ b[i]));
  }
  return differs == 0;
}

std::optional<HttpResponse> Guard::refuse(const HttpRequest& request) const {
  const auto refused = [](const char* why) { return HttpResponse{.status = 403, .body = why}; };
  const std::string* host = request.header("host");
  const std::string address = fmt::format("127.0.0.1:{}", port_);
  if (host == nullptr || (*host != address && *host != fmt::format("localhost:{}", port_))) {
    return refused("This server answers to 127.0.0.1 alone.\n");
  }
  const std::string* origin = request.header("origin");
  const std::string* site = request.header("sec-fetch-site");
  if ((origin != nullptr && *origin != "http://" + *host) ||
      (site != nullptr && *site != "same-origin" && *site != "none")) {
    return refused("This server answers to its own pages alone.\n");
  }
  const std::string* token = request.parameter("token");
  if (token == nullptr || !same_secret(*token, token_)) {
    return refused("The token is missing or wrong: open the address that vic serve printed.\n");
  }
  return {};
}

}  // namespace vic
