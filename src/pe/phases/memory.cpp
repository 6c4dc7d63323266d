// PeCore, memory: what it takes, and how it gives some back. gvt/decisions/memory_guard.hpp decides when.
#include <new>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

/// Less than 0 when it has freed more blocks of others than it has taken: only the sum over PEs tells what is
/// in use.
std::int64_t PeCore::taken_bytes() const {
  return pool_.taken_bytes() +
         static_cast<std::int64_t>(arena_.bytes() + saving_.bytes() + pending_.bytes() +
                                   progress_.way_out_bytes + lazy_.bytes() + watch_.lane_bytes());
}

/// Ends the run at once when the system has no memory, or when the PE has used up its match ids: then others
/// would get the same.
void PeCore::throw_if_exhausted() const {
  if (memory_.is_exhausted()) throw std::bad_alloc();
  if (frame_.next_match.is_near_end())
    throw std::runtime_error(fmt::format("PE {} has sent all the events that a PE can send in a run", id()));
}

/// Rolls back all that was executed at or after the retreat's time and does not commit, and takes back at
/// once what it sent.
void PeCore::retreat(const gvt::Round& round) {
  const Time to = *round.memory.retreat;
  const std::optional<event::EventKey> bound = final_bound(round);
  take_back(first_uncertain(), bound, to);
  cancel_all_unconfirmed();
  fold_multicasts(bound, to);
  if (progress_.frontier.time() > to) progress_.frontier.go_back_to(to);
}

/// Gives others what this PE can do without, and goes on if there is memory for it.
void PeCore::obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound) {
  if (order.is_tight) {
    if (cancelled_.waiting > (order.use == gvt::MemoryUse::sparing ? pending_.size() / 16 : 0))
      purge_cancelled();
    compact_pending();
    arena_.trim();
    outbox_.trim();
    progress_.way_out_bytes = outbox_.bytes();
  }
  pool_.share(order.is_tight);
  memory_.obey(order, bound, taken_bytes(), figures_.executed);
}

void PeCore::compact_pending() {
  if (!memory_.should_compact(figures_.executed, pending_.size(), pending_.bytes())) return;
  std::vector<event::EventHeader*> events;
  events.reserve(pending_.size());
  pending_.remove_if([&](event::EventHeader* e) {
    events.push_back(e);
    return true;
  });
  pending_.release_memory();
  for (event::EventHeader* e : events) pending_.insert(e);
  memory_.compacted(figures_.executed, pending_.size(), pending_.bytes());
}

/// LPs leave the cache where they are too many for it, and where what is executed before it commits goes
/// through it.
void PeCore::foresee_misses() {
  // What a core's cache holds beside pending events: with more in it, it pays to fetch LPs ahead, with less
  // it costs 4%.
  constexpr std::uint64_t kCached = std::uint64_t{768} << 10;
  constexpr std::uint64_t kPerEvent = sizeof(lp::Record) + sizeof(event::EventHeader);
  execution_.fetches_lps = lps_.bytes() + history_.size() * kPerEvent > kCached;
}

}  // namespace anachron::pe
