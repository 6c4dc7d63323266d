#include "lp/lp_store.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <anachron/base/platform.hpp>

namespace anachron::lp {
namespace {

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// Where an LP's state begins behind its cell, and the next LP.
struct Layout {
  std::size_t state_offset, stride;
};
Layout layout_of(const event::LpOps& ops) {
  const std::size_t state_offset = round_up(sizeof(LpCell), ops.alignment);
  return {state_offset, round_up(state_offset + ops.bytes, std::max(ops.alignment, kCacheLine))};
}

/// The groups of a PE, each with the first LP as leader.
class Groups {
 public:
  explicit Groups(unsigned lps_per_group) : lps_per_group_(lps_per_group) {}
  void add(LpCell& lp) {
    if (in_group_ == 0) leader_ = &lp;
    lp.leader = leader_;
    in_group_ = (in_group_ + 1) % lps_per_group_;
  }

 private:
  unsigned lps_per_group_, in_group_ = 0;
  LpCell* leader_ = nullptr;
};

}  // namespace

std::uint64_t LpStore::bytes_of(const event::LpTypeEntry& type) {
  return std::uint64_t{type.count} * layout_of(*type.ops).stride;
}

LpStore::LpStore(std::vector<event::LpTypeEntry> types, Owners owners)
    : types_(std::move(types)),
      owners_(std::move(owners)),
      size_(static_cast<std::uint32_t>(owners_.size())) {
  for (const auto& type : types_) {
    const auto [state_offset, stride] = layout_of(*type.ops);
    memory_.emplace_back(std::max<std::size_t>(stride * type.count, 1));
    rows_.push_back({.first = type.first,
                     .count = type.count,
                     .base = memory_.back().data(),
                     .stride = stride,
                     .ops = type.ops,
                     .state_offset = state_offset,
                     .fetched = std::min(stride, kFetched),
                     .shared = type.shared,
                     .name_hash = type.ops->name_hash});
  }
  constructed_.resize(owners_.pes());
  hosts_.resize(constructed_.size());
  std::iota(hosts_.begin(), hosts_.end(), PeId{0});
}

void LpStore::consolidate(std::size_t hosts, std::size_t pes) {
  for (std::size_t owner = 0; owner < hosts_.size(); ++owner)
    hosts_[owner] = static_cast<PeId>(owner * hosts / pes);
}

LpStore::~LpStore() {
  owners_.for_each_row([this](LpId first, LpId end, PeId owner) {
    if (!constructed_[owner]) return;
    for (LpId id = first; id < end; ++id) event::destroy_state(*type_of(id).ops, state(id));
  });
}

void LpStore::construct(PeId owner, unsigned lps_per_group) {
  if (owner >= constructed_.size()) return;  // a PE beyond the last LP
  Groups groups(lps_per_group);
  for_each_of({owner, 1}, [&](LpId id) {
    groups.add(*::new (&cell(id)) LpCell{});
    event::construct_state(*type_of(id).ops, state(id));
  });
  constructed_[owner] = 1;
}

void LpStore::move(std::span<const Move> moves, PeRange own, unsigned lps_per_group) {
  std::vector<PeId> owners = owners_.of_lps();
  for (const Move& move : moves) {
    const bool was_here = own.contains(owners[move.lp]), will_be = own.contains(move.to);
    owners[move.lp] = move.to;
    for (std::size_t pe = constructed_.size(); pe <= move.to; ++pe) {  // that had no LPs so far
      constructed_.push_back(own.contains(static_cast<PeId>(pe)));
      hosts_.push_back(static_cast<PeId>(pe));
    }
    if (was_here == will_be) continue;
    if (was_here) {
      event::destroy_state(*type_of(move.lp).ops, state(move.lp));
    } else {
      LpCell& cell = *::new (&this->cell(move.lp)) LpCell{};
      cell.leader = &cell;
      event::construct_state(*type_of(move.lp).ops, state(move.lp));
    }
  }
  owners_ = Owners(owners);
  by_owner_ = std::make_unique<ByOwner>();
  if (lps_per_group == 1) return;  // each leads itself
  std::vector<Groups> groups(constructed_.size(), Groups(lps_per_group));
  for_each_of(own, [&](LpId id) { groups[owners[id]].add(cell(id)); });
}

const std::vector<std::vector<LpId>>& LpStore::by_owner() const {
  std::call_once(by_owner_->is_made, [this] {
    by_owner_->lps.resize(constructed_.size());
    owners_.for_each_row([this](LpId first, LpId end, PeId owner) {
      for (LpId id = first; id < end; ++id) by_owner_->lps[owner].push_back(id);
    });
  });
  return by_owner_->lps;
}

std::uint64_t LpStore::bytes() const {
  std::uint64_t sum = 0;
  for (const Row& row : rows_) sum += row.stride * row.count;
  return sum;
}

std::uint64_t LpStore::bytes(PeRange owners) const {
  std::uint64_t sum = 0;
  owners_.for_each_row([&](LpId first, LpId end, PeId owner) {
    if (!owners.contains(owner)) return;
    for (const Row& row : rows_) {
      const LpId from = std::max(first, row.first), to = std::min(end, row.first + row.count);
      if (from < to) sum += row.stride * (to - from);
    }
  });
  return sum;
}

std::string LpStore::name(LpId id) const {
  const auto& type = type_of(id);
  return fmt::format("{} {}", type.name(), id - type.first);
}

}  // namespace anachron::lp
