// Instructions and cycles of this process and the threads that it starts, where the kernel and the machine
// count them.
#pragma once

#include <cstdint>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace anachron::bench {

/// Counts from its construction to `stop`. 0 where there are no counters.
class Counters {
 public:
  Counters()
      : instructions_fd_(open(PERF_COUNT_HW_INSTRUCTIONS)), cycles_fd_(open(PERF_COUNT_HW_CPU_CYCLES)) {}
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters() {
    for (const int fd : {instructions_fd_, cycles_fd_})
      if (fd >= 0) ::close(fd);
  }

  void stop() {
    instructions_ = value(instructions_fd_);
    cycles_ = value(cycles_fd_);
  }
  double instructions() const { return instructions_; }
  double cycles() const { return cycles_; }

 private:
  static int open(std::uint64_t what) {
    perf_event_attr attr{};
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof(attr);
    attr.config = what;
    attr.exclude_kernel = 1;
    attr.inherit = 1;  // threads started later count too
    return static_cast<int>(::syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
  }
  static double value(int fd) {
    std::uint64_t count = 0;
    if (fd < 0 || ::read(fd, &count, sizeof(count)) != sizeof(count)) return 0;
    return static_cast<double>(count);
  }

  int instructions_fd_, cycles_fd_;
  double instructions_ = 0, cycles_ = 0;
};

}  // namespace anachron::bench
