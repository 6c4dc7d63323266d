// The LPs as one PE sees them: which are its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>

#include "lp/lp_store.hpp"

namespace anachron::lp {

/// Of all LPs those that a PE executes events for.
enum class Extent : std::uint8_t {
  own,   ///< those that it owns
  all,   ///< all: it stands in for the other PEs
  none,  ///< none: another one stands in for it
};

class OwnLps {
 public:
  OwnLps(LpStore& store, PeId self) : store_(store), self_(self) {}

  PeId self() const { return self_; }
  LpStore& store() const { return store_; }
  const LpStore* operator->() const { return &store_; }

  /// Whether the PE executes the LP's events, which it does unless another one stands in for it. Mostly
  /// without a look at the table of owners, which is large.
  bool own(LpId id) const { return id - first_ < count_ || store_.owner(id) == self_; }
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
    return split_by([this](LpId id) { return store_.owner(id) == self_; });
  }
  /// The same, also if another one stands in.
  bool serves(LpId id) const { return extent_ != Extent::none && own(id); }

  Extent extent() const { return extent_; }
  void serve(Extent extent);

  /// Constructs them, see LpStore::construct.
  void construct(unsigned lps_per_group);
  /// Calls `visit(id)` for each, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (LpId id = 0; id < store_.size(); ++id)
      if (store_.owner(id) == self_) visit(id);
  }

 private:
  LpStore& store_;
  const PeId self_;
  Extent extent_ = Extent::own;
  struct Row {
    LpId first = 0;
    std::uint32_t count = 0;
  } longest_;  // of those that it owns
  LpId first_ = 0;
  std::uint32_t count_ = 0;
  bool is_row_ = false;  // all that it owns are a row
};

}  // namespace anachron::lp
