// Asynchronous global virtual time: rounds of two phases that no PE ever waits for (Devastator §2.1; the two
// cuts are Mattern's, 1993).
//
//   cut     Each PE hands over what it can. From now on it keeps the smallest key of what it could not hand
//           over or sends later.
//   report  When all have cut, each PE drains its inbox. It reports the smallest key that is pending or was
//           kept.
//
// All that was handed over before the sender's cut is visible when the report phase begins and so is drained
// before the receiver reports. All else that was sent by then is in the sender's report. What is sent after
// the report was caused by something that was counted. So the minimum of the reports is a lower bound on all
// that can still happen. Between ranks events are under way for a while. There the report phase begins when
// all of them have arrived (gvt/rounds/rank_rounds.hpp). A PE passes through the phases between two batches
// of events; the last to arrive opens the next phase.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>

#include "gvt/gvt.hpp"

namespace anachron::gvt {

class EpochGvt : public Gvt {
 public:
  EpochGvt(std::size_t members, Reduce reduce, Collect collect = {})
      : members_(members),
        present_(members),
        summaries_(members),
        reduce_(std::move(reduce)),
        collect_(std::move(collect)) {}

  Duty due(std::size_t member) override {
    const Member& m = members_[member];
    // Acquire: pairs with the release in `open_phase`; what the other PEs did before is visible.
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (phase == m.passed) return Duty::none;
    if (phase % 2 == 1) return Duty::report;
    return phase > m.adopted ? Duty::adopt : Duty::cut;
  }
  // Relaxed: a hint, nothing else is read on the strength of it.
  bool is_called() const final {
    return arrived_.load(std::memory_order_relaxed) > 0 || called_.load(std::memory_order_relaxed);
  }
  void call() final { called_.store(true, std::memory_order_relaxed); }
  bool must_wait(std::size_t) const override { return false; }
  bool is_barrier() const override { return false; }

  void cut(std::size_t member) final { arrive(members_[member]); }
  void ready(std::size_t member, const Summary& summary) final {
    summaries_[member] = summary;
    arrive(members_[member]);
  }
  void open_reports() final { open_phase(phase_.load(std::memory_order_relaxed) + 1); }
  void open(const Round& round) final;
  void adopted(std::size_t member) final {
    members_[member].adopted = phase_.load(std::memory_order_relaxed);
  }
  const Round& round() const final { return round_; }

  void restart(std::span<const Summary> absent) final;
  double latency_s() const final { return latency_s_; }

 protected:
  /// The member has cut, or reported, and not adopted the outcome.
  bool is_between(std::size_t member) const {
    const Member& m = members_[member];
    return m.passed != kNone && m.adopted <= m.passed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // Used by the worker that runs the PE.
  struct alignas(kNoSharing) Member {
    std::uint64_t passed = kNone;  // the phase that it went through last
    std::uint64_t adopted = 0;     // the phase whose round it adopted
  };

  void arrive(Member& member);
  void open_phase(std::uint64_t phase) {
    arrived_.store(0, std::memory_order_relaxed);
    phase_.store(phase, std::memory_order_release);
  }

  std::vector<Member> members_;
  std::size_t present_;             // so many of them take part
  std::vector<Summary> summaries_;  // each written by its PE before it arrives, read by the PE that reduces
  Reduce reduce_;
  Collect collect_;
  Round round_;           // written in `open`, read by all after the phase has opened
  double latency_s_ = 0;  // likewise
  // Written by the first to cut, after it has arrived there: it arrives once more before this is read.
  Clock::time_point began_;
  alignas(kNoSharing) std::atomic<std::uint64_t> phase_{0};  // even: cut, odd: report
  alignas(kNoSharing) std::atomic<std::size_t> arrived_{0};
  // Set when another process asks for a round, reset when the round is open (relaxed: a hint).
  std::atomic<bool> called_{false};
};

/// The synchronous algorithm, to compare with: the first PE that is due makes all others follow at once, and
/// no PE executes events between its cut and the outcome.
class BarrierGvt final : public EpochGvt {
 public:
  using EpochGvt::EpochGvt;
  bool must_wait(std::size_t member) const override { return is_between(member); }
  bool is_barrier() const override { return true; }
};

}  // namespace anachron::gvt
