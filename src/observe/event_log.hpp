// A log of what has committed at a PE: the base of exact what-if (replay/recorded.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <anachron/event/header.hpp>

#include "mem/pages/page_arena.hpp"
#include "observe/run_control.hpp"

namespace anachron::observe {

/// What all logs of a run may take. Any thread, but for interrupt_at.
class LogRoom {
 public:
  explicit LogRoom(std::uint64_t limit) : limit_(limit) {}

  /// More was taken. Returns whether it is within the limit.
  bool take(std::uint64_t bytes) {
    const std::uint64_t now = taken_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (now > interrupts_at_ && control_) control_->interrupt();
    return now <= limit_;
  }
  /// The run is interrupted when more than that is taken. While no thread takes anything.
  void interrupt_at(std::uint64_t taken) { interrupts_at_ = taken; }
  void be_of(RunControl& control) { control_ = &control; }
  void give_back(std::uint64_t bytes) { taken_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::uint64_t limit() const { return limit_; }
  std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  std::uint64_t interrupts_at_ = ~std::uint64_t{0};
  RunControl* control_ = nullptr;
  std::atomic<std::uint64_t> taken_{0};  // a sum (relaxed): nothing is read through it
};

/// Of a PE, and used by the thread that runs it. Invariant: it has copies of all that has committed since it
/// was begun, or is `lost` and has none.
class EventLog {
 public:
  explicit EventLog(LogRoom& room) : room_(room) {}
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;
  ~EventLog() { clear(); }

  void committed(const event::EventHeader& e) { add(e, event::Status::executed); }
  /// `target`: what the retraction has taken back; null: nothing.
  void committed(const event::EventHeader& retraction, const event::EventHeader* target);

  /// Of the other log, what was taken back, with its retractions, from that time on.
  void keep_retracted(const EventLog& other, Time from);

  /// No more will commit: gives up what it has of memory for that.
  void end() { events_.shrink_to_fit(); }
  /// Moves events that are just bytes, so that those of an LP are beside each other. O(events + LPs).
  void lay_out_by_lp();

  enum class Loss : std::uint8_t { none, memory, copying, irrevocable };
  /// Why there is nothing.
  Loss lost() const { return lost_; }
  /// Those of an LP in the order in which they committed, which is that of their keys. But what was taken
  /// back may have committed earlier. Those of several LPs: as they committed, until they are laid out by LP.
  /// The status is `executed`, `retraction` (then only the header counts), or `retracted` for what was taken
  /// back.
  std::span<event::EventHeader* const> events() const { return events_; }
  std::uint64_t bytes() const {
    return plain_.bytes() + others_.bytes() + events_.capacity() * sizeof(events_[0]);
  }

 private:
  void add(const event::EventHeader& e, event::Status as) noexcept;
  void lose(Loss why) noexcept;
  void clear() noexcept;

  LogRoom& room_;
  mem::PageArena plain_, others_;  // of events that may be moved as bytes, and of others
  std::vector<event::EventHeader*> events_;
  std::size_t laid_out_ = 0;  // so many of them were
  std::uint64_t counted_ = 0;
  Loss lost_ = Loss::none;
};

}  // namespace anachron::observe
