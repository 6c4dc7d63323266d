// The door of the room `model`: what a model is written with.
//
// This file is what a handler can do: read the time, send events, draw random numbers, ask for output at
// commit, stop the run. Invariant: all of it is undone when the event is rolled back.
// Read on in model/lp_ops.hpp (how the engine sees an LP type) and model/results.hpp (what a run reports).
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <anachron/event/broadcast.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/model/any_id.hpp>
#include <anachron/model/broadcast.hpp>
#include <anachron/model/handler.hpp>
#include <anachron/model/id.hpp>
#include <anachron/model/listed.hpp>
#include <anachron/model/lp_traits.hpp>
#include <anachron/model/names.hpp>
#include <anachron/model/order.hpp>
#include <anachron/model/rng.hpp>
#include <anachron/model/stream.hpp>

namespace anachron {
namespace detail {

// The kernel's tables of a type, made in model/lp_ops.hpp.
template <class Lp>
constexpr const event::LpOps& lp_ops();
template <class Lp, class E>
constexpr const event::EventOps& event_ops();
template <class Lp, class E>
constexpr const event::EventOps& multicast_ops();  // model/multicast_ops.hpp

/// Finds the entry of an LP type in the running simulation, null when it has no LPs of that type.
const event::LpTypeEntry* find_other_type(const event::Frame& frame, const event::LpOps& ops);

inline const event::LpTypeEntry* find_type(const event::Frame& frame, const event::LpOps& ops) {
  if (frame.types.front().ops == &ops) [[likely]]
    return &frame.types.front();
  return find_other_type(frame, ops);
}

/// Records in the frame that an event was sent to an LP that does not exist.
void fail_unknown_lp(event::Frame& frame, std::string_view event_name, std::string_view type,
                     std::uint32_t index, std::uint32_t count) noexcept;
/// Turns `to` from numbers of LPs within their type into ids. Returns false after it has recorded a
/// fault in the frame: `to` is empty, or some LP does not exist.
bool find_recipients(event::Frame& frame, const event::EventOps& event, const event::LpOps& type,
                     event::Recipients& to) noexcept;

/// What all contexts of LP type Lp can tell.
template <class Lp>
class LpView {
 public:
  ANACHRON_INLINE explicit LpView(const event::Frame& frame)
      : frame_(frame), type_(*find_type(frame, lp_ops<Lp>())) {}
  LpView(const LpView&) = delete;
  LpView& operator=(const LpView&) = delete;

  /// Simulated time of the event.
  Time now() const { return frame_.now; }
  /// Statistics do not count what they observe before this time (`--warm-up`).
  Time warm_up() const { return frame_.warm_up; }
  /// The LP that handles the event.
  Id<Lp> self() const { return Id<Lp>(frame_.lp - type_.first); }

  /// LP number k of this type, from 0. No check here: sending to an unknown LP is the error.
  Id<Lp> id(std::uint64_t k) const { return id<Lp>(k); }
  /// LP number k of type T.
  template <class T>
  Id<T> id(std::uint64_t k) const {
    constexpr std::uint64_t kNone = std::numeric_limits<std::uint32_t>::max();
    return Id<T>(static_cast<std::uint32_t>(std::min(k, kNone)));
  }

  /// Number of LPs of this type.
  std::uint32_t lp_count() const { return type_.count; }
  /// Number of LPs of type T. It is 0 when the simulation has none: a handler that asks may send to a type
  /// that no simulation of the program lists.
  template <class T>
  std::uint32_t lp_count() const {
    be_listed<T>();
    const auto* type = find_type(frame_, lp_ops<T>());
    return type ? type->count : 0;
  }

  /// The parameters of the LP type: the same for all its LPs, constant during a run.
  const ParamsOf<Lp>& params() const { return *static_cast<const ParamsOf<Lp>*>(type_.params); }

  /// The read-only data that the LP type declares as `Shared`.
  const auto& shared() const
    requires HasShared<Lp>
  {
    return *static_cast<const SharedOf<Lp>*>(type_.shared);
  }

