// Executes an event outside the PEs: on a copy of its LP's state. What it sends is for the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <anachron/event/broadcast.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/mem/event_pool.hpp>

#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
#include "replay/state.hpp"

namespace anachron::replay {

/// What of a run's options an event's handler can see.
struct Seeds {
  std::uint64_t seed = 0, tie_seed = 0;
  Time warm_up = 0;
};

/// Used by one thread. Nothing of what handlers do at commit happens.
class Executor {
 public:
  Executor(const lp::LpStore& lps, const Seeds& seeds);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// An event that was made here, or nothing.
  class Release {
   public:
    explicit Release(Executor* of = nullptr) : of_(of) {}
    void operator()(event::EventHeader* e) const { of_->release(*e); }

   private:
    Executor* of_;
  };
  using Event = std::unique_ptr<event::EventHeader, Release>;
  using Sent = std::vector<Event>;

  /// Holds an event that was let go of. It was made here.
  Event own(event::EventHeader* e) { return Event(e, Release(this)); }

  /// Executes the event for its change of the image only.
  void coast(const event::EventHeader& e, LpImage& lp) { call(e, lp, true); }
  /// Executes it, and appends what it sends to `sent`, broadcasts one by one. Returns why the run would halt.
  /// Throws std::bad_alloc.
  std::optional<event::Halt> execute(const event::EventHeader& e, LpImage& lp, Sent& sent);

  /// Whether both images do the same from this event on, whatever they have observed.
  bool go_on_alike(const event::EventHeader& e, const LpImage& a, const LpImage& b);

  /// As Session::schedule sends an event from outside.
  Event make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                     event::Outside& outside, const std::function<void(event::EventHeader&)>& construct);

 private:
  /// Makes of each broadcast one multicast, wherever its recipients are.
  class OnePlace final : public event::Places {
   public:
    std::span<const LpId> one_per_pe(const event::Recipients& to) override {
      first_ = to[0];
      return {&first_, 1};
    }

   private:
    LpId first_ = 0;
  };

  void call(const event::EventHeader& e, LpImage& lp, bool coasts);
  void expand(event::EventHeader& multicast, Sent& sent);
  void release(event::EventHeader& e) noexcept;

  const lp::LpStore& lps_;
  mem::Budget budget_;
  mem::Allowance allowance_{budget_, 0};
  mem::EventPool pool_{allowance_};
  mem::Arena effects_;
  OnePlace places_;
  event::Frame frame_;
};

}  // namespace anachron::replay
