// The network of tools/mpi_hosts, for many kernels come without tc's own delays (sch_netem): takes
// packets from hosts and delivers each of them after its time.
//
//   mpi_hosts DELAY RATE NAMESPACE...
//
// DELAY in ms, RATE in Gbit/s. Makes a device eth0 in each network namespace and says so by a line;
// the devices end with the process. The address of the N-th host ends in N.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

using Nanoseconds = std::int64_t;

struct Packet {
  std::size_t to;
  std::vector<char> bytes;
};

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "mpi_hosts: %s: %s.\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * Nanoseconds{1'000'000'000} + time.tv_nsec;
}

// a device in a network namespace, whose packets are read and written here
int make_device(const std::string& name) {
  const int space = open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (space < 0 || setns(space, CLONE_NEWNET) != 0) fail("no network namespace " + name);
  close(space);
  const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ifreq wanted{};
  std::strcpy(wanted.ifr_name, "eth0");
  wanted.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (device < 0 || ioctl(device, TUNSETIFF, &wanted) != 0) fail("no device of /dev/net/tun");
  return device;
}

class Network {
 public:
  Network(Nanoseconds delay, double rate, std::vector<pollfd> hosts)
      : delay_(delay), rate_(rate), hosts_(std::move(hosts)), free_(hosts_.size()) {}

  [[noreturn]] void run() {
    while (true) {
      wait();
      for (std::size_t host = 0; host < hosts_.size(); ++host) {
        if (hosts_[host].revents != 0) take(host);
      }
      deliver();
    }
  }

 private:
  // until a host sends, or a packet is due
  void wait() {
    timespec rest{};
    if (!packets_.empty()) {
      const Nanoseconds left = std::max(packets_.begin()->first - now(), Nanoseconds{0});
      rest = {.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
    }
    if (ppoll(hosts_.data(), hosts_.size(), packets_.empty() ? nullptr : &rest, nullptr) < 0) {
      fail("cannot wait");
    }
  }

  // one packet: a host that sends many must not hold up what is due
  void take(std::size_t host) {
    static char bytes[65536];
    const ssize_t size = read(hosts_[host].fd, bytes, sizeof bytes);
    if (size < 20 || bytes[0] >> 4 != 4) return;  // IPv6 looks for neighbours
    const std::size_t to = static_cast<unsigned char>(bytes[19]) - std::size_t{1};
    if (to >= hosts_.size()) return;
    // its line takes one bit after the other, and what was sent before goes first
    const double line = 8.0 * static_cast<double>(size) / rate_;
    free_[host] = std::max(free_[host], now()) + static_cast<Nanoseconds>(line);
    packets_.emplace(free_[host] + delay_, Packet{to, {bytes, bytes + size}});
  }

  void deliver() {
    while (!packets_.empty() && packets_.begin()->first <= now()) {
      const Packet& packet = packets_.begin()->second;
      // a host that is not up yet loses it, as hosts do
      const ssize_t size = write(hosts_[packet.to].fd, packet.bytes.data(), packet.bytes.size());
      if (size < 0 && errno != EIO) fail("cannot deliver");
      packets_.erase(packets_.begin());
    }
  }

  Nanoseconds delay_;
  double rate_;  // Gbit/s, which are bits per nanosecond
  std::vector<pollfd> hosts_;
  std::vector<Nanoseconds> free_;               // when a host may send again, (hosts)
  std::multimap<Nanoseconds, Packet> packets_;  // under way, by when they are due
};

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fputs("usage: mpi_hosts DELAY RATE NAMESPACE..., in ms and Gbit/s\n", stderr);
    return 2;
  }
  const double delay = std::atof(words[1]), rate = std::atof(words[2]);
  std::vector<pollfd> hosts;
  for (int i = 3; i < count; ++i) hosts.push_back({make_device(words[i]), POLLIN, 0});
  // a packet is due whatever else runs: before other processes, and with all memory in place. The
  // priority also takes the slack of 50 us from its timers
  const sched_param first{.sched_priority = 50};
  if (sched_setscheduler(0, SCHED_FIFO, &first) != 0) fail("cannot go before other processes");
  mlockall(MCL_CURRENT | MCL_FUTURE);
  std::puts("ready");
  std::fflush(stdout);
  Network(static_cast<Nanoseconds>(1e6 * delay), rate, std::move(hosts)).run();
}
