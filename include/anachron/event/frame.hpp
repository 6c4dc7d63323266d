// The frame of one handler call: what the kernel gives to the model's context, and what the handler leaves in
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <anachron/base/platform.hpp>
#include <anachron/event/effect.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/mem/event_pool.hpp>

namespace anachron::event {

/// The part of an LP that every event may change and every rollback restores.
struct LpCounters {
  std::uint64_t next_seq = 0;  ///< sends so far
  std::uint64_t draws = 0;     ///< random numbers drawn so far
  std::uint64_t digest = 0;    ///< chained hash of the events executed so far

  friend bool operator==(const LpCounters&, const LpCounters&) = default;
};

/// One LP type of the running simulation.
struct LpTypeEntry {
  const LpOps* ops = nullptr;
  LpId first = 0;  ///< id of its LP number 0
  std::uint32_t count = 0;
  const void* params = nullptr;
  const void* shared = nullptr;  ///< null when the type has none
};

/// A handler asked to end the run, or failed. Takes effect when its event commits.
struct Halt {
  enum class Kind : std::uint8_t { stop, fault } kind;
  std::string cause;  ///< of a fault
};

class Places;

struct Frame {
  // Of the PE, set once.
  mem::EventPool* pool = nullptr;
  mem::Arena* arena = nullptr;  ///< memory of effects, valid until the event commits or is undone
  std::span<const LpTypeEntry> types;
  std::uint64_t seed = 0, tie_seed = 0;
  MatchId next_match;
  bool keep_undo = false;    ///< reversers and undo logs are wanted
  bool is_coasting = false;  ///< an event is executed again for its state only: what it sends was sent
  bool owns_resources =
      false;  ///< some event sent so far must be dropped one by one: it has a destructor or is large

  Places* places = nullptr;  ///< where the recipients of broadcasts are

  // Of the handler call.
  Time now = 0;
  std::uint32_t step = 0;
  LpId lp = 0;
  LpCounters* counters = nullptr;

  // What the handler left.
  EventHeader* sent = nullptr;  ///< newest first
  Effect* effects = nullptr;    ///< newest first
  std::optional<Halt> halt;     ///< the first

  void begin(Time time, std::uint32_t at_step, LpId of_lp, LpCounters& of_counters) {
    now = time;
    step = at_step;
    lp = of_lp;
    counters = &of_counters;
    sent = nullptr;
    effects = nullptr;
  }

  /// Records a failure of the handler; the first one counts.
  void fail(std::string cause);
  void fail_delay(std::string_view event_name, Time delay);
  void stop();

  /// Makes an event's header: key, identity, link to its cause. Returns null when coasting, and after
  /// recording a fault when `time` is not at or after now and finite. The caller constructs the payload and
  /// then calls `link`.
  ANACHRON_INLINE EventHeader* make_event(const EventOps& ops, LpId receiver, Time time) {
    if (!(time >= now) || time == kForever) [[unlikely]] {
      fail_time(ops, time);
      return nullptr;
    }
    std::uint32_t child_step = 0;
    if (time == now) {
      child_step = step + 1;
      if (child_step == 0) [[unlikely]] {
        fail("4294967296 zero-delay events in a chain: simulated time does not advance");
        return nullptr;
      }
    }
    const std::uint64_t seq = counters->next_seq++;
    if (is_coasting) [[unlikely]]
      return nullptr;
    auto* e = static_cast<EventHeader*>(pool->allocate(ops.bytes));
    e->time = child_step > 0 ? now : time;  // not -0.0
    e->order = make_order(child_step, make_tie(tie_seed, lp, seq));
    e->set_seq(seq);
    e->status = Status::pending;
    e->sender = lp;
    e->receiver = receiver;
    e->match = next_match;
    ++next_match.value;
    e->ops = &ops;
    if (ops.destroy || mem::EventPool::is_large(ops.bytes)) owns_resources = true;
    return e;
  }
  void link(EventHeader* e) {
    e->next = sent;
    sent = e;
  }

  /// Adds an effect made in the arena.
  void add(Effect* effect, const EffectOps& ops) {
    effect->ops = &ops;
    effect->next = effects;
    effects = effect;
  }

 private:
  void fail_time(const EventOps& ops, Time time);
};

}  // namespace anachron::event
