// A processing element with a pending set of a certain type: what happens per event. The rest is PeCore.
// Compiled in a file per type, src/pe/instances/, which includes the definitions.
#pragma once

#include <span>

#include "pe/pe_core.hpp"

namespace anachron::pe {

/// A base, so that the pending set is there before PeCore is constructed.
template <queue::PendingSet Pending>
struct HasPendingSet {
  queue::PendingSetOf<Pending> pending_set;
};

/// Invariant: events leave its pending set in the order of their keys.
template <queue::PendingSet Pending>
class PeOf final : private HasPendingSet<Pending>, public PeCore {
 public:
  explicit PeOf(const PeSetup& setup);
  ~PeOf() override;

 private:
  static constexpr std::size_t kPrefetchDistance = 4;  // events

  Pending& set() { return this->pending_set.exact(); }

  // Forward: phases/forward.ipp.
  unsigned execute_batch(unsigned limit) override {
    return keeps_history()  ? execute_ahead(limit)
           : watch_.is_on() ? execute_window<true>(limit)
                            : execute_window<false>(limit);
  }
  unsigned execute_in_order(unsigned limit, Time until) override {
    return watch_.is_on() ? execute_in_order_as<true>(limit, until)
                          : execute_in_order_as<false>(limit, until);
  }
  unsigned execute_ahead(unsigned limit);
  template <bool kWatched>
  unsigned execute_in_order_as(unsigned limit, Time until);
  template <bool kWatched>
  unsigned execute_window(unsigned limit);
  event::EventHeader* pop_below(Time bound);
  event::EventHeader* pop_certain();
  void prefetch_ahead();
  template <bool kWatched>
  void execute_event(event::EventHeader& e);
  template <bool kWatched, class CheckSent>
  void execute_and_commit(event::EventHeader& e, const lp::LpRef& lp, CheckSent&& check_sent);
  bool pass_over(event::EventHeader& e);

  // Routing: phases/route.ipp.
  void hand_on(lp::Record& record) override;
  void route_sent() override;
  void route(event::EventHeader& e) override;
  void route_sent_later();
  [[gnu::noinline]] void sort_out();
  void take(std::span<const fabric::Message>& messages) override;
  void accept(event::EventHeader& e) override;
};

}  // namespace anachron::pe
