#include "run/signals/interrupt.hpp"

#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "run/commands/model_run.hpp"
#include "run/rank.hpp"

namespace anachron {

namespace {

// The mutable globals of the program: a signal handler can reach nothing else. Relaxed, because they carry no
// other data.

// When the first signal came, in nanoseconds of the monotonic clock; 0: none yet. Written by the handler,
// read by the thread that asks.
std::atomic<std::int64_t> first_signal{0};
// The program is to end. Written by any thread, read by the handler of SIGALRM.
std::atomic<bool> is_ending{false};
// mpirun tells all ranks: one of them says so. Written before the handlers are there.
std::atomic<bool> is_silent{false};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// `timeout` and the like signal a process and then its whole group: that is one request, not two.
constexpr std::int64_t kSameRequest = 300'000'000;
constexpr unsigned kPatience = 1;  // seconds until the program asks

// Only async-signal-safe calls from here on.

std::int64_t nanoseconds() {
  timespec clock{};
  clock_gettime(CLOCK_MONOTONIC, &clock);
  return std::int64_t{clock.tv_sec} * 1'000'000'000 + clock.tv_nsec + 1;  // never 0
}

// The text begins with the end of the progress line.
void say(std::string_view text) {
  if (is_silent.load(std::memory_order_relaxed)) return;
  if (!isatty(STDERR_FILENO)) text.remove_prefix(1);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// Returns when it was asked for before; 0: never.
std::int64_t request_at(std::int64_t now) {
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, now, std::memory_order_relaxed)) {
    say("\nstopping, again to kill\n");
    alarm(kPatience);
  }
  return first;
}

extern "C" void on_signal(int signal) {
  const int saved = errno;
  const std::int64_t now = nanoseconds();
  if (const std::int64_t first = request_at(now); first != 0 && now - first > kSameRequest) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    raise(signal);  // delivered when the handler returns
  }
  errno = saved;
}

extern "C" void on_alarm(int) {
  if (is_ending.load(std::memory_order_relaxed)) return;
  InterruptGuard::end_without_report();
}

}  // namespace

struct sigaction listen_to(int signal, void (*handler)(int)) {
  struct sigaction action{}, before{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  return before;
}

InterruptGuard::InterruptGuard() {
  first_signal.store(0, std::memory_order_relaxed);
  is_ending.store(false, std::memory_order_relaxed);
  is_silent.store(own_rank() > 0, std::memory_order_relaxed);
  alarm_ = listen_to(SIGALRM, on_alarm);
  interrupt_ = listen_to(SIGINT, on_signal);
  terminate_ = listen_to(SIGTERM, on_signal);
  pipe_ = listen_to(SIGPIPE, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  let_end();
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGPIPE, &pipe_, nullptr);
  alarm(0);
  sigaction(SIGALRM, &alarm_, nullptr);
}

void InterruptGuard::request() noexcept { request_at(nanoseconds()); }

void InterruptGuard::end_without_report() noexcept {
  say("\nended without a report\n");
  _exit(static_cast<int>(Status::interrupted));
}

bool InterruptGuard::requested() noexcept {
  const bool is_requested = first_signal.load(std::memory_order_relaxed) != 0;
  if (is_requested) let_end();
  return is_requested;
}

std::optional<std::chrono::nanoseconds> InterruptGuard::since_request() noexcept {
  const std::int64_t first = first_signal.load(std::memory_order_relaxed);
  if (first == 0) return std::nullopt;
  return std::chrono::nanoseconds(nanoseconds() - first);
}

void InterruptGuard::let_end() noexcept { is_ending.store(true, std::memory_order_relaxed); }

}  // namespace anachron
