#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include <anachron/model/lp_ops.hpp>

#include "epidemic/model.hpp"

namespace anachron::models::epidemic {

namespace {

constexpr Node kNobody = ~Node{0};

std::pair<Node, Node> nodes_of(const World& world, std::uint32_t group) {
  const std::uint64_t first = std::uint64_t{group} * world.group_size();
  return {static_cast<Node>(first),
          static_cast<Node>(std::min<std::uint64_t>(first + world.group_size(), world.graph().nodes()))};
}

}  // namespace

double Group::load(const Params&, const World& world, std::uint32_t index) {
  const auto [first, end] = nodes_of(world, index);
  double sum = 0;
  for (Node node = first; node < end; ++node) sum += 1 + static_cast<double>(world.graph().degree(node));
  return sum;
}

// A node that is infected sends to itself that it recovers. It sends nothing to its infector, one of its
// neighbours. Of neighbours in its own group it knows who has been infected before: half of those who ever
// are.
void Group::neighbours(const Params&, const World& world, std::uint32_t index, Neighbours& to) {
  const auto [first, end] = nodes_of(world, index);
  const World::Spread& spread = world.spread();
  const Graph& graph = world.graph();
  double own = 0;
  for (Node node = first; node < end; ++node) {
    const double infected = spread.infects(graph.degree(node));
    own += (world.has_latency() ? 2.0 : 1.0) * infected;
    const double not_infector = 1 - 1 / static_cast<double>(std::max<std::size_t>(graph.degree(node), 1));
    for (const Node other : graph.neighbours(node)) {
      const std::uint32_t group = world.group_of(other);
      if (group == index)
        own += infected * spread.passes * (1 - spread.infects(graph.degree(other)) / 2);
      else
        to.add(Id<Group>(group), infected * spread.passes * not_infector);
    }
  }
  to.add(Id<Group>(index), own);
}

void Group::start(Context<Group>& cx) {
  const World& world = cx.shared();
  const auto [first, end] = nodes_of(world, cx.self().index());
  health.resize(end - first, Health::susceptible);
  infections = recoveries = Series(world.interval());
  if (cx.self().index() != 0) return;

  const auto infect = [&](Node node) { cx.send(cx.id(world.group_of(node)), 0, Infect{node, kNobody}); };
  if (world.first()) return infect(*world.first());
  // As many different ones: R. W. Floyd, "Programming pearls", CACM 30(9), 1987.
  Rng& rng = cx.rng();
  const Node nodes = world.graph().nodes();
  std::unordered_set<Node> chosen;
  for (Node k = nodes - cx.params().infected; k < nodes; ++k) {
    const Node node = rng.below(k + 1);
    const Node taken = chosen.insert(node).second ? node : k;
    if (taken != node) chosen.insert(taken);
    infect(taken);
  }
}

Group::UndoHealth Group::on(Context<Group>& cx, const Infect& infect) noexcept {
  const std::uint32_t place = infect.node % cx.shared().group_size();
  if (health[place] != Health::susceptible || cx.now() < closed_until ||
      (!isolated.empty() && (is_isolated(infect.node) || is_isolated(infect.from))))
    return {.place = place, .before = health[place]};
  UndoHealth undo = change(cx, place, cx.shared().has_latency() ? Health::exposed : Health::infectious,
                           &Group::infections, &Group::infection_day);
  spread(cx, infect);
  return undo;
}

// All that he does is drawn now. Who infects a node that is infected already does nothing, so such events are
// left out where that is known: his own infector, and those of his own group.
void Group::spread(Context<Group>& cx, const Infect& infect) const {
  const World& world = cx.shared();
  const std::uint32_t here = cx.self().index();
  Rng& rng = cx.rng();
  const Node node = infect.node;
  Time onset = 0;
  if (world.has_latency()) {
    onset = world.latency(rng);
    cx.send(cx.self(), onset, Onset{node});
  }
  const Time recovery = world.recovery(rng);
  for (const Node other : world.graph().neighbours(node)) {
    if (other == infect.from) continue;
    const std::uint32_t group = world.group_of(other);
    if (group == here && health[other % world.group_size()] != Health::susceptible) continue;
    const Time infection = world.infection(rng);
    if (infection < recovery) cx.send(cx.id(group), onset + infection, Infect{other, node});
  }
  cx.send(cx.self(), onset + recovery, Recover{node});
}

Group::UndoHealth Group::on(Context<Group>& cx, const Onset& onset) noexcept {
  return change(onset.node % cx.shared().group_size(), Health::infectious);
}

Group::UndoHealth Group::on(Context<Group>& cx, const Vaccinate& vaccinate) noexcept {
  const std::uint32_t place = vaccinate.node % cx.shared().group_size();
  return change(place, health[place] == Health::susceptible ? Health::immune : health[place]);
}

Group::UndoHealth Group::on(Context<Group>& cx, const Recover& recover) noexcept {
  return change(cx, recover.node % cx.shared().group_size(), Health::recovered, &Group::recoveries,
                &Group::recovery_day);
}

Group::UndoHealth Group::change(std::uint32_t place, Health now) {
  return {.place = place, .before = std::exchange(health[place], now)};
}

Group::UndoHealth Group::change(Context<Group>& cx, std::uint32_t place, Health now, Series Group::* series,
                                Tally Group::* days) {
  UndoHealth undo = change(place, now);
  undo.is_counted = true;
  undo.series = series;
  undo.days = days;
  undo.days_before = this->*days;
  (this->*days).add(cx, cx.now());
  undo.count = (this->*series).add_undoable(cx);
  return undo;
}

void Group::finish(Results& results, const Finish<Group>& cx) const {
  const World& world = cx.shared();
  std::array<std::int64_t, 5> number{};
  for (const Health h : health) ++number[static_cast<std::size_t>(h)];
  const auto nodes = static_cast<std::int64_t>(health.size());
  const std::int64_t immune = number[static_cast<std::size_t>(Health::immune)];
  const std::int64_t infected = nodes - immune - number[static_cast<std::size_t>(Health::susceptible)];
  if (cx.self().index() == 0) {
    results.count("nodes", 0);
    results.count("edges", static_cast<std::int64_t>(world.graph().edges()));
    results.count("dropped_edges", static_cast<std::int64_t>(world.graph().dropped()));
    if (world.lines_with_more() > 0)
      results.count("lines_with_ignored_columns", static_cast<std::int64_t>(world.lines_with_more()));
  }
  results.count("nodes", nodes);
  results.count("infected", infected);
  results.mean("attack_rate", static_cast<double>(infected), static_cast<std::uint64_t>(nodes));
  results.count("susceptible", number[static_cast<std::size_t>(Health::susceptible)]);
  results.count("exposed", number[static_cast<std::size_t>(Health::exposed)]);
  results.count("infectious", number[static_cast<std::size_t>(Health::infectious)]);
  results.count("recovered", number[static_cast<std::size_t>(Health::recovered)]);
  if (immune > 0) results.count("immune", immune);
  results.add("infection_day", infection_day);
  results.add("recovery_day", recovery_day);
  results.add("infections", infections);
  results.add("recoveries", recoveries);
}

}  // namespace anachron::models::epidemic
