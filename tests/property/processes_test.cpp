// Processes of LPs that are described at run time: in every mode their run is the sequential one. They wait
// for resources of each discipline, for each other, for stores and containers, are interrupted, and send to
// other LPs.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>
#include <anachron/model/process/process.hpp>
#include <anachron/run/plain_simulation.hpp>

#include "scale.hpp"

namespace anachron::process {
namespace {

struct State {
  Region* region;
  Resource counter{.capacity = 2, .discipline = Discipline::fifo, .waiting = {}, .users = {}};
  Resource desk{.capacity = 1, .discipline = Discipline::priority, .waiting = {}, .users = {}};
  Resource tool{.capacity = 1, .discipline = Discipline::preemptive, .waiting = {}, .users = {}};
  Container tank{.capacity = 30, .level = 10, .puts = {}, .gets = {}};
  Store store{.capacity = 2, .is_ordered = 0, .items = {}, .ordered = {}, .puts = {}, .gets = {}};
  std::uint64_t steps = 0, interruptions = 0, gone = 0;
  Handle last = 0;
};
static_assert(sizeof(State) % plain::Model::kAlignment == 0);

enum Number : std::uint32_t { kVisit };

struct Visitor {  // a frame
  std::uint64_t pc, left;
  Handle held, waited;
};

Handle ask(State& state, plain::Call& call, Scope scope, Visitor& visitor) {
  switch (call.rng.below(8)) {
    case 0:
      return timeout(scope, call.rng.below(3) == 0 ? 0.5 : call.rng.exponential(0.5), 0);
    case 1:
      return visitor.held = request(scope, state.counter, 0, false);
    case 2:
      return visitor.held = request(scope, state.desk, call.rng.below(3), false);
    case 3:
      return visitor.held = request(scope, state.tool, call.rng.below(3), true);
    case 4:
      return visitor.held = get_amount(scope, state.tank, 4);
    case 5:
      return visitor.held = put_amount(scope, state.tank, 3);
    case 6: {
      const std::uint64_t item[2] = {visitor.left, call.self};
      return visitor.held = put_item(scope, state.store, item, sizeof item, 0);
    }
    default:
      return visitor.held = get_item(scope, state.store, 2 * sizeof(std::uint64_t));
  }
}

/// `what`, or the end of a visitor's patience: two parts, or a list of them.
Handle or_patience(Scope scope, Handle what, bool is_list) {
  const Handle patience = timeout(scope, 1.0, 0);
  if (!is_list) return condition(scope, Kind::any, what, patience);
  const Handle made = condition_of(scope, Kind::any, 3), longer = timeout(scope, 2.0, 0);
  set_part(scope, made, 0, longer);
  set_part(scope, made, 1, what);
  set_part(scope, made, 2, patience);
  return made;
}

/// Waits for something or for the end of its patience, holds it for a while, and begins anew; then goes to
/// another LP.
int resume(void* of_state, const void*, plain::Call& call) {
  State& state = *static_cast<State*>(of_state);
  const Scope scope(of_state);
  Visitor visitor = *static_cast<const Visitor*>(frame(scope));
  for (;;) {
    if (visitor.pc > 0 && outcome(scope) >= Outcome::interrupted) {
      ++state.interruptions;
      visitor.pc = 2;
    }
    ++state.steps;
    if (visitor.pc == 0 && visitor.left-- == 0) {
      const std::uint64_t rounds = 1 + call.rng.below(std::uint64_t{4});
      plain::send(call, kVisit, call.rng.below(call.lp_count), call.rng.exponential(1), &rounds);
      end(scope, 0);
      return 0;
    }
    Handle what = 0;
    if (visitor.pc == 0) {
      what = ask(state, call, scope, visitor);
      if (visitor.held) what = or_patience(scope, what, state.steps % 2 == 0);
      visitor.waited = what;
      if (call.rng.below(6) == 0 && is_alive(scope, state.last) && state.last != active(scope))
        interrupt(scope, state.last, 1);
      state.last = active(scope);
    } else if (visitor.pc == 1) {
      if (visitor.held && !contains(scope, visitor.waited, visitor.held)) ++state.gone;
      what = timeout(scope, call.rng.exponential(0.2), 0);
    } else {
      leave(scope, visitor.held);
      visitor.held = 0;
      visitor.pc = 0;
      continue;
    }
    ++visitor.pc;
    if (!wait(scope, what)) continue;
    *static_cast<Visitor*>(write_frame(scope)) = visitor;
    return 0;
  }
}

int on_visit(void* state, const void* event, plain::Call&) {
  const Visitor visitor{0, *static_cast<const std::uint64_t*>(event), 0, 0};
  begin(Scope(state), 0, &visitor, sizeof visitor);
  return 0;
}

int start(void* state, const void*, plain::Call&) {
  for (std::uint64_t rounds = 1; rounds < 4; ++rounds)
    on_visit(state, &rounds, *static_cast<plain::Call*>(Region::of(state).call));
  return 0;
}

const std::uint64_t kNothing = 0;

plain::Setup make_setup(std::uint64_t lps) {
  auto model = std::make_shared<plain::Model>();
  State initial{};
  plain::LpDescription lp;
  lp.name = "processes_test::Shop";
  lp.initial.resize(sizeof initial);
  std::memcpy(lp.initial.data(), &initial, sizeof initial);
  lp.start = start;
  lp.has_region = true;
  model->add_lp(std::move(lp));
  model->add_event(0, {.name = "processes_test::Visit", .bytes = 8, .handler = on_visit});
  plain::ProcessDescription visitor;
  visitor.name = "visitor";
  visitor.resume = resume;
  visitor.frame_bytes = sizeof(Visitor);
  visitor.handles = {offsetof(Visitor, held), offsetof(Visitor, waited)};
  model->add_processes(0, {visitor}, {});
  return {model, {{.count = lps}}, &kNothing, nullptr};
}

std::vector<Config> modes() {
  Config sequential, two, many, checked, copied;
  sequential.sync = Sync::sequential;
  two.sync = many.sync = checked.sync = copied.sync = Sync::optimistic;
  two.workers = many.workers = checked.workers = copied.workers = 2;
  many.pes = 5;
  many.test_chaos = 3;
  checked.check_rollback = true;
  copied.rollback = Rollback::copy;
  copied.checkpoint_interval = 3;
  copied.pes = 3;
  return {sequential, two, many, checked, copied};
}

TEST(Processes, AreTheSameRunInEveryMode) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::scaled(6)); ++seed) {
    std::string digest;
    std::vector<std::byte> states;
    for (Config config : modes()) {
      config.until = 20;
      config.seed = seed;
      const plain::Setup setup = make_setup(12);
      const plain::Run run(setup, config, {}, {});
      std::vector<std::byte> found;
      std::uint64_t interruptions = 0, gone = 0;
      for (std::uint32_t i = 0; i < 12; ++i) {
        const auto* const state = static_cast<const State*>(run.state(0, i));
        interruptions += state->interruptions;
        gone += state->gone;
        const auto* const bytes = reinterpret_cast<const std::byte*>(state);
        found.insert(found.end(), bytes + sizeof(Region*), bytes + sizeof(State));
        const auto region = run.region(0, i);
        found.insert(found.end(), region.begin(), region.end());
      }
      if (digest.empty()) {
        digest = std::to_string(run.report.digest);
        states = found;
        EXPECT_GT(run.report.committed, 500u);
        EXPECT_GT(interruptions, 20u);
        EXPECT_GT(gone, 20u);
      }
      EXPECT_EQ(std::to_string(run.report.digest), digest);
      EXPECT_EQ(found, states);
    }
  }
}

}  // namespace
}  // namespace anachron::process
