#include "run/interrupt.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

namespace anachron {

namespace {

// The one mutable global of the program: a signal handler can reach nothing else. When the first signal came,
// in nanoseconds of the monotonic clock; 0: none yet. Written by the handler, read by the thread that polls
// `requested`; relaxed, because it carries no other data.
std::atomic<std::int64_t> first_signal{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// `timeout` and the like signal a process and then its whole group: that is one request, not two.
constexpr std::int64_t kSameRequest = 300'000'000;

constexpr std::string_view kNotice = "\nending at the next GVT; once more kills\n";

// Only async-signal-safe calls.
extern "C" void on_signal(int signal) {
  const int saved = errno;
  timespec clock{};
  clock_gettime(CLOCK_MONOTONIC, &clock);
  const std::int64_t now = std::int64_t{clock.tv_sec} * 1'000'000'000 + clock.tv_nsec + 1;  // never 0
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, now, std::memory_order_relaxed)) {
    if (isatty(STDERR_FILENO)) {
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNotice.data(), kNotice.size());
    }
  } else if (now - first > kSameRequest) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    raise(signal);  // delivered when the handler returns
  }
  errno = saved;
}

// Returns what was set before.
struct sigaction install(int signal, void (*handler)(int)) {
  struct sigaction action{}, before{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  return before;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  first_signal.store(0, std::memory_order_relaxed);
  interrupt_ = install(SIGINT, on_signal);
  terminate_ = install(SIGTERM, on_signal);
  pipe_ = install(SIGPIPE, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGPIPE, &pipe_, nullptr);
}

bool InterruptGuard::requested() noexcept { return first_signal.load(std::memory_order_relaxed) != 0; }

}  // namespace anachron
