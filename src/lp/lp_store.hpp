// The LPs: each a cell of counters and history links with the model's state behind it, in one array per LP
// type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/pages.hpp>

#include "lp/record.hpp"

namespace anachron::lp {

/// An LP as the kernel sees it. Used by the PE that owns it.
struct LpCell {
  event::LpCounters counters;
  LpCell* leader;            ///< the cell that keeps the history links of this LP's group
  Record* newest = nullptr;  ///< leader: the group's newest record, if `newest_index` is still in the log
  std::uint64_t newest_index = 0;
  LpId id;
};

class LpStore {
 public:
  /// Lays out memory for the LPs; `owners[id]` is the PE that owns LP `id`.
  LpStore(std::vector<event::LpTypeEntry> types, std::vector<PeId> owners);
  LpStore(const LpStore&) = delete;
  LpStore& operator=(const LpStore&) = delete;
  ~LpStore();

  /// Constructs the LPs that a PE owns and forms its groups of `lps_per_group`. Called by the thread that is
  /// to run the PE, so that the pages come from its NUMA node.
  void construct(PeId owner, unsigned lps_per_group);

  std::span<const event::LpTypeEntry> types() const { return types_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(owners_.size()); }
  PeId owner(LpId id) const { return owners_[id]; }

  const event::LpTypeEntry& type_of(LpId id) const { return types_[type_index(id)]; }
  LpCell& cell(LpId id) const { return *reinterpret_cast<LpCell*>(address(id, type_index(id))); }
  void* state(LpId id) const {
    const std::size_t t = type_index(id);
    return address(id, t) + layouts_[t].state_offset;
  }

  /// For messages: "Link 17".
  std::string name(LpId id) const;

 private:
  struct Layout {
    std::byte* base;
    std::size_t stride, state_offset;
  };

  std::size_t type_index(LpId id) const {
    std::size_t t = 0;
    while (id - types_[t].first >= types_[t].count) ++t;
    return t;
  }
  std::byte* address(LpId id, std::size_t t) const {
    return layouts_[t].base + static_cast<std::size_t>(id - types_[t].first) * layouts_[t].stride;
  }

  std::vector<event::LpTypeEntry> types_;
  std::vector<Layout> layouts_;
  std::vector<mem::Pages> memory_;
  std::vector<PeId> owners_;
  std::vector<char> constructed_;  // by PE
};

}  // namespace anachron::lp
