// A machine for tests of WorkerTrials, whose clock is simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "sched/trials/active_workers.hpp"

namespace anachron::sched {

/// A machine on which so many workers commit so many events a second, as long as nothing changes.
class MeasuredMachine {
 public:
  using Rate = std::function<double(unsigned workers, double wall_s)>;
  MeasuredMachine(ActiveWorkers& workers, Rate rate, double switch_s = 0.5e-3)
      : workers_(workers), rate_(std::move(rate)), switch_s_(switch_s) {
    workers_.begin_term(facts());
  }

  /// When another process is seen to use a core.
  void disturb_when(std::function<bool(double wall_s)> is_disturbed) {
    is_disturbed_ = std::move(is_disturbed);
  }

  /// Workers wait for so much of their time, and undo so much of what they execute; else that is not known.
  void lose(double waiting, double undone) {
    waiting_ = waiting;
    undone_ = undone;
  }

  /// So many are pending from now on, and have to be moved when the number of workers changes.
  void let_wait(std::uint64_t events) {
    pending_ = events;
    switch_s_ = 40e-9 * static_cast<double>(events);
  }

  void run_until(double end) {
    for (; wall_s_ < end; wall_s_ += kRound) {
      committed_ += rate_(workers_.count(), wall_s_) * kRound;
      spent_[workers_.count()] += kRound;
      if (!workers_.ends_term(facts())) continue;
      const unsigned before = workers_.count();
      workers_.choose(facts(), ActiveWorkers::Cause::asked);
      if (workers_.count() != before) wall_s_ += switch_s_;
      workers_.begin_term(facts());
    }
  }
  /// The next run of a session.
  void go_on() { workers_.begin_term(facts()); }
  double committed() const { return committed_; }
  double spent(unsigned workers) { return spent_[workers]; }

 private:
  static constexpr double kRound = 0.2e-3;  // seconds between two questions

  gvt::TermFacts facts() const {
    return {.wall_s = wall_s_,
            .committed = static_cast<std::uint64_t>(committed_),
            .pending = pending_,
            .executed = undone_ ? static_cast<std::uint64_t>(committed_ / (1 - *undone_)) : 0,
            .rolled_back = undone_ ? static_cast<std::uint64_t>(committed_ / (1 - *undone_) * *undone_) : 0,
            .waiting_s = wall_s_ * workers_.count() * waiting_,
            .is_disturbed = is_disturbed_ && is_disturbed_(wall_s_)};
  }

  ActiveWorkers& workers_;
  Rate rate_;
  double switch_s_;
  double wall_s_ = 0, committed_ = 0;
  std::uint64_t pending_ = 0;
  double waiting_ = 0;
  std::optional<double> undone_;
  std::map<unsigned, double> spent_;
  std::function<bool(double)> is_disturbed_;
};

}  // namespace anachron::sched
