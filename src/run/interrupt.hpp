// Ctrl-C: the first one asks the run to end at the next GVT with a valid report, the second one kills.
#pragma once

#include <csignal>

namespace anachron {

/// While it lives, the first SIGINT or SIGTERM sets a flag and a later one, unless it comes together with the
/// first, has its default action. SIGPIPE is ignored: a reader that left must not cost the report file. The
/// destructor restores what was set before. One at a time per process; a signal that was ignored before
/// (nohup) stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether the first signal has come. Any thread.
  static bool requested() noexcept;

 private:
  struct sigaction interrupt_{}, terminate_{}, pipe_{};
};

}  // namespace anachron
