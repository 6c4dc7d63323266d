// Run, for LPs that move between two terms: from PE to PE, and over ranks from rank to rank.
#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "checkpoint/records.hpp"
#include "engine/checkpoint/restored.hpp"
#include "engine/ranks/archived.hpp"
#include "engine/terms/run.hpp"

namespace anachron::engine {
namespace {

/// What goes from one rank to another one.
struct Moved {
  transport::Bytes lps, events;
};

}  // namespace

/// Consolidation gives the events to their new owners.
void Run::migrate() {
  LpMigration::Plan plan;
  if (has_room_to_expand()) plan = migration_->plan(migration_->tally().loads());
  migration_->take(plan);
  if (!plan.moves.empty()) move(plan.moves);
}

/// Multicasts that wait become an event for each receiver: they are for the LPs that a PE has had.
bool Run::has_room_to_expand() {
  std::uint64_t bytes = 0;
  for (const auto& pe : pes_) bytes += pe->bytes_to_expand();
  return budget_.taken() + bytes <= budget_.limit() / 2;
}

void Run::move(std::span<const lp::Move> moves) {
  for_each_pe([](pe::Consolidable& pe) { pe.expand_waiting(); });
  lps_.move(moves, pe_ids_.own, config_.lps_per_group);
  for_each_pe([](pe::Consolidable& pe) { pe.forget_owners(); });
}

/// On all ranks, when all that was sent has arrived. What moves travels as in a checkpoint.
void Run::migrate_over_ranks() {
  const LpMigration::Plan plan = agree_on_moves();
  migration_->take(plan);
  if (plan.moves.empty()) return;
  const fabric::RankLayout& layout = ranks_->layout();
  std::vector<Moved> to_each(layout.ranks());
  checkpoint::RecordWriter records(lps_, ranks_->event_types());
  for (const lp::Move& move : plan.moves)
    if (pe_ids_.own.contains(lps_.owner(move.lp)) && !pe_ids_.own.contains(move.to))
      records.add(to_each[layout.rank_of(move.to)].lps, move.lp);
  const std::uint64_t bytes_before = lps_.bytes(pe_ids_.own);
  move(plan.moves);
  budget_.take_shared(static_cast<std::int64_t>(lps_.bytes(pe_ids_.own) - bytes_before));
  number_histories_anew();
  for (const auto& pe : pes_) {
    pe->give_away([&](event::EventHeader& e) {
      return pe_ids_.own.contains(lps_.owner(e.receiver)) && pe_of(e.receiver).import_event(e);
    });
    pe->hand_out([&](const event::EventHeader& e) {
      records.add(to_each[layout.rank_of(lps_.owner(e.receiver))].events, e);
    });
  }
  std::vector<transport::Bytes> bytes;
  for (const Moved& moved : to_each) bytes.push_back(archived(moved));
  for (const transport::Bytes& from : ranks_->exchange().all_to_all(std::move(bytes))) import_moved(from);
}

LpMigration::Plan Run::agree_on_moves() {
  if (ranks_->any(!has_room_to_move() || !has_room_to_expand())) return {};
  const std::span<const std::uint32_t> counted = migration_->tally().loads();
  std::vector<std::uint32_t> own;
  if (!counted.empty()) lps_.for_each_of(pe_ids_.own, [&](LpId lp) { own.push_back(counted[lp]); });
  const std::vector<transport::Bytes> all = ranks_->exchange().gather(archived(own));
  LpMigration::Plan plan;
  if (!all.empty()) {
    std::vector<std::uint32_t> loads(lps_.size());
    for (unsigned rank = 0; rank < all.size(); ++rank) {
      const auto of_rank = unarchived<std::vector<std::uint32_t>>(all[rank]);
      auto next = of_rank.begin();
      lps_.for_each_of(ranks_->layout().range(rank),
                       [&](LpId lp) { loads[lp] = next == of_rank.end() ? 0 : *next++; });
    }
    plan = migration_->plan(loads);
  }
  return unarchived<LpMigration::Plan>(ranks_->exchange().broadcast(archived(plan)));
}

/// LPs remember numbers of their PE's history.
void Run::number_histories_anew() {
  std::uint64_t index = 0;
  for (const auto& pe : pes_) index = std::max(index, pe->newest_index());
  for_each_pe([&](pe::Pe& pe) {
    pe.set_mode(consolidation_.mode());
    pe.number_history_from(index);
  });
}

void Run::import_moved(const transport::Bytes& from) {
  const auto moved = unarchived<Moved>(from);
  checkpoint::read_lps(moved.lps, lps_,
                       [this](const checkpoint::LpRecord& record) { restore_lp(lps_, record); });
  const auto type_of = [this](std::uint64_t number) -> const event::TypeTable::Entry& {
    if (const auto* const entry = ranks_->event_types().find(static_cast<std::uint32_t>(number)))
      return *entry;
    throw std::logic_error("anachron: internal error: an event of no type");
  };
  checkpoint::read_events(moved.events, lps_, type_of, [this](const checkpoint::EventRecord& record) {
    restore_event(pe_of(record.receiver), record);
  });
}

}  // namespace anachron::engine
