// The door of the room `lp`: the states of LPs, the history of what was executed, and who owns an LP.
//
// This file has the LPs: each a cell of counters and history links with the model's state behind it, in one
// array per LP type. Invariant: only the PE that owns an LP reads or writes its cell and state.
// Read on in lp/history.hpp (the records of executed events) and lp/record.hpp (one of them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/pages.hpp>

#include "base/owners.hpp"
#include "lp/record.hpp"

namespace anachron::lp {

/// Where an LP stands in sparse state saving. Few bits, so that a small state shares the cell's cache line.
struct Checkpoint {
  static constexpr int kIndexBits = 48, kSinceBits = 15;
  static constexpr std::uint64_t kMostSince = (1u << kSinceBits) - 1;

  std::uint64_t copy_index : kIndexBits = 0;  ///< the record with the LP's newest copy; 0: not known
  std::uint64_t since_copy : kSinceBits = 0;  ///< the LP's events since then, that one included
  std::uint64_t is_lost : 1 = 0;              ///< the state has to be brought back: Pe::coast_forward

  void note_copy(std::uint64_t index) {
    copy_index = index & ((std::uint64_t{1} << kIndexBits) - 1);
    since_copy = 1;
  }
  void note_event_without_copy() {
    if (since_copy < kMostSince) ++since_copy;
  }
};

/// An LP as the kernel sees it. Used by the PE that owns it.
struct LpCell {
  event::LpCounters counters;
  LpCell* leader;            ///< the cell that keeps the history links of this LP's group
  Record* newest = nullptr;  ///< leader: the group's newest record, if `newest_index` is still in the log
  std::uint64_t newest_index = 0;
  Checkpoint checkpoint;
};
static_assert(sizeof(LpCell) == 56);

/// All that the kernel needs to execute an event at an LP.
struct LpRef {
  LpCell& cell;
  void* state;
  const event::LpOps& ops;
  std::size_t type;        ///< index of its type
  std::uint64_t identity;  ///< LpTypeEntry::identity
};

/// An LP gets another owner.
struct Move {
  LpId lp;
  PeId to;

  friend bool operator==(const Move&, const Move&) = default;
};

class LpStore {
 public:
  /// Lays out memory for the LPs.
  LpStore(std::vector<event::LpTypeEntry> types, Owners owners);
  LpStore(const LpStore&) = delete;
  LpStore& operator=(const LpStore&) = delete;
  ~LpStore();

  /// Constructs the LPs that a PE owns and forms its groups of `lps_per_group`. Called by the thread that is
  /// to run the PE, so that the pages come from its NUMA node.
  void construct(PeId owner, unsigned lps_per_group);

  std::span<const event::LpTypeEntry> types() const { return types_; }
  std::uint32_t size() const { return size_; }
  PeId owner(LpId id) const { return owners_[id]; }
  /// The PE that executes the LP's events: its owner, unless another one stands in for that.
  PeId host(LpId id) const { return host_of(owner(id)); }
  PeId host_of(PeId owner) const { return hosts_[owner]; }
  /// Fetches what `owner` will read.
  ANACHRON_INLINE void fetch_owner(LpId id) const { owners_.fetch(id); }
  /// From now on the first `hosts` of `pes` PEs stand in for all, each for neighbours. When no thread runs
  /// any. Precondition: 1 <= hosts <= pes, and there are no other ranks.
  void consolidate(std::size_t hosts, std::size_t pes);
  /// Gives LPs to other owners, and forms the groups anew. `own`: the PEs of this process. LPs that come from
  /// another one are constructed, and those that go to another one destroyed. When no thread runs any PE and
  /// there is no history. What `by_owner` has returned is gone. O(LPs).
  void move(std::span<const Move> moves, PeRange own, unsigned lps_per_group);
  /// The ids of each PE's LPs, ascending. Made when first asked for, by any thread.
  const std::vector<std::vector<LpId>>& by_owner() const;
  const Owners& owners() const { return owners_; }
  /// Calls `visit(id)` for each LP that these PEs own, ascending. O(their LPs + rows of owners).
  template <class Visit>
  void for_each_of(PeRange owners, Visit&& visit) const {
    owners_.for_each_row([&](LpId first, LpId end, PeId owner) {
      if (!owners.contains(owner)) return;
      for (LpId id = first; id < end; ++id) visit(id);
    });
  }
  /// Memory of the LPs: cells and states, without what states own elsewhere.
  std::uint64_t bytes() const;
  /// The same of those that these PEs own. O(rows of owners).
  std::uint64_t bytes(PeRange owners) const;
  /// The same of LPs of a type that are not there yet.
  static std::uint64_t bytes_of(const event::LpTypeEntry& type);

