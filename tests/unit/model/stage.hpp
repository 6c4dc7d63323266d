// LPs that do what a test tells them, and a kernel that only calls one of their handlers.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/model/context.hpp>
#include <anachron/model/logged.hpp>
#include <anachron/model/lp_ops.hpp>

#include "mem/budget.hpp"
#include "rollback/undo.hpp"

namespace anachron::stage {

struct Do;
struct Stranger;

struct Settings {
  double mean = 2.5;
};

/// Does what it is told.
struct Actor {
  using Params = Settings;
  using Shared = std::string;
  int count = 0;
  std::vector<int> list{};

  void on(Context<Actor>& cx, const Do& what);
  bool operator==(const Actor&) const = default;
};
struct Do {
  std::function<void(Context<Actor>&, Actor&)> action;
};
inline void Actor::on(Context<Actor>& cx, const Do& what) { what.action(cx, *this); }

struct Ping {
  int number = 0;
};
struct Parcel {
  std::unique_ptr<int> content;
};
struct Big {
  char bytes[500000];
};

struct Other {
  int pings = 0;
  void on(Context<Other>&, const Ping&) {}
  void on(Context<Other>&, const Parcel&) {}
  void on(Context<Other>&, const Big&) {}
  void on(Context<Other>&, const int&) {}
};
/// No part of the simulation.
struct Stranger {
  void on(Context<Stranger>&, const Ping&) {}
};

// Ways to be undone.

struct Set {
  int value = 0;
};
struct SetByLog {
  int value = 0;
};
struct SetByRef {
  int value = 0;
};
struct SetByKeep {
  int value = 0;
};

struct Base {
  int inherited = 1;
};
struct State : Base {
  int x = 1;
  std::vector<int> list{1, 2, 3};
  std::string text = "text";

  auto on(Context<State>&, const Set& set) {
    return [before = std::exchange(x, set.value), kept = std::make_unique<int>(5)](State& s) {
      s.x = before + *kept - 5;
    };
  }
  void on(Context<State>&, Logged<State>& log, const SetByLog& set) const {
    log.write(&State::x) = set.value;
    log.write(&State::x) = set.value + 1;
    log.write(&State::list).push_back(set.value);
    log.write(&State::text) = std::string(100, 'y');
  }
  void on(Context<State>&, Logged<State>& log, const SetByRef& set) const {
    log.write(list[1]) = set.value;
    log.write(inherited) = set.value;
    log.write(text) += '!';
  }
  void on(Context<State>&, Logged<State>& log, const SetByKeep& set) {
    const std::vector<int> before{x, list[2]};
    log.keep(
        std::span(before), +[](State& s, std::span<const int> kept) {
          s.list[2] -= s.x;  // as it was between this and what was logged later
          s.x = kept[0];
          s.list[2] = s.list[2] == 0 ? kept[1] : -1;
        });
    x = set.value;
    list[2] = set.value;
    log.write(list[2]) = set.value + 1;
  }
  bool operator==(const State& s) const {
    return x == s.x && list == s.list && text == s.text && inherited == s.inherited;
  }
};

/// A kernel that only calls one handler.
class Stage {
 public:
  Stage() {
    frame.pool = &pool_;
    frame.arena = &arena_;
    frame.types = types_;
    frame.seed = 7;
    frame.tie_seed = event::TieSeed(8);
    frame.next_match = event::MatchId::first_of(3);
    frame.keep_undo = true;
  }
  ~Stage() { finish(); }

  /// Lets Actor number `index` do something.
  void act(std::function<void(Context<Actor>&, Actor&)> action, Time now = 1, std::uint32_t step = 0,
           std::uint32_t index = 2) {
    run<Actor>(actor, Do{std::move(action)}, now, step, index);
  }

  template <class Lp, class E>
  void run(Lp& lp, E content, Time now = 1, std::uint32_t step = 0, LpId id = 2) {
    finish();
    const event::EventOps& ops = detail::event_ops<Lp, E>();
    auto* const e = static_cast<event::EventHeader*>(::operator new(ops.bytes, std::align_val_t{64}));
    std::construct_at(&event::payload<E>(*e), std::move(content));
    frame.halt.reset();
    frame.begin(now, step, id, counters);
    frame.lp_identity = frame.type_of(id).identity(id);
    frame.identity = identity;
    ops.execute(frame, &lp, *e);
    std::destroy_at(&event::payload<E>(*e));
    ::operator delete(e, ops.bytes, std::align_val_t{64});
  }

  void undo(void* lp) {
    for (auto* effect = frame.effects; effect; effect = effect->next)
      if (effect->ops->undo) effect->ops->undo(*effect, lp);
  }

  /// What was sent, oldest first.
  std::vector<event::EventHeader*> sent() const {
    std::vector<event::EventHeader*> all;
    for (auto* e = frame.sent; e; e = e->next) all.insert(all.begin(), e);
    return all;
  }
  std::string cause() const { return frame.halt ? frame.halt->cause : "none"; }

  event::Frame frame;
  event::LpCounters counters;
  event::Identity identity = 0x1234;  ///< of each event
  Actor actor;

 private:
  void finish() {
    rollback::destroy_effects(std::exchange(frame.effects, nullptr));
    for (event::EventHeader* e : sent()) {
      if (e->ops->destroy) e->ops->destroy(*e);
      pool_.release(e, e->ops->bytes);
    }
    frame.sent = nullptr;
  }

  Settings settings_;
  std::string shared_ = "shared";
  mem::Budget budget_{std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none};
  mem::Allowance allowance_{budget_, 0};
  mem::EventPool pool_{allowance_};
  mem::Arena arena_;
  event::LpTypeEntry types_[3] = {{&detail::lp_ops<Actor>(), 0, 10, &settings_, &shared_},
                                  {&detail::lp_ops<Other>(), 10, 5, nullptr, nullptr},
                                  {&detail::lp_ops<State>(), 15, 1, nullptr, nullptr}};
};

}  // namespace anachron::stage
