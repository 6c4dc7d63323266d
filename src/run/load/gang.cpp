#include "run/load/gang.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {

namespace {

// The C library of older systems has neither.
int open_process(int pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }
int send_signal(int process, int number) {
  return static_cast<int>(syscall(SYS_pidfd_send_signal, process, number, nullptr, 0));
}

/// In the child: until the other end of the pipe is closed. What ends the program is not to end this first.
[[noreturn]] void guard(int end, int process) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(number, SIG_IGN);
  char none = 0;
  while (read(end, &none, 1) < 0 && errno == EINTR) {
  }
  send_signal(process, SIGCONT);
  _exit(0);
}

}  // namespace

Gang::Gang(int pid) {
  const std::string text = std::to_string(pid);
  if (pid == getpid()) throw bad_value("gang", text, "a process other than this one");
  process_ = open_process(pid);
  if (process_ < 0 || has_ended()) {
    const int error = process_ < 0 ? errno : ESRCH;
    if (process_ >= 0) close(process_);
    throw bad_value("gang", text, fmt::format("a process that runs: {}", std::strerror(error)));
  }
  if (send_signal(process_, 0) != 0) {
    const int error = errno;
    close(process_);
    throw bad_value("gang", text, fmt::format("a process that may be signalled: {}", std::strerror(error)));
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) == 0 && (guardian_ = fork()) == 0) {
    close(ends[1]);
    guard(ends[0], process_);
  }
  if (guardian_ < 0) throw std::runtime_error(fmt::format("--gang: {}", std::strerror(errno)));
  close(ends[0]);
  guardian_end_ = ends[1];
}

Gang::~Gang() {
  send_signal(process_, SIGCONT);
  close(guardian_end_);
  while (waitpid(guardian_, nullptr, 0) < 0 && errno == EINTR) {
  }
  close(process_);
}

void Gang::stop() { signal(SIGSTOP); }
void Gang::go_on() { signal(SIGCONT); }

void Gang::signal(int number) const {
  if (send_signal(process_, number) == 0 || errno == ESRCH) return;
  throw std::runtime_error(fmt::format("--gang: {}", std::strerror(errno)));
}

bool Gang::has_ended() const {
  pollfd poll_of{.fd = process_, .events = POLLIN, .revents = 0};
  return poll(&poll_of, 1, 0) > 0;
}

}  // namespace anachron