  std::size_t type_index(LpId id) const { return static_cast<std::size_t>(&row(id) - rows_.data()); }
  const event::LpTypeEntry& type_of(LpId id) const { return types_[type_index(id)]; }
  std::uint64_t identity(LpId id) const {
    const Row& of_type = row(id);
    return event::lp_identity(of_type.name_hash, id - of_type.first);
  }
  LpCell& cell(LpId id) const { return *reinterpret_cast<LpCell*>(row(id).address(id)); }
  /// Fetches what the event will touch: its LP's cell and state, or their beginning, and what the model
  /// names.
  ANACHRON_INLINE void fetch_for(const event::EventHeader& e) const {
    const Row& of_type = row(e.receiver);
    const std::byte* const cell = of_type.address(e.receiver);
    prefetch(cell);
    for (std::size_t line = kCacheLine; line < of_type.fetched; line += kCacheLine) prefetch(cell + line);
    if (e.ops->has_foresee) e.ops->foresee(of_type.shared, e.receiver - of_type.first, e);
  }
  void* state(LpId id) const {
    const Row& of_type = row(id);
    return of_type.address(id) + of_type.state_offset;
  }

  ANACHRON_INLINE LpRef at(LpId id) const {
    const Row& of_type = row(id);
    std::byte* const cell = of_type.address(id);
    return {*reinterpret_cast<LpCell*>(cell), cell + of_type.state_offset, *of_type.ops,
            static_cast<std::size_t>(&of_type - rows_.data()),
            event::lp_identity(of_type.name_hash, id - of_type.first)};
  }

  /// It was constructed, here: not an LP of another rank.
  bool is_here(LpId id) const { return constructed_[owner(id)]; }

  /// For messages: "Link 17".
  std::string name(LpId id) const;

 private:
  /// All that is asked for with every event about its LP type, in one cache line.
  static constexpr std::size_t kFetched = 4 * kCacheLine;
  struct alignas(kCacheLine) Row {
    LpId first;
    std::uint32_t count;
    std::byte* base;
    std::size_t stride;
    const event::LpOps* ops;
    std::size_t state_offset;
    std::size_t fetched;  // ahead, at most kFetched
    const void* shared;
    std::uint64_t name_hash;

    std::byte* address(LpId id) const { return base + static_cast<std::size_t>(id - first) * stride; }
  };

  const Row& row(LpId id) const {
    const Row* row = rows_.data();
    while (id - row->first >= row->count) ++row;
    return *row;
  }

  std::vector<event::LpTypeEntry> types_;
  std::vector<Row> rows_;  // by type
  std::vector<mem::Pages> memory_;
  Owners owners_;
  const std::uint32_t size_;       // which any thread may ask for while LPs move
  std::vector<PeId> hosts_;        // by owner
  std::vector<char> constructed_;  // by PE
  struct ByOwner {
    std::once_flag is_made;
    std::vector<std::vector<LpId>> lps;
  };
  std::unique_ptr<ByOwner> by_owner_ = std::make_unique<ByOwner>();
};

}  // namespace anachron::lp
