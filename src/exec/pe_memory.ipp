// Pe, memory: stopping when there is too little, retreating to free some. sync/memory_guard.hpp decides.

namespace anachron::exec {

template <queue::PendingSet Pending>
std::uint64_t Pe<Pending>::taken_bytes() const {
  const std::int64_t bytes =
      pool_.taken_bytes() + static_cast<std::int64_t>(arena_.bytes() + scratch_.bytes() + pending_.bytes() +
                                                      channel_bytes_ + unconfirmed_bytes());
  return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0));
}

/// After a batch: counts what was taken.
template <queue::PendingSet Pending>
void Pe<Pending>::settle_memory() {
  allowance_.end_batch();
  if (pool_.shares()) channel_bytes_ = router_.bytes();
  allowance_.settle(taken_bytes());
  has_run_short_ |= allowance_.is_short();
}

/// Ends the run at once when the system has no memory, or when the PE has used up its match ids: then others
/// would get the same.
template <queue::PendingSet Pending>
void Pe<Pending>::throw_if_exhausted() const {
  if (has_no_memory_) throw std::bad_alloc();
  if (frame_.next_match.is_near_end())
    throw std::runtime_error(fmt::format("PE {} has sent all the events that a PE can send in a run", self_));
}

/// There is no memory to execute the event in, which is in nobody's hands now.
template <queue::PendingSet Pending>
void Pe<Pending>::give_up(event::EventHeader& e) {
  drop(e);
  throw std::bad_alloc();
}

/// The events of `start` are all pending at time 0, in every mode: there is nothing to retreat from.
template <queue::PendingSet Pending>
void Pe<Pending>::check_start_memory() {
  allowance_.settle(taken_bytes());
  if (allowance_.budget().taken() > allowance_.budget().at_most())
    throw_too_little_memory(allowance_.budget(), 0);
}

/// The first event of all does not wait for memory: if it cannot be executed, the sequential run could not
/// execute it either.
template <queue::PendingSet Pending>
bool Pe<Pending>::may_execute_though_short() {
  if (!first_of_all_) return false;
  const event::EventHeader* const e = first_waiting();
  if (!e || !(e->key() == *first_of_all_)) return false;
  allowance_.reopen(mem::Allowance::Use::to_the_last);
  first_of_all_.reset();
  return true;
}

template <queue::PendingSet Pending>
sync::Shortage Pe<Pending>::shortage() {
  const bool has_run_short = std::exchange(has_run_short_, false);
  if (allowance_.is_short() && figures_.executed == executed_at_adopt_ && !allowance_.has_room()) {
    const event::EventHeader* const e = first_waiting();
    if (e && e->time < horizon_) return sync::Shortage::stalled;
  }
  return has_run_short ? sync::Shortage::ran_short : sync::Shortage::none;
}

/// Rolls back all that was executed at or after the retreat's time and does not commit, and takes back at
/// once what it sent.
template <queue::PendingSet Pending>
void Pe<Pending>::retreat(const sync::Round& round) {
  const Time to = *round.memory.retreat;
  const std::optional<event::EventKey> bound = final_bound(round);
  take_back(first_uncertain(), bound, to);
  cancel_all_unconfirmed();
  fold_carriers(bound, to);
  if (latest_ > to) latest_ = to;
}

/// Gives others what this PE can do without, and goes on if there is memory for it.
template <queue::PendingSet Pending>
void Pe<Pending>::obey(const sync::MemoryOrder& order, const std::optional<event::EventKey>& bound) {
  if (order.is_tight) {
    if (cancelled_ > (order.use == sync::MemoryUse::sparing ? pending_.size() / 16 : 0)) purge_cancelled();
    compact_pending();
    arena_.trim();
    router_.trim();
    channel_bytes_ = router_.bytes();
  }
  pool_.share(order.is_tight);
  allowance_.settle(taken_bytes());
  executed_at_adopt_ = figures_.executed;
  first_of_all_.reset();
  allowance_.reopen(order.use == sync::MemoryUse::sparing ? mem::Allowance::Use::sparing
                                                          : mem::Allowance::Use::to_the_last);
  if (order.use == sync::MemoryUse::first_only) first_of_all_ = bound;
  if (first_of_all_ || !allowance_.has_room()) allowance_.run_short();
}

/// Builds the pending set anew when it holds on to much more memory than its events need: pending sets keep
/// what they have once taken.
template <queue::PendingSet Pending>
void Pe<Pending>::compact_pending() {
  if (allowance_.budget().taken() < allowance_.budget().for_events()) return;
  if (figures_.executed - executed_at_compact_ < pending_.size()) return;  // amortised O(1) per event
  constexpr std::size_t kEntry = sizeof(queue::Entry);
  if (pending_.bytes() <= (pending_overhead_ + kEntry * pending_.size()) / 4 * 5) return;
  std::vector<event::EventHeader*> events;
  events.reserve(pending_.size());
  pending_.remove_if([&](event::EventHeader* e) {
    events.push_back(e);
    return true;
  });
  pending_ = Pending{};
  for (event::EventHeader* e : events) pending_.insert(e);
  executed_at_compact_ = figures_.executed;
  pending_overhead_ = pending_.bytes() - std::min(pending_.bytes(), kEntry * pending_.size());
}

}  // namespace anachron::exec
