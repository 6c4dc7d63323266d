// Asynchronous global virtual time for PEs of one process: rounds of two phases that no PE ever waits for
// (Devastator §2.1; the two cuts are Mattern's, 1993).
//
//   cut     each PE notes that from now on it keeps the smallest key that it sends;
//   report  when all have cut, each PE drains its inbox and reports the smallest key that is pending or was
//   sent since.
//
// All that was sent before the sender's cut is in a channel when the report phase begins and so is drained
// before the receiver reports; all that was sent after it is in the sender's report; what is sent after the
// report was caused by something that was counted. So the minimum of the reports is a lower bound on all that
// can still happen. A PE passes through the phases between two batches of events; the last to arrive opens
// the next phase.
//
// As a barrier (the synchronous algorithm): the first PE that is due makes all others follow at once, and no
// PE executes events between its cut and the outcome.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/platform.hpp>

#include "sync/round.hpp"

namespace anachron::sync {

/// What a PE should do for GVT now.
enum class Duty : std::uint8_t { none, adopt, cut, report };

class Gvt {
 public:
  using Conclude = std::function<Round(std::span<const Summary>)>;

  /// `conclude` is called once per round, by the thread of the last PE to report.
  Gvt(anachron::Gvt algorithm, std::size_t members, Conclude conclude)
      : is_barrier_(algorithm == anachron::Gvt::barrier),
        members_(members),
        summaries_(members),
        conclude_(std::move(conclude)) {}

  /// Makes ready for the next run of the same members. When no thread uses it.
  void restart() {
    for (Member& member : members_) member = {};
    phase_.store(0, std::memory_order_relaxed);
    arrived_.store(0, std::memory_order_relaxed);
  }

  Duty due(std::size_t member) const {
    const Member& m = members_[member];
    // Acquire: pairs with the release in `arrive`; what the other PEs did before the phase opened is visible.
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (phase == m.passed) return Duty::none;
    if (phase % 2 == 1) return Duty::report;
    return phase > m.adopted ? Duty::adopt : Duty::cut;
  }

  bool is_barrier() const { return is_barrier_; }
  /// A PE has begun a round that all have to follow at once.
  bool is_called() const { return is_barrier_ && arrived_.load(std::memory_order_relaxed) > 0; }
  /// The PE has to wait for the outcome of a round, without executing events.
  bool holds(std::size_t member) const {
    const Member& m = members_[member];
    return is_barrier_ && m.passed != kNone && m.adopted <= m.passed;
  }

  /// Seconds from the first PE's cut to the outcome, of all rounds together. After all threads have ended.
  double latency_s() const { return latency_s_; }

  /// The outcome of the latest round. Valid from Duty::adopt until this PE has reported again.
  const Round& round() const { return round_; }
  void adopted(std::size_t member) { members_[member].adopted = phase_.load(std::memory_order_relaxed); }

  /// After the PE has published what it sent: begins to keep the smallest key sent.
  void cut(std::size_t member) { arrive(members_[member]); }

  /// After the PE has drained its inbox.
  void report(std::size_t member, Summary summary) {
    summaries_[member] = std::move(summary);
    arrive(members_[member]);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  // Used by the PE's thread only.
  struct alignas(kNoSharing) Member {
    std::uint64_t passed = kNone;  // the phase that it went through last
    std::uint64_t adopted = 0;     // the phase whose round it adopted
  };

  void arrive(Member& member) {
    const std::uint64_t phase =
        phase_.load(std::memory_order_relaxed);  // cannot change before this PE arrives
    member.passed = phase;
    // Acquire and release: the last to arrive sees the summaries of all, and passes them on with the phase.
    const std::size_t before = arrived_.fetch_add(1, std::memory_order_acq_rel);
    if (before == 0 && phase % 2 == 0) began_ = Clock::now();
    if (before + 1 < members_.size()) return;
    arrived_.store(0, std::memory_order_relaxed);
    if (phase % 2 == 1) {
      round_ = conclude_(summaries_);
      latency_s_ += std::chrono::duration<double>(Clock::now() - began_).count();
    }
    phase_.store(phase + 1, std::memory_order_release);
  }

  const bool is_barrier_;
  std::vector<Member> members_;
  std::vector<Summary> summaries_;  // each written by its PE before it arrives, read by the last to arrive
  Conclude conclude_;
  Round round_;           // written by the last to arrive, read by all after the phase has opened
  double latency_s_ = 0;  // likewise
  // Written by the first to cut, after it has arrived there: it arrives once more before this is read.
  Clock::time_point began_;
  alignas(kNoSharing) std::atomic<std::uint64_t> phase_{0};  // even: cut, odd: report
  alignas(kNoSharing) std::atomic<std::size_t> arrived_{0};
};

}  // namespace anachron::sync