 protected:
  const event::Frame& frame_;
  const event::LpTypeEntry& type_;
};

}  // namespace detail

/// Passed to `start` and to each `on`: what a handler does beside changing its state. Valid during the call
/// only. All that is done with it is undone with the event.
template <class Lp>
class Context : public detail::LpView<Lp> {
 public:
  ANACHRON_INLINE explicit Context(event::Frame& frame)
      : detail::LpView<Lp>(frame), out_(frame), rng_(frame.seed, frame.stream(), frame.draws) {}

  /// Sends `event` to `to`, to be handled `delay` from now. A delay of 0 is allowed: the event comes after
  /// this one at the same time. Delays are in the model's unit of time. A negative, infinite or NaN delay, or
  /// an unknown LP, fails this event: the run ends with an error if it commits, and nothing is sent. So does
  /// a positive delay so small that now plus it is now, where that goes on at one time. Returns a handle with
  /// which it can be cancelled.
  template <class To, class E>
  EventHandle send(Id<To> to, Time delay, E&& event) {
    if (!out_.accepts_delay(delay)) [[unlikely]] {
      out_.fail_delay(detail::short_name<std::remove_cvref_t<E>>(), delay);
      return {};
    }
    return send_at(to, out_.now + delay, std::forward<E>(event));
  }

  /// The same with the absolute time at which `event` is to be handled, not before now().
  template <class To, class E>
  EventHandle send_at(Id<To> to, Time time, E&& event) {
    return post(to, time, std::forward<E>(event), detail::kOrderOf<std::remove_cvref_t<E>>);
  }

  /// Both with what is asked for the order among events at the same time, instead of what the event type
  /// says. A priority that is not valid fails this event.
  template <class To, class E>
  EventHandle send(Id<To> to, Time delay, E&& event, Order among) {
    if (!out_.accepts_delay(delay)) [[unlikely]] {
      out_.fail_delay(detail::short_name<std::remove_cvref_t<E>>(), delay);
      return {};
    }
    return send_at(to, out_.now + delay, std::forward<E>(event), among);
  }
  template <class To, class E>
  EventHandle send_at(Id<To> to, Time time, E&& event, Order among) {
    return post(to, time, std::forward<E>(event), among);
  }

  /// Takes back an event that this LP has sent: it will not happen. Returns false when its turn has passed
  /// already, because it sorts before the present event, and for a handle that names nothing. Cancelling it
  /// twice does no harm. Only its sender can cancel an event: to try it with another LP's fails this event.
  /// Where the receiver is another LP, a cancellation is a send to it at the event's time: see `lookahead`.
  bool cancel(const EventHandle& sent) { return out_.cancel(sent); }
  /// Whether the turn of an event that this LP has sent is still to come: it sorts behind the present event.
  /// An event that was cancelled counts until its turn would have passed. False for a handle that names
  /// nothing.
  bool is_to_come(const EventHandle& sent) const { return out_.is_to_come(sent); }

  /// The same to an LP of which the type is known when the event is sent. Each of the types must have an `on`
  /// for it.
  template <class... To, class E>
  decltype(auto) send(const AnyId<To...>& to, Time delay, E&& event) {
    (detail::check_handler<To, std::remove_cvref_t<E>>(), ...);
    return to.visit([&](auto id) -> decltype(auto) { return send(id, delay, std::forward<E>(event)); });
  }
  template <class... To, class E>
  decltype(auto) send_at(const AnyId<To...>& to, Time time, E&& event) {
    (detail::check_handler<To, std::remove_cvref_t<E>>(), ...);
    return to.visit([&](auto id) -> decltype(auto) { return send_at(id, time, std::forward<E>(event)); });
  }
  template <class... To, class E>
  decltype(auto) send(const AnyId<To...>& to, Time delay, E&& event, Order among) {
    (detail::check_handler<To, std::remove_cvref_t<E>>(), ...);
    return to.visit(
        [&](auto id) -> decltype(auto) { return send(id, delay, std::forward<E>(event), among); });
  }
  template <class... To, class E>
  decltype(auto) send_at(const AnyId<To...>& to, Time time, E&& event, Order among) {
    (detail::check_handler<To, std::remove_cvref_t<E>>(), ...);
    return to.visit(
        [&](auto id) -> decltype(auto) { return send_at(id, time, std::forward<E>(event), among); });
  }

