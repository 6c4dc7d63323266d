// Finds the pending events that are certain to be taken back, so that they need not wait for their time.
// Otherwise timers that are set anew again and again would fill the memory.
//
// A sweep looks at one share of the pending events, so that it is short. While a PE sweeps, the others run
// ahead of GVT, and what they cancel meanwhile is not certain. An event and its retraction have the same
// time, so a share is that of the times with the same hash.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <anachron/base/hash.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/key.hpp>

namespace anachron::pe {

/// Of a PE. Invariant: an event and its retraction are in the same share.
class RetractionSweep {
 public:
  static constexpr std::uint64_t kFew = 4096;
  static constexpr unsigned kShares = 8;

  /// Whether a sweep pays. `waiting`: retractions that may be pending. `pending`: events that are. At most
  /// one in four is a retraction, so at most half of them wait in vain. After sweeps that found little, as
  /// many must have come that the next costs each of them no more than looking at 32 entries. `few`: not
  /// worth a sweep, kFew outside of tests.
  bool is_due(std::uint64_t waiting, std::size_t pending, std::uint64_t few) const {
    if (waiting <= few || 4 * waiting <= pending) return false;
    return in_vain_ < kShares || (waiting > left_ && 32 * (waiting - left_) > pending);
  }

  /// Takes the next share out of the pending set.
  template <class Pending>
  void take_from(Pending& pending) {
    taken_.clear();
    share_ = (share_ + 1) % kShares;
    const auto take = [this](event::EventHeader* e) {
      taken_.push_back(e);
      return true;
    };
    pending.remove_if(take, [this](Time time) { return share_of(time) == share_; });
  }
  /// Of the share, the retractions that are to go come first.
  template <class IsCertain>
  void find(IsCertain&& is_certain) {
    certain_ = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (i + kAhead < taken_.size()) prefetch(taken_[i + kAhead]);
      event::EventHeader& e = *taken_[i];
      if (e.status != event::Status::retraction) continue;
      if (is_certain(e))
        std::swap(taken_[i], taken_[certain_++]);
      else
        ++seen_;
    }
    slots_.assign(std::bit_ceil(2 * certain_ + 1), {});
    for (const event::EventHeader* retraction : certain()) {
      const std::uint64_t hash = hash_of(*retraction);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at].retraction) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {hash, retraction};
    }
  }
  std::span<event::EventHeader* const> certain() const { return std::span(taken_).first(certain_); }
  std::span<event::EventHeader* const> others() const { return std::span(taken_).subspan(certain_); }

  /// Whether one that is to go takes this event back.
  bool takes_back(const event::EventHeader& e) const {
    const std::uint64_t hash = hash_of(e);
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at].retraction;
         at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].hash == hash && is_of(*slots_[at].retraction, e)) return true;
    return false;
  }

  /// Returns how many of the `waiting` retractions are left.
  std::uint64_t end(std::uint64_t waiting) {
    in_vain_ = kWorthwhile * certain_ < taken_.size() ? in_vain_ + 1 : 0;
    seen_ += waiting > left_ ? waiting - left_ : 0;
    left_ = waiting - std::min<std::uint64_t>(waiting, certain_);
    // Behind the last share all were seen. `waiting` may be too high: some were cancelled.
    if (share_ + 1 == kShares) left_ = std::min(left_, std::exchange(seen_, 0));
    return left_;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    const event::EventHeader* retraction = nullptr;
  };
  static constexpr std::size_t kAhead = 8;        // events fetched
  static constexpr std::size_t kWorthwhile = 64;  // of so many events that are looked at one should go

  static unsigned share_of(Time time) {
    return static_cast<unsigned>(std::bit_cast<std::uint64_t>(time) * 0x9e3779b97f4a7c15ull >> 61);
  }
  /// The same of a retraction and of what it takes back.
  static std::uint64_t hash_of(const event::EventHeader& e) {
    return fold_multiply(e.place() >> 1 ^ 0x9e3779b97f4a7c15ull, e.sender ^ 0xc2b2ae3d27d4eb4full);
  }
  static bool is_of(const event::EventHeader& retraction, const event::EventHeader& e) {
    return retraction.receiver == e.receiver && retraction.key().successor() == e.key();
  }

  std::vector<event::EventHeader*> taken_;
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half of them used
  std::size_t certain_ = 0;  // of `taken_`
  unsigned share_ = kShares - 1;
  unsigned in_vain_ = 0;    // sweeps in a row that found little
  std::uint64_t left_ = 0;  // after the last sweep
  std::uint64_t seen_ = 0;  // since the first share: left in the shares, or new
};

}  // namespace anachron::pe
