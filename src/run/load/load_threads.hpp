// The threads of a load, from their start to its end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "run/load/gang.hpp"
#include "run/load/load_options.hpp"
#include "run/load/work.hpp"

namespace anachron {

/// What a thread has done. Written by it, read when it has ended.
struct LoadUsage {
  double cpu_s = 0;
  double on_s = 0;  // time in which it wanted to work
  std::uint64_t periods = 0;
  std::uint64_t work = 0;  // in the kind's unit
  std::string error;
};

class LoadThreads {
 public:
  explicit LoadThreads(const LoadOptions& options);

  /// Until a signal, the end of `--for`, or an error, which is thrown. `gang`: takes turns; null: there is
  /// none. An InterruptGuard must be there.
  void run(Gang* gang);

  // When it has run.
  const std::vector<LoadUsage>& used() const { return used_; }
  std::string_view unit() const { return shop_->unit(); }
  std::uint64_t memory() const { return shop_->memory(); }
  double wall_s() const { return wall_s_; }
  /// Units of all threads.
  double work_per_s() const;
  /// None: without gang.
  const std::optional<Slices>& slices() const { return slices_; }
  /// When the gang's process ended, in seconds; none: it did not.
  const std::optional<double>& gang_ended_s() const { return gang_ended_s_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct End;

  bool ends() const { return ends_.load(std::memory_order_relaxed); }
  bool is_over() const;
  void start(std::vector<std::jthread>& threads);
  void wait_for_end(Gang* gang);
  void take_turns(Gang& gang);
  void pause(bool is_paused);
  void work(unsigned thread);
  void work_for_a_period(Work& work, LoadUsage& usage);
  /// Returns how long that took, in seconds.
  double await_turn() const;
  void rest(std::optional<TemporaryFile>& file) const;

  const LoadOptions options_;
  // The end has come: by the thread that waits for a signal, or by a worker that failed. Read by all of them;
  // relaxed, because it carries no other data.
  std::atomic<bool> ends_{false};
  // It is the gang's turn. Written by the thread that waits for a signal, read by all others at each step;
  // relaxed as well.
  std::atomic<bool> is_paused_{false};
  const std::unique_ptr<Workshop> shop_;
  std::vector<LoadUsage> used_;
  Clock::time_point began_;
  double wall_s_ = 0;
  std::optional<Slices> slices_;
  std::optional<double> gang_ended_s_;
};

}  // namespace anachron
