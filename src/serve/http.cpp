#include "serve/http.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace vic {
namespace {

const std::string* find(const NamedValues& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &NamedValues::value_type::first);
  return found == list.end() ? nullptr : &found->second;
}

// the text before the separator, both removed from `text`; all of it if there is none
std::string_view cut(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return part;
}

// "%2F" and "+"
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// the request line, "GET /run?name=a HTTP/1.1"; whether it is one
bool read_first_line(std::string_view line, HttpRequest& request) {
  request.method = cut(line, " ");
  std::string_view target = cut(line, " ");
  if (line != "HTTP/1.1" || !target.starts_with('/')) return false;
  request.path = decoded(cut(target, "?"));
  while (!target.empty()) {
    std::string_view value = cut(target, "&");
    const std::string_view name = cut(value, "=");
    request.query.emplace_back(decoded(name), decoded(value));
  }
  return !request.method.empty();
}

// the length of the body; nothing if it is not given in a supported form
std::optional<std::size_t> body_length(const HttpRequest& request) {
  if (request.header("transfer-encoding") != nullptr) return {};
  const std::string* text = request.header("content-length");
  if (text == nullptr) return 0;
  std::size_t length = 0;
  const char* end = text->data() + text->size();
  const auto [stop, status] = std::from_chars(text->data(), end, length);
  if (status != std::errc() || stop != end) return {};
  return length;
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

const std::string* HttpRequest::parameter(std::string_view name) const {
  return find(query, name);
}

const std::string* HttpRequest::header(std::string_view name) const {
  return find(headers, name);
}

ReadRequest read_request(std::string_view bytes) {
  ReadRequest out;
  const std::size_t end = bytes.substr(0, longest_head).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (bytes.size() >= longest_head) out.fault = 431;
    return out;
  }
  HttpRequest request;
  std::string_view head = bytes.substr(0, end);
  if (!read_first_line(cut(head, "\r\n"), request)) return {.request = {}, .fault = 400};
  while (!head.empty()) {
    std::string_view value = cut(head, "\r\n");
    std::string name(cut(value, ":"));
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    request.headers.emplace_back(std::move(name), trimmed(value));
  }
  const auto length = body_length(request);
  if (!length) return {.request = {}, .fault = 400};
  if (*length > longest_body) return {.request = {}, .fault = 413};
  const std::size_t begin = end + 4;
  if (bytes.size() < begin + *length) return out;
  request.body = bytes.substr(begin, *length);
  out.length = begin + *length;
  out.request = std::move(request);
  return out;
}

std::string response_text(const HttpResponse& response) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\n", response.status,
                                 reason(response.status), response.type);
  // a stream ends with its connection
  head += response.stream ? "Connection: close\r\n"
                          : fmt::format("Content-Length: {}\r\n", response.body.size());
  for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
  return head + "\r\n" + response.body;
}

std::string event_text(std::string_view name, std::string_view data, long number) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", number, name, data);
}

}  // namespace vic