  template <std::integral Number, class E>
  void send(Number, Time, E&&, Order = {}) {
    static_assert(!std::integral<Number>,
                  "anachron: an event is sent to an LP, not to a number: use cx.id(number)");
  }
  template <std::integral Number, class E>
  void send_at(Number, Time, E&&, Order = {}) {
    static_assert(!std::integral<Number>,
                  "anachron: an event is sent to an LP, not to a number: use cx.id(number)");
  }

  /// Sends a copy of `event` to every LP of type To, also to this one. It does the same as calls of `send` in
  /// the order of the LPs' numbers, but each PE gets a single message. `event` must be copyable. Fails like
  /// `send`. If it does, or if there is no LP of that type, no LP gets it.
  template <class To, class E>
  void broadcast(Time delay, E&& event, Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    broadcast_to<To>({0, this->template lp_count<To>(), nullptr}, delay, std::forward<E>(event), among);
  }
  /// The same to the LPs of a range, which must not be empty.
  template <class To, class E>
  void broadcast(Range<To> to, Time delay, E&& event,
                 Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    broadcast_to<To>({to.first.index(), to.count, nullptr}, delay, std::forward<E>(event), among);
  }
  /// The same to the LPs of a group, which must not be empty, and must outlive the run.
  template <class To, class E>
  void broadcast(const Group<To>& to, Time delay, E&& event,
                 Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    broadcast_to<To>({0, to.size(), to.numbers().data()}, delay, std::forward<E>(event), among);
  }
  template <class To, class E>
  void broadcast(Group<To>&& to, Time delay, E&& event,
                 Order among = {}) = delete;  // it ends before the run does

  /// Random numbers of this event at this LP: the same in every mode, and whatever else happens in the run.
  /// In `start` those of the LP.
  Rng& rng() { return rng_; }
  /// Its random numbers for one purpose, from where `stream`, part of its state, has got to. Whatever it
  /// draws otherwise, they are the same. The view is for this event; keep it while you draw several numbers,
  /// and have one of a stream at a time.
  Rng rng(Stream& stream) const { return stream.view(out_.seed, out_.lp_identity); }

  /// Ends the run: this event and all before it commit, no other. Of several, the first in event order
  /// counts.
  void stop() { out_.stop(); }

  /// Calls `action()` when this event can no longer be rolled back: once, in event order per LP. Actions of
  /// different LPs may run at the same time on different threads. An exception that leaves it ends the run.
  /// The action captures by value, because the handler's variables are gone then.
  ///
  ///     cx.on_commit([time = cx.now()] { std::printf("late at %g\n", time); });
  template <std::invocable Action>
  void on_commit(Action&& action) {
    using Stored = OnCommit<std::decay_t<Action>>;
    if (void* const at = out_.make_room(sizeof(Stored), alignof(Stored)))
      out_.add(::new (at) Stored{{}, std::forward<Action>(action)}, Stored::kOps);
  }

  /// The same in the order of all events of the model, one action at a time: what several LPs share, a stream
  /// or a file, needs no lock. Called when all that sorts before has committed, on any thread, at the latest
  /// when the run ends.
  template <std::invocable Action>
  void in_order(Action&& action) {
    on_commit([to = out_.in_order, action = std::decay_t<Action>(std::forward<Action>(action))]() mutable {
      if (to)
        to->add(std::make_unique<Later<std::decay_t<Action>>>(std::move(action)),
                sizeof(Later<std::decay_t<Action>>));
      else
        action();
    });
  }

 private:
  template <class Action>
  struct Later final : event::Task {
    Action action;
    explicit Later(Action a) : action(std::move(a)) {}
    void run() override { action(); }
  };

  template <class Action>
  struct OnCommit : event::Effect {
    Action action;
    OnCommit(event::Effect base, Action a) : event::Effect(base), action(std::move(a)) {}

    static void run(event::Effect& effect) { static_cast<OnCommit&>(effect).action(); }
    static void destroy(event::Effect& effect) noexcept { std::destroy_at(static_cast<OnCommit*>(&effect)); }
    static constexpr event::EffectOps kOps{nullptr, &run,
                                           std::is_trivially_destructible_v<Action> ? nullptr : &destroy};
  };

