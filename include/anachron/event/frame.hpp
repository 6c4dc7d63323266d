// The frame of one handler call: what the kernel gives to the model's context, and what the handler leaves in
// it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <anachron/base/figures.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/effect.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/in_order.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/event/retraction.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/mem/event_pool.hpp>

namespace anachron::event {

/// The part of an LP that every event may change and every rollback restores.
struct LpCounters {
  std::uint64_t digest = 0;    ///< of the events executed so far: see pe/digest.hpp
  std::uint64_t last = 0;      ///< hash of the newest of them
  std::uint32_t depth = 0;     ///< events in the longest chain of causes that ends here
  std::uint32_t in_order = 0;  ///< sends in order so far

  friend bool operator==(const LpCounters&, const LpCounters&) = default;
};

/// What came from outside the model so far.
struct Outside {
  std::uint64_t sends = 0;  ///< those in order apart
  LpCounters counters;

  void count(Order among) {
    among.in_order ? static_cast<void>(++counters.in_order) : static_cast<void>(++sends);
  }
};

/// One LP type of the running simulation. All threads read it all the time, so it shares no cache line.
struct alignas(kCacheLine) LpTypeEntry {
  const LpOps* ops = nullptr;
  LpId first = 0;  ///< id of its LP number 0
  std::uint32_t count = 0;
  const void* params = nullptr;
  const void* shared = nullptr;  ///< null when the type has none
  bool shares_name = false;      ///< another type of the run has the same short name

  std::uint64_t identity(LpId lp) const { return lp_identity(ops->name_hash, lp - first); }
  /// In messages and reports. No other type of the run has it.
  std::string_view name() const { return shares_name ? ops->full_name : ops->name; }
};

/// A handler asked to end the run, or failed. Takes effect when its event commits; but what there was no
/// memory for at once.
struct Halt {
  enum class Kind : std::uint8_t { stop, fault, no_memory } kind;
  std::string cause;  ///< of a fault
};

/// What a frame is used for, to an observer in another thread. The fields are read one by one, so only what
/// is seen twice in the same batch is what it seems.
struct Running {
  const EventOps* event = nullptr;  ///< the last one of which something was called; null between two batches
  LpId lp = 0;
  Time time = 0;
  std::uint64_t batch = 0;
  Activity activity = Activity::handler;

  friend bool operator==(const Running&, const Running&) = default;
};

class Places;

/// Of a PE. Invariant: what a handler leaves is taken out before the next one is called.
struct Frame {
  // Of the PE, set once.
  mem::EventPool* pool = nullptr;
  mem::Arena* arena = nullptr;  ///< memory of effects, valid until the event commits or is undone
  std::span<const LpTypeEntry> types;
  std::uint64_t seed = 0;
  TieSeed tie_seed;
  Time warm_up = 0;  ///< what statistics observe before does not count
  MatchId next_match;
  bool keep_undo = false;    ///< reversers and undo logs are wanted
  bool is_coasting = false;  ///< an event is executed again for its state only: what it sends was sent
  bool owns_resources =
      false;  ///< some event must be dropped one by one: it has a destructor or is in no chunk of a pool

  std::uint64_t retractions =
      0;  ///< that may wait in the PE's pending set: see pe/messages/retraction_sweep.hpp

  Places* places = nullptr;     ///< where the recipients of broadcasts are
  InOrder* in_order = nullptr;  ///< who does things in the order of all events; null: they are done at once

  // For `running`.
  const EventOps* event = nullptr;
  std::uint64_t batch = 0;
  struct Other {
    const EventOps* event = nullptr;  ///< null: there is none
    LpId lp = 0;
    Time time = 0;
    Activity activity = Activity::handler;
  } other;  ///< what is called beside handlers; a handler may be in progress, whose `now` and `lp` stay

  // Of the handler call.
  Time now = 0;
  std::uint32_t step = 0;
  LpId lp = 0;
  LpCounters* counters = nullptr;
  std::uint64_t lp_identity = 0;
  Identity identity = 0;                 ///< of the event
  std::uint64_t sends = 0;               ///< what was sent so far, but for what was sent in order
  std::uint64_t draws = 0;               ///< random numbers drawn so far
  std::uint32_t depth = 0;               ///< of what the handler sends: see LpCounters
  const EventHeader* current = nullptr;  ///< the event that is handled; null: none, as in `start`

  // What the handler left.
  EventHeader* sent = nullptr;  ///< newest first
  Effect* effects = nullptr;    ///< newest first
  bool settles = false;         ///< some have something to do at commit, and not only if the event is undone
  std::optional<Halt> halt;     ///< the first, but for one for lack of memory, which counts before others

