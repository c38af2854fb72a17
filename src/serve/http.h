// Requests and responses of HTTP/1.1 as values: as much of it as a browser on the same machine
// needs. http_server.h reads and writes the sockets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vic {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method, path;  // "GET", "/events"
  NamedValues query;         // decoded
  NamedValues headers;       // names in lower case
  std::string body;

  // The value of this name, nullptr if there is none. Of several, the first counts.
  const std::string* parameter(std::string_view name) const;
  const std::string* header(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  NamedValues headers = {};
  // The connection stays open after the body: a stream of events (HttpServer::broadcast).
  bool stream = false;
};

// The largest size in bytes of a request's head and of its body.
inline constexpr std::size_t longest_head = 16 << 10, longest_body = 64 << 10;

// The request at the beginning of the bytes that a connection sent.
struct ReadRequest {
  std::optional<HttpRequest> request;  // none: it is incomplete
  std::size_t length = 0;              // its bytes
  int fault = 0;  // status of the answer if the bytes are not a request; the connection ends
};
ReadRequest read_request(std::string_view bytes);

// The bytes of a response.
std::string response_text(const HttpResponse& response);

// An event of a stream (text/event-stream): its name, and its data without line breaks.
std::string event_text(std::string_view name, std::string_view data, long number);

}  // namespace vic
