#include "topo/process_copy.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "topo/memory.hpp"

// Through the pipe comes a character and what belongs to it: 'r', what was returned; 'e', why there is
// nothing.

namespace anachron::topo {
namespace {

std::uint64_t own_memory() {
  std::uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
}

void send(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(to, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // nobody is there to hear it
    at += static_cast<std::size_t>(written);
  }
}

std::string receive_all(int from) {
  std::string all;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// What concerns the first process is not for the copy: signals, connections, locks of files, the core to
/// which its thread is bound.
void become_copy(pid_t original, int result) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != original) ::_exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE})
    std::signal(signal, SIG_IGN);
  const auto last = static_cast<int>(::sysconf(_SC_OPEN_MAX));
  for (int file = STDERR_FILENO + 1; file < std::min(last, 65536); ++file)
    if (file != result) ::close(file);
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  ::sched_setaffinity(0, sizeof all, &all);  // as far as the process may
  constexpr int kGivesWay = 10;
  ::setpriority(PRIO_PROCESS, 0, kGivesWay);
}

[[noreturn]] void be_copy(pid_t original, int result, const std::function<std::uint64_t()>& action) {
  become_copy(original, result);
  try {
    send(result, 'r' + std::to_string(action()));
  } catch (const std::exception& error) {
    send(result, std::string("e") + error.what());
  }
  ::_exit(0);
}

}  // namespace

bool ProcessCopy::fits() { return own_memory() <= available_memory(); }

ProcessCopy::ProcessCopy(const std::function<std::uint64_t()>& action) {
  const auto fail = [] {
    throw std::runtime_error(
        fmt::format("cannot copy the process: {}", std::generic_category().message(errno)));
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail();
  const pid_t original = ::getpid();
  process_ = ::fork();
  if (process_ == 0) be_copy(original, ends[1], action);
  ::close(ends[1]);
  result_ = ends[0];
  if (process_ > 0) return;
  ::close(result_);
  fail();
}

ProcessCopy::~ProcessCopy() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  ::close(result_);
}

std::uint64_t ProcessCopy::wait() {
  const std::string result = receive_all(result_);
  ::close(result_);
  int status = 0;
  const pid_t process = std::exchange(process_, -1);
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (result.starts_with('r')) return std::strtoull(result.c_str() + 1, nullptr, 10);
  throw std::runtime_error(
      result.starts_with('e') ? result.substr(1)
      : WIFSIGNALED(status) ? fmt::format("the process that writes was ended by signal {}", WTERMSIG(status))
                            : "the process that writes has ended");
}

}  // namespace anachron::topo