  void begin(Time time, std::uint32_t at_step, LpId of_lp, LpCounters& of_counters) {
    show(now, time);
    step = at_step;
    show(lp, of_lp);
    counters = &of_counters;
    sends = 0;
    draws = 0;
    depth = of_counters.depth;
    current = nullptr;
    sent = nullptr;
    effects = nullptr;
    settles = false;
  }
  /// `of_lp`: LpTypeEntry::identity of the receiver.
  void begin(const EventHeader& e, LpCounters& of_counters, std::uint64_t of_lp) {
    begin(e.time, step_of(e.order), e.receiver, of_counters);
    lp_identity = of_lp;
    const std::uint64_t place = e.place();
    identity = is_in_order(place) ? identity_in_order(e) : identity_of(tie_seed, place, tie_of(e.order));
    current = &e;
  }
  /// The handler that is called next is `start`.
  void begin_start(LpId of_lp, LpCounters& of_counters) {
    begin(0, 0, of_lp, of_counters);
    lp_identity = type_of(of_lp).identity(of_lp);
    identity = start_identity(lp_identity);
  }
  /// Something comes from outside, which is nowhere: before all times, and of an LP behind all.
  void begin_outside(Outside& so_far) {
    constexpr Time kBeforeAll = -1;  // so that no event from outside is one without delay
    begin(kBeforeAll, 0, types.back().first + types.back().count, so_far.counters);
    lp_identity = identity = kOutside;
    sends = so_far.sends;
  }
  /// O(types).
  const LpTypeEntry& type_of(LpId of_lp) const {
    const LpTypeEntry* type = types.data();
    while (of_lp - type->first >= type->count) ++type;
    return *type;
  }
  /// Random numbers of the event: see model/rng.hpp.
  std::uint64_t stream() const { return identity ^ lp_identity; }

  /// The handler that is called next is one of this event.
  void show_event(const EventOps& ops) { show(event, &ops); }
  void end_batch() {
    show(event, static_cast<const EventOps*>(nullptr));
    show(batch, batch + 1);
  }
  /// From here to the end of its scope something else of an event is called than its handler.
  class Showing {
   public:
    Showing(Frame& frame, Activity activity, const EventOps& ops, LpId of_lp, Time at) : frame_(frame) {
      show(frame.other.lp, of_lp);
      show(frame.other.time, at);
      show(frame.other.activity, activity);
      show(frame.other.event, &ops);
    }
    ~Showing() { show(frame_.other.event, static_cast<const EventOps*>(nullptr)); }
    Showing(const Showing&) = delete;
    Showing& operator=(const Showing&) = delete;

   private:
    Frame& frame_;
  };
  /// Any thread.
  Running running() {
    if (const EventOps* const of = look(other.event))
      return {of, look(other.lp), look(other.time), look(batch), look(other.activity)};
    return {look(event), look(lp), look(now), look(batch)};
  }

  /// From now on events are executed for their change of the state only.
  void coast() { is_coasting = true; }

  /// Records a failure of the handler; the first one counts.
  void fail(std::string cause);
  /// The same with the cause that `describe()` returns. It throws nothing, so it may be called from a handler
  /// that is noexcept.
  template <class Describe>
  void fail_as(const Describe& describe) noexcept {
    try {
      fail(describe());
    } catch (const std::bad_alloc&) {
      note_no_memory();
    }
  }
  /// Whether an event may be sent with this delay: not with one below 0. A delay so small that `now` plus it
  /// is `now` may be drawn at random now and then, and counts as 0. Where that goes on and on, time stands
  /// still.
  ANACHRON_INLINE bool accepts_delay(Time delay) const {
    return now + delay > now || delay == 0 || (delay > 0 && step < kMostVanishing);
  }
  static constexpr std::uint32_t kMostVanishing = 16;  // steps at one time
  void fail_delay(std::string_view event_name, Time delay) noexcept;
  void fail_number_of_sends() noexcept;
  void fail_equal_keys() noexcept;
  void stop() noexcept;
  /// The system has no memory for what the handler asks the engine to do. That is no fault of the model:
  /// nothing is thrown through its code, and the run ends when the handler returns.
  void note_no_memory() noexcept;