  template <class To, class E>
  ANACHRON_INLINE EventHandle post(Id<To> to, Time time, E&& event, Order among) {
    using Event = std::remove_cvref_t<E>;
    detail::check_handler<To, Event>();
    if constexpr (Receives<To, Event>) {
      const auto* type =
          std::is_same_v<To, Lp> ? &this->type_ : detail::find_type(out_, detail::lp_ops<To>());
      const event::EventOps& ops = detail::event_ops<To, Event>();
      if (!type || to.index() >= type->count) [[unlikely]] {
        if constexpr (!std::is_same_v<To, Lp>) detail::require_list<To>();
        detail::fail_unknown_lp(out_, ops.event_name, detail::lp_ops<To>().name, to.index(),
                                type ? type->count : 0);
        return {};
      }
      const std::uint64_t number = out_.next_number(among);
      const LpId receiver = type->first + to.index();
      event::EventHeader* const e = out_.make_event(ops, receiver, time, among);
      if (!e) [[unlikely]] {
        rehearse<Event>(number, among, std::forward<E>(event));
      } else {
        construct(*e, event::payload<Event>(*e), std::forward<E>(event));
        out_.link(e);
      }
      return out_.handle_of(receiver, time, number, among);
    }
    return {};
  }

  /// If the payload cannot be constructed, nothing is sent and the handler gets the exception.
  template <class Event, class E>
  void construct(event::EventHeader& e, Event& payload, E&& from) {
    if constexpr (std::is_nothrow_constructible_v<Event, E>) {
      std::construct_at(&payload, std::forward<E>(from));
    } else {
      try {
        std::construct_at(&payload, std::forward<E>(from));
      } catch (...) {
        out_.unmake(e);
        throw;
      }
    }
  }

  /// When there is no event to construct a payload in. A handler that is executed again gets the same
  /// exception from it as before.
  template <class Event, class E>
  void rehearse(std::uint64_t number, Order among, E&& from) {
    if constexpr (!std::is_nothrow_constructible_v<Event, E>) {
      if (!out_.is_coasting || out_.next_number(among) == number) return;  // a fault
      try {
        [[maybe_unused]] const Event payload(std::forward<E>(from));
      } catch (...) {
        out_.set_next_number(among, number);
        throw;
      }
    }
  }

  /// `to` by numbers of LPs within their type.
  template <class To, class E>
  void broadcast_to(event::Recipients to, Time delay, E&& event, Order among) {
    using Event = std::remove_cvref_t<E>;
    detail::check_handler<To, Event>();
    static_assert(
        std::is_copy_constructible_v<Event>,
        "anachron: an event that is broadcast must be copyable: each receiver gets a copy of its own");
    if constexpr (Receives<To, Event> && std::is_copy_constructible_v<Event>) {
      const event::EventOps& ops = detail::multicast_ops<To, Event>();
      if (!out_.accepts_delay(delay)) [[unlikely]]
        return out_.fail_delay(ops.event_name, delay);
      if (!detail::find_recipients(out_, ops, detail::lp_ops<To>(), to)) [[unlikely]]
        return detail::require_list<To>();
      const std::uint64_t first = out_.next_number(among);
      event::EventHeader* const sent_before = out_.sent;
      std::span<const LpId> pes = event::one_per_pe(out_, to);
      for (; !pes.empty(); pes = pes.subspan(1)) {
        event::EventHeader* const e =
            event::make_multicast(out_, ops, to, pes.front(), out_.now + delay, first, among);
        if (!e) [[unlikely]]
          return rehearse<Event>(first, among, std::as_const(event));
        try {
          // The last one also a copy: whether that throws must not depend on the number of PEs.
          construct(*e, event::multicast_payload<Event>(*e), std::as_const(event));
        } catch (...) {
          out_.unsend(sent_before);
          out_.set_next_number(among, first);
          throw;
        }
        out_.link(e);
      }
    }
  }

  event::Frame& out_;
  Rng rng_;
};

/// Passed to `static void commit(Commit<Lp>&, const Event&)` when an event of LP self() commits. Calls of one
/// LP come in event order; calls of different LPs may run at the same time on different threads.
template <class Lp>
class Commit : public detail::LpView<Lp> {
 public:
  using detail::LpView<Lp>::LpView;
};

/// Passed to `finish(Results&, const Finish<Lp>&) const` when the run has ended; now() is its end time.
template <class Lp>
class Finish : public detail::LpView<Lp> {
 public:
  using detail::LpView<Lp>::LpView;
};

}  // namespace anachron
