// Guarantees that GVT's time advances where models send without delay.
//
// A wrong chain of zero-delay sends can go on as fast as its cancellation follows it. GVT's time then stands
// still while its step grows. So where rounds commit nothing and GVT's time stands, fewer and fewer steps
// beyond GVT's may be executed at that time, in the end none.
//
// Why that is enough: what sorts before GVT's step has committed. So every event at GVT's step that can still
// be cancelled has its cancellation in its PE's inbox, which the PE empties before it executes anything.
// What is executed at GVT's step is therefore right, and what is wrong beyond it can only be cancelled.
// Commits at one time are finite in number, so the limit is reached. Lemma 13 in
// docs/inside/why-the-results-are-the-same.md has the argument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <anachron/event/key.hpp>

namespace anachron::gvt {

/// Consulted once per GVT round of an optimistic run, by the thread that concludes it.
class StepLimit {
 public:
  /// The first step at the bound's time that has to wait; kStepEnd: none has to. `refused`: as Summary has
  /// it. `committed`: events of the run so far.
  std::uint32_t step_end(const event::EventKey& bound, const std::optional<event::EventKey>& refused,
                         std::uint64_t committed) {
    const bool advances = bound.time != time_ || committed != committed_;
    time_ = bound.time;
    committed_ = committed;
    rounds_ = advances ? 0 : rounds_ + 1;
    if (rounds_ < kPatience) return event::kStepEnd;
    const std::uint32_t step = event::step_of(bound.order);
    const std::uint32_t ahead = kFirst >> std::min(rounds_ - kPatience, 31u);
    if (ahead > 0) return std::min(step + 1 + ahead, event::kStepEnd);
    // A cancellation that its PE cannot see yet may be for an event at this step.
    const bool is_unseen = refused && refused->time == bound.time;
    return is_unseen ? std::min(event::step_of(refused->order), step + 1) : step + 1;
  }
  /// Only the events at GVT's step are executed, so nothing later in time is either.
  bool is_strict() const { return rounds_ >= kPatience + kHalvings; }

 private:
  static constexpr unsigned kPatience = 2;  // rounds that commit nothing, as where a worker has lost its core
  static constexpr unsigned kHalvings = 6;
  static constexpr std::uint32_t kFirst = 1u << (kHalvings - 1);  // steps beyond GVT's

  Time time_ = -1;
  std::uint64_t committed_ = 0;
  unsigned rounds_ = 0;  // in a row in which GVT's time stood and nothing was committed
};

}  // namespace anachron::gvt
