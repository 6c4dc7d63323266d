// How a supervised run is told to end, so that it leaves a checkpoint.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <vector>

#include <sys/types.h>

namespace anachron {

/// Tells a child process to end. mpirun kills its ranks one second after SIGTERM, too early for a large
/// checkpoint. So a launcher gets SIGUSR1 first, which it passes on, and the ranks write a checkpoint. It
/// gets SIGTERM when that is there, when the time of grace is over, or when this process gets another signal.
/// Any other program gets SIGTERM at once. One object at a time, after InterruptGuard::requested.
class Farewell {
 public:
  /// `folder`: of the run's checkpoints.
  Farewell(pid_t child, std::filesystem::path folder, std::chrono::duration<double> grace);
  ~Farewell();
  Farewell(const Farewell&) = delete;
  Farewell& operator=(const Farewell&) = delete;

  /// Called now and then.
  void look();

 private:
  using Clock = std::chrono::steady_clock;

  bool has_waited_enough() const;
  void end();

  const pid_t child_;
  const std::filesystem::path folder_;
  const std::chrono::duration<double> grace_;
  const Clock::time_point began_ = Clock::now();
  const std::vector<std::filesystem::path> before_;  // checkpoints
  bool waits_;                                       // for another one
  struct sigaction interrupt_{}, terminate_{};       // what was set before, while it waits
};

}  // namespace anachron
