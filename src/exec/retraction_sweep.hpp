// Finds the pending events that are certain to be taken back, so that they need not wait for their time:
// timers that are set anew again and again would fill the memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <anachron/base/hash.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/key.hpp>

namespace anachron::exec {

/// Of a PE.
class RetractionSweep {
 public:
  static constexpr std::uint64_t kFew = 4096;

  /// Whether a sweep pays: it looks at all pending events twice. `waiting`: retractions that may be pending.
  /// `pending`: events that are. At most one in four is a retraction, so at most half of them wait in vain.
  /// `few`: not worth a sweep, kFew outside of tests.
  bool is_due(std::uint64_t waiting, std::size_t pending, std::uint64_t few) const {
    return waiting > few && 4 * waiting > pending && waiting > 2 * left_;
  }

  void begin() {
    certain_.clear();
    left_ = 0;
  }
  /// A retraction that is pending, and whether it is to go.
  void add(event::EventHeader& retraction, bool is_certain) {
    is_certain ? certain_.push_back(&retraction) : static_cast<void>(++left_);
  }
  /// No more is added.
  void index() {
    slots_.assign(std::bit_ceil(2 * certain_.size() + 1), {});
    for (const event::EventHeader* retraction : certain_) {
      const std::uint64_t hash = hash_of(*retraction);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at].retraction) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {hash, retraction};
    }
  }
  /// Whether one that is to go takes this event back.
  bool takes_back(const event::EventHeader& e) const {
    const std::uint64_t hash = hash_of(e);
    for (std::size_t at = hash & (slots_.size() - 1); slots_[at].retraction;
         at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].hash == hash && is_of(*slots_[at].retraction, e)) return true;
    return false;
  }
  /// Those that are to go.
  const std::vector<event::EventHeader*>& certain() const { return certain_; }
  /// Returns how many retractions are left.
  std::uint64_t end() {
    certain_ = {};
    slots_ = {};
    return left_;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    const event::EventHeader* retraction = nullptr;
  };

  /// The same of a retraction and of what it takes back.
  static std::uint64_t hash_of(const event::EventHeader& e) {
    return fold_multiply(e.seq() ^ 0x9e3779b97f4a7c15ull, e.sender ^ 0xc2b2ae3d27d4eb4full);
  }
  static bool is_of(const event::EventHeader& retraction, const event::EventHeader& e) {
    return retraction.receiver == e.receiver && retraction.key().successor() == e.key();
  }

  std::vector<event::EventHeader*> certain_;
  std::vector<Slot> slots_;  // open addressing; a power of two, at most half of them used
  std::uint64_t left_ = 0;
};

}  // namespace anachron::exec
