#include "serve/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

namespace vic {
namespace {

// more than any reasonable number of tabs; further ones wait to be accepted
constexpr std::size_t most_connections = 512;
// bytes that a client may leave unread before it is disconnected
constexpr std::size_t most_pending = 8 << 20;
// an idle connection is closed; a browser opens another one when it needs it
constexpr std::chrono::seconds longest_idle{30};
constexpr int wake_ms = 100;

Descriptor listen_on(int port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (socket.number == -1) throw Error(fmt::format("No socket: {}.", std::strerror(errno)));
  const int yes = 1;
  // a restarted server can bind its port again
  ::setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket.number, reinterpret_cast<const sockaddr*>(&address), sizeof address) == -1 ||
      ::listen(socket.number, SOMAXCONN) == -1) {
    fail_usage("Cannot listen on 127.0.0.1:{}: {}. Without --port a free one is taken.", port,
               std::strerror(errno));
  }
  return socket;
}

int port_of(const Descriptor& socket) {
  sockaddr_in address = {};
  socklen_t length = sizeof address;
  ::getsockname(socket.number, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

}  // namespace

HttpServer::HttpServer(int port) : listener_(listen_on(port)), port_(port_of(listener_)) {}

void HttpServer::accept_all() {
  while (connections_.size() < most_connections) {
    Descriptor socket(::accept4(listener_.number, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.number == -1) return;
    const int yes = 1;
    ::setsockopt(socket.number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connections_.push_back({.socket = std::move(socket)});
  }
}

void HttpServer::receive(Connection& connection, const Handle& handle) {
  char bytes[16 << 10];
  const ssize_t n =
      retried([&] { return ::recv(connection.socket.number, bytes, sizeof bytes, 0); });
  if (n == 0 || (n == -1 && errno != EAGAIN)) connection.gone = true;
  if (n <= 0) return;
  connection.last = Clock::now();
  // a stream sends no more requests
  if (connection.stream) return;
  connection.received.append(bytes, static_cast<std::size_t>(n));
  while (!connection.closing && !connection.stream) {
    const ReadRequest read = read_request(connection.received);
    if (read.fault == 0 && !read.request) return;
    connection.received.erase(0, read.length);
    const HttpResponse response =
        read.request ? handle(*read.request) : HttpResponse{.status = read.fault, .body = ""};
    connection.stream = response.stream;
    const std::string* wish = read.request ? read.request->header("connection") : nullptr;
    connection.closing = read.fault != 0 || (wish != nullptr && *wish == "close");
    connection.pending += response_text(response);
    if (connection.stream) connection.closing = false;
  }
}

void HttpServer::send(Connection& connection) {
  const ssize_t n = retried([&] {
    return ::send(connection.socket.number, connection.pending.data(), connection.pending.size(),
                  MSG_NOSIGNAL);
  });
  if (n == -1) {
    connection.gone = errno != EAGAIN;
    return;
  }
  connection.pending.erase(0, static_cast<std::size_t>(n));
  connection.last = Clock::now();
}

void HttpServer::run(const Handle& handle, const std::function<void()>& tick, Stop stop) {
  std::vector<pollfd> watched;
  while (!stop.wanted()) {
    watched.assign(1, {listener_.number, POLLIN, 0});
    if (connections_.size() >= most_connections) watched[0].events = 0;
    for (const Connection& one : connections_) {
      const int wish = POLLIN | (one.pending.empty() ? 0 : POLLOUT);
      watched.push_back({one.socket.number, static_cast<short>(wish), 0});
    }
    // a signal ends the wait
    ::poll(watched.data(), watched.size(), wake_ms);
    auto state = watched.begin() + 1;
    for (Connection& one : connections_) {
      const short events = (state++)->revents;
      if ((events & POLLIN) != 0) receive(one, handle);
      if (!one.pending.empty()) send(one);
      if ((events & (POLLERR | POLLHUP | POLLNVAL)) != 0) one.gone = true;
      const bool idle = !one.stream && Clock::now() - one.last > longest_idle;
      if (idle || (one.closing && one.pending.empty())) one.gone = true;
    }
    std::erase_if(connections_, [](const Connection& one) { return one.gone; });
    if ((watched[0].revents & POLLIN) != 0) accept_all();
    tick();
  }
}

void HttpServer::broadcast(std::string_view bytes) {
  for (Connection& one : connections_) {
    if (!one.stream) continue;
    one.pending += bytes;
    if (one.pending.size() > most_pending) one.gone = true;
  }
}

bool HttpServer::has_streams() const {
  return std::ranges::any_of(connections_, &Connection::stream);
}

}  // namespace vic
