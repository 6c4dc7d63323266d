// Ctrl-C: the first one asks the program to end, with a valid report where there can be one; the second kills
// it.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace anachron {

/// From now on the signal calls `handler`, unless the process ignores it. Returns what was set before.
struct sigaction listen_to(int signal, void (*handler)(int));

/// While it lives, `requested` tells of the first SIGINT or SIGTERM. When no thread has asked within a second
/// (the model is being set up, or a file is read that never comes) the program ends as it is, with status
/// 130. A later signal, unless it comes together with the first, has its default action. SIGPIPE is ignored:
/// a reader that left must not cost the report file. The destructor restores what was set before. One at a
/// time per process; a signal that was ignored before (nohup) stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// As the first signal does, if it has not come. Any thread.
  static void request() noexcept;
  /// Ends the program at once, with status 130. Any thread.
  [[noreturn]] static void end_without_report() noexcept;
  /// Whether the first signal has come. Who is told so ends the program. Any thread.
  static bool requested() noexcept;
  /// How long ago the first signal came. Does not count as asking.
  static std::optional<std::chrono::nanoseconds> since_request() noexcept;
  /// From now on the program ends by itself, however long that takes: it writes what it has.
  static void let_end() noexcept;

 private:
  struct sigaction interrupt_{}, terminate_{}, pipe_{}, alarm_{};
};

}  // namespace anachron
