#include "replay/executor.hpp"

#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

#include <anachron/event/ops.hpp>

#include "rollback/undo.hpp"

namespace anachron::replay {

Executor::Executor(const lp::LpStore& lps, const Seeds& seeds)
    : lps_(lps), budget_(std::numeric_limits<std::int64_t>::max(), 1, mem::Budget::Reserve::none) {
  frame_.pool = &pool_;
  frame_.arena = &effects_;
  frame_.types = lps.types();
  frame_.seed = seeds.seed;
  frame_.tie_seed = event::TieSeed(seeds.tie_seed);
  frame_.warm_up = seeds.warm_up;
  frame_.places = &places_;
}

void Executor::call(const event::EventHeader& e, LpImage& lp, bool coasts) {
  frame_.is_coasting = coasts;
  frame_.begin(e, lp.counters, lps_.identity(e.receiver));
  // Handlers get their event as a constant.
  e.ops->execute(frame_, lp.state.get(), const_cast<event::EventHeader&>(e));
  rollback::destroy_effects(std::exchange(frame_.effects, nullptr));
  effects_.clear();
  if (frame_.halt && frame_.halt->kind == event::Halt::Kind::no_memory) throw std::bad_alloc();
  if (coasts) frame_.halt.reset();
}

std::optional<event::Halt> Executor::execute(const event::EventHeader& e, LpImage& lp, Sent& sent) {
  call(e, lp, false);
  while (event::EventHeader* const made = frame_.sent) {
    frame_.sent = made->next;
    Event own(made, Release(this));
    if (made->status == event::Status::multicast)
      expand(*made, sent);
    else
      sent.push_back(std::move(own));
  }
  return std::exchange(frame_.halt, std::nullopt);
}

bool Executor::go_on_alike(const event::EventHeader& e, const LpImage& a, const LpImage& b) {
  if (a.counters.in_order != b.counters.in_order) return false;
  const event::LpOps& ops = *lps_.type_of(e.receiver).ops;
  if (!ops.goes_on_like) return are_equal(ops, a.state.get(), b.state.get());
  event::LpCounters counters;
  frame_.begin(e.time, event::step_of(e.order), e.receiver, counters);
  return ops.goes_on_like(frame_, a.state.get(), b.state.get());
}

void Executor::expand(event::EventHeader& multicast, Sent& sent) {
  const std::uint32_t count = event::multicast_header(multicast).to.count;
  for (std::uint32_t k = 0; k < count; ++k) {
    event::EventHeader* const e = event::make_expanded(frame_, multicast, k);
    if (!e) throw std::bad_alloc();
    if (!multicast.ops->unpack(frame_, *e, multicast)) {
      pool_.release(e, e->ops->bytes);
      return;  // the frame has the reason
    }
    sent.emplace_back(e, Release(this));
  }
}

Executor::Event Executor::make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                       event::Outside& outside,
                                       const std::function<void(event::EventHeader&)>& construct) {
  frame_.is_coasting = false;
  frame_.begin_outside(outside);
  event::EventHeader* const e = frame_.make_event(ops, receiver, time + 0.0, among);  // not -0.0
  outside.sends = frame_.sends;
  if (!e) {
    const event::Halt why = *std::exchange(frame_.halt, std::nullopt);
    if (why.kind == event::Halt::Kind::no_memory) throw std::bad_alloc();
    throw std::length_error(why.cause);
  }
  try {
    construct(*e);
  } catch (...) {
    pool_.release(e, ops.bytes);
    throw;
  }
  return Event(e, Release(this));
}

void Executor::release(event::EventHeader& e) noexcept {
  const event::EventOps& ops = *e.ops;
  if (ops.destroy && !e.retracts()) ops.destroy(e);
  pool_.release(&e, ops.bytes);
}

}  // namespace anachron::replay
