// A web server for browsers on this machine: one thread, one loop over all connections. An open
// stream of events is a socket and a buffer, so fifty of them need no more threads than one.
//
// Debian's cpp-httplib was considered: it uses a thread per open stream, and as a shared library it
// would load OpenSSL, zlib and brotli at every start of the program, for a server that only answers
// its own machine.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <string_view>

#include "base/stop.h"
#include "base/system_call.h"
#include "serve/http.h"

namespace vic {

class HttpServer {
 public:
  // Listens on 127.0.0.1 at this port, or at a free one if it is 0. Throws a UsageError if the port
  // is taken.
  explicit HttpServer(int port);

  int port() const { return port_; }

  // Answers requests until the stop is wanted, which takes effect within a tenth of a second.
  // `tick` is called at most ten times per second; it and `handle` must be short, because all
  // connections wait for them.
  using Handle = std::function<HttpResponse(const HttpRequest&)>;
  void run(const Handle& handle, const std::function<void()>& tick, Stop stop);

  // Sends the bytes to every open stream. One that lags behind by several megabytes is closed: its
  // browser will reconnect and be sent everything.
  void broadcast(std::string_view bytes);
  bool has_streams() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection {
    Descriptor socket;
    std::string received = {}, pending = {};
    bool stream = false;   // receives what is broadcast
    bool closing = false;  // once nothing is pending
    bool gone = false;
    Clock::time_point last = Clock::now();  // when something was read or written
  };

  void accept_all();
  void receive(Connection& connection, const Handle& handle);
  void send(Connection& connection);

  Descriptor listener_;
  int port_ = 0;
  std::list<Connection> connections_;
};

}  // namespace vic