  /// Makes an event's header: key, identity, link to its cause. Returns null when coasting, when there is no
  /// memory, and after recording a fault. Faults are: a `time` that is before now or not finite, a priority
  /// that is not valid, and an LP that has sent in order as much as it can. It has taken a number unless
  /// there was a fault. The caller constructs the payload and then calls `link`, or `unmake` if that failed.
  ANACHRON_INLINE EventHeader* make_event(const EventOps& ops, LpId receiver, Time time, Order among = {}) {
    if (!(time >= now) || time == kForever) [[unlikely]] {
      fail_time(ops, time);
      return nullptr;
    }
    if (!among.is_valid()) [[unlikely]] {
      fail_priority(ops, among.priority);
      return nullptr;
    }
    std::uint32_t rank = make_rank(0, among.priority);
    if (time == now) {
      if (step + 1 == kStepEnd) [[unlikely]] {
        fail_zero_delays();
        return nullptr;
      }
      rank = make_rank(step + 1, among.priority);
      time = now;  // not -0.0
    }
    if (among.in_order && counters->in_order + std::uint64_t{1} >= kInOrderEnd) [[unlikely]] {
      fail_number_of_sends();
      return nullptr;
    }
    const auto [order, place] = order_and_place(time, rank, next_number(among), among);
    count_send(among);
    if (is_coasting) [[unlikely]]  // it was sent when the event was first executed
      return nullptr;
    auto* e = static_cast<EventHeader*>(pool->allocate(ops.bytes, ops.alignment, receiver));
    if (!e) [[unlikely]] {
      note_no_memory();
      return nullptr;
    }
    e->time = time;
    e->order = order;
    e->set_ops(ops, depth, place, Status::pending);
    e->sender = lp;
    e->receiver = receiver;
    e->match = next_match;
    ++next_match.value;
    if (ops.destroy || mem::EventPool::is_single(ops.bytes)) owns_resources = true;
    return e;
  }
  /// The number of the next send of this kind: among those of the handler call, or in order among the LP's.
  std::uint64_t next_number(Order among) const { return among.in_order ? counters->in_order : sends; }
  void set_next_number(Order among, std::uint64_t number) {
    if (among.in_order)
      counters->in_order = static_cast<std::uint32_t>(number);
    else
      sends = number;
  }
  /// Names the send with this number, at a time that make_event has accepted: also when it made no event,
  /// because the handler is executed again.
  ANACHRON_INLINE EventHandle handle_of(LpId receiver, Time time, std::uint64_t number,
                                        Order among = {}) const {
    std::uint32_t rank = make_rank(0, among.priority);
    if (time == now) {
      rank = make_rank(step + 1, among.priority);
      time = now;
    }
    const auto [order, place] = order_and_place(time, rank, number, among);
    return {time, order, place, lp, receiver};
  }
  /// Takes back what was sent; see Context::cancel.
  bool cancel(const EventHandle& handle) noexcept;
  /// See Context::is_to_come.
  bool is_to_come(const EventHandle& handle) const {
    return handle && (!current || current->key() < handle.key());
  }
  void link(EventHeader* e) {
    e->next = sent;
    sent = e;
  }
  /// Takes back the event that was made last. It has no payload and was not linked.
  void unmake(EventHeader& e) noexcept;
  /// Takes back what was linked after `newest`.
  void unsend(EventHeader* newest) noexcept;

  /// Memory for an effect, null when there is none.
  void* make_room(std::size_t bytes, std::size_t align) noexcept {
    void* const room = arena->allocate(bytes, align);
    if (!room) [[unlikely]]
      note_no_memory();
    return room;
  }

  /// Adds an effect made in the arena.
  void add(Effect* effect, const EffectOps& ops) {
    effect->ops = &ops;
    effect->next = effects;
    effects = effect;
    if (ops.commit || ops.destroy) settles = true;
  }

 private:
  // Written by the thread that executes events, read by `running`. Relaxed: nothing else is read through it
  // but tables that never change.
  template <class T>
  static void show(T& field, T value) {
    std::atomic_ref(field).store(value, std::memory_order_relaxed);
  }
  template <class T>
  static T look(T& field) {
    return std::atomic_ref(field).load(std::memory_order_relaxed);
  }

  struct OrderAndPlace {
    std::uint64_t order, place;
  };
  ANACHRON_INLINE OrderAndPlace order_and_place(Time time, std::uint32_t rank, std::uint64_t number,
                                                Order among) const {
    if (among.in_order) return order_and_place_in_order(time, rank, number);
    const Identity of = child_identity(identity, number);
    return {make_order_of(rank, make_tie(tie_seed, of)), place_of(of)};
  }
  OrderAndPlace order_and_place_in_order(Time time, std::uint32_t rank, std::uint64_t number) const noexcept;
  void count_send(Order among) { among.in_order ? ++counters->in_order : ++sends; }
  Identity identity_in_order(const EventHeader& e) const noexcept;
  bool cancel_own(const EventHandle& handle) noexcept;
  void retract(const EventHandle& handle) noexcept;
  void fail_time(const EventOps& ops, Time time) noexcept;
  void fail_priority(const EventOps& ops, int priority) noexcept;
  void fail_zero_delays() noexcept;
};

}  // namespace anachron::event
