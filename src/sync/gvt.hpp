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
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <anachron/base/platform.hpp>

#include "sync/round.hpp"

namespace anachron::sync {

/// What a PE should do for GVT now.
enum class Duty : std::uint8_t { none, adopt, cut, report };

class Gvt {
 public:
  using Conclude = std::function<Round(std::span<const Summary>)>;

  /// `conclude` is called once per round, by the thread of the last PE to report.
  Gvt(std::size_t members, Conclude conclude)
      : members_(members), summaries_(members), conclude_(std::move(conclude)) {}

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
  // Used by the PE's thread only.
  struct alignas(kNoSharing) Member {
    std::uint64_t passed = ~std::uint64_t{0};  // the phase that it went through last
    std::uint64_t adopted = 0;                 // the phase whose round it adopted
  };

  void arrive(Member& member) {
    const std::uint64_t phase =
        phase_.load(std::memory_order_relaxed);  // cannot change before this PE arrives
    member.passed = phase;
    // Acquire and release: the last to arrive sees the summaries of all, and passes them on with the phase.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < members_.size()) return;
    arrived_.store(0, std::memory_order_relaxed);
    if (phase % 2 == 1) {
      const std::uint64_t number = round_.number + 1;
      round_ = conclude_(summaries_);
      round_.number = number;
    }
    phase_.store(phase + 1, std::memory_order_release);
  }

  std::vector<Member> members_;
  std::vector<Summary> summaries_;  // each written by its PE before it arrives, read by the last to arrive
  Conclude conclude_;
  Round round_;  // written by the last to arrive, read by all after the phase has opened
  alignas(kNoSharing) std::atomic<std::uint64_t> phase_{0};  // even: cut, odd: report
  alignas(kNoSharing) std::atomic<std::size_t> arrived_{0};
};

}  // namespace anachron::sync
