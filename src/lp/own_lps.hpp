// The LPs as one PE sees them: which it executes events for. Invariant: during a term each LP has one
// host, its owner or the PE that stands in for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>

#include "lp/lp_store.hpp"

namespace anachron::lp {

class OwnLps {
 public:
  OwnLps(LpStore& store, PeId self) : store_(store), self_(self) {}

  PeId self() const { return self_; }
  LpStore& store() const { return store_; }
  const LpStore* operator->() const { return &store_; }

  /// Whether the PE executes the LP's events. Mostly without a look at the table of owners, which is large.
  bool own(LpId id) const { return id - first_ < count_ || store_.host(id) == self_; }
  /// Copies to `own` the events that the PE is to execute, to `others` the rest. Returns how many are its
  /// own. No branch depends on an event.
  std::size_t split(std::span<event::EventHeader* const> events, std::span<event::EventHeader*> own,
                    std::span<event::EventHeader*> others) const {
    const auto split_by = [&](const auto& is_own) {
      std::size_t count = 0, rest = 0;
      for (event::EventHeader* const e : events) {
        const bool mine = is_own(e->receiver);
        own[count] = e;
        others[rest] = e;
        count += mine;
        rest += !mine;
      }
      return count;
    };
    if (is_row_) return split_by([this](LpId id) { return id - first_ < count_; });
    return split_by([this](LpId id) { return store_.host(id) == self_; });
  }

  /// Constructs those that it owns, see LpStore::construct.
  void construct(unsigned lps_per_group);
  /// To be called when others stand in for the PE, or it for others, or no longer. Complexity: O(rows of
  /// owners).
  void look_again();
  /// Memory of the LPs that it executes events for, about.
  std::uint64_t bytes() const { return bytes_; }
  /// Whether it executes no LP's events.
  bool is_idle() const { return count_ == 0; }
  /// Calls `visit(id)` for each that it owns, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    store_.for_each_of({self_, 1}, visit);
  }

 private:
  LpStore& store_;
  const PeId self_;
  // The longest row of those that it executes events for.
  LpId first_ = 0;
  std::uint32_t count_ = 0;
  bool is_row_ = false;  // there are no others
  std::uint64_t bytes_ = 0;
};

}  // namespace anachron::lp
