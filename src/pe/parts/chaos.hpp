// Adversity on demand, for tests (`--test-chaos`): odd batch sizes, late mail, yields, and rollbacks that
// nothing called for. Invariant: none of it changes what is committed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>

#include <anachron/base/hash.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/key.hpp>

#include "observe/watch.hpp"

namespace anachron::pe {

class Chaos {
 public:
  /// `seed` 0: never does anything.
  Chaos(unsigned seed, PeId pe) : on_(seed != 0), state_(mix64(seed * 65537ull + pe)) {}

  bool on() const { return on_; }

  /// True once in `n` times.
  bool strikes(std::uint64_t n) { return on_ && next() % n == 0; }

  /// A batch size from 1 to `limit`.
  unsigned batch(unsigned limit) { return on_ ? 1 + static_cast<unsigned>(next() % limit) : limit; }

  /// Lets other threads overtake.
  void maybe_yield() {
    if (strikes(4)) std::this_thread::yield();
  }

  /// Between a PE's adopting a round and its next report, events from the round's bound on may be rolled
  /// back: the report will count them. At other times a real straggler could not reach them either.
  void allow_rollback_from(const std::optional<event::EventKey>& bound) { from_ = bound; }
  /// What sorts before `key` must not be rolled back any more.
  void spare(const std::optional<event::EventKey>& key) {
    if (from_ && key && *from_ < *key) from_ = key;
  }
  void forbid_rollback() { from_.reset(); }

  /// Rolls an executed event of the PE back, with all later ones of its group.
  template <class Pe>
  void maybe_roll_back(Pe& pe) {
    if (!from_ || pe.uncertain() == 0 || !strikes(3)) return;
    auto skip = next() % std::min<std::uint64_t>(pe.uncertain(), kReach);
    auto* record = pe.first_uncertain();
    while (skip-- > 0) record = record->next;
    if (!record->event || record->event->key() < *from_) return;
    pe.undo_if_straggler(*pe.group_of(*record->event), *record->event, observe::Cause::engine);
    pe.annihilate_local();
  }

 private:
  static constexpr std::uint64_t kReach = 128;  // how far into the history a rollback is provoked

  std::uint64_t next() { return state_ = mix64(state_ + 0x9e3779b97f4a7c15ull); }

  bool on_;
  std::uint64_t state_;
  std::optional<event::EventKey> from_;
};

}  // namespace anachron::pe
