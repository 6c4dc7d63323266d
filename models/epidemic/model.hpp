// Epidemics on networks of contacts: an LP for each group of nodes. Time is in days. See README.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <anachron/model/model.hpp>

#include "epidemic/params.hpp"
#include "epidemic/world.hpp"

namespace anachron::models::epidemic {

enum class Health : std::uint8_t { susceptible, exposed, infectious, recovered, immune };

/// To the group of `node`, from that of `from`, who would infect it now. 8 bytes: with the kernel's header
/// the event fills one cache line.
struct Infect {
  Node node = 0, from = 0;
  friend bool operator==(const Infect&, const Infect&) = default;
};
/// To oneself: a node becomes infectious; only where there is a latent time.
struct Onset {
  Node node = 0;
  friend bool operator==(const Onset&, const Onset&) = default;
};
/// To oneself: a node recovers.
struct Recover {
  Node node = 0;
  friend bool operator==(const Recover&, const Recover&) = default;
};

/// From outside, to the group of the node: it becomes immune, if nobody has infected it before.
struct Vaccinate {
  Node node = 0;
  friend bool operator==(const Vaccinate&, const Vaccinate&) = default;
};
/// From outside, to the groups of the node and of all its neighbours: it infects nobody from now on, and
/// nobody infects it.
struct Isolate {
  Node node = 0;
  friend bool operator==(const Isolate&, const Isolate&) = default;
};
/// From outside, to a group: nobody is infected there before that day.
struct Close {
  Time until = 0;
  friend bool operator==(const Close&, const Close&) = default;
};

/// Neighbouring nodes by their numbers. What becomes of a person is drawn at the infection, so that events
/// come to others long before their time.
struct Group {
  using Params = epidemic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::vector<Health> health;  ///< by node
  std::vector<Node> isolated;  ///< of those who could infect, or be infected here
  Time closed_until = 0;       ///< nobody is infected before
  Series infections, recoveries;
  Tally infection_day, recovery_day;

  /// What undoes a change of a person's health, and of the statistics of that change.
  struct UndoHealth {
    std::uint32_t place = 0;
    Health before = Health::susceptible;
    bool is_counted = false;
    Series Group::* series = nullptr;
    Tally Group::* days = nullptr;
    Tally days_before{};
    Series::Undo count{};

    void operator()(Group& group) const {
      if (place < group.health.size()) group.health[place] = before;
      if (!is_counted) return;
      group.*days = days_before;
      (group.*series).undo(count);
    }
  };

  static std::uint32_t count(const Params&, const World& world) { return world.groups(); }
  static double load(const Params&, const World& world, std::uint32_t index);
  static void neighbours(const Params& params, const World& world, std::uint32_t index, Neighbours& to);
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params&, const World& world) { return world.least_generation(); }

  void start(Context<Group>& cx);
  /// Whether the same persons can be infected from now on. What was counted may differ.
  bool goes_on_like(const Group& other, const View<Group>& cx) const {
    return health == other.health && isolated == other.isolated &&
           std::max(closed_until, cx.now()) == std::max(other.closed_until, cx.now());
  }
  UndoHealth on(Context<Group>& cx, const Infect& infect) noexcept;
  UndoHealth on(Context<Group>& cx, const Vaccinate& vaccinate) noexcept;
  auto on(Context<Group>&, const Isolate& isolate) {
    isolated.push_back(isolate.node);
    return [](Group& group) { group.isolated.pop_back(); };
  }
  auto on(Context<Group>&, const Close& close) noexcept {
    return [before = std::exchange(closed_until, std::max(closed_until, close.until))](Group& group) {
      group.closed_until = before;
    };
  }
  UndoHealth on(Context<Group>& cx, const Onset& onset) noexcept;
  UndoHealth on(Context<Group>& cx, const Recover& recover) noexcept;
  void finish(Results& results, const Finish<Group>& cx) const;

  friend bool operator==(const Group&, const Group&) = default;

 private:
  UndoHealth change(std::uint32_t place, Health health);
  UndoHealth change(Context<Group>& cx, std::uint32_t place, Health health, Series Group::* series,
                    Tally Group::* days);
  void spread(Context<Group>& cx, const Infect& infect) const;
  bool is_isolated(Node node) const {
    return std::find(isolated.begin(), isolated.end(), node) != isolated.end();
  }
};

}  // namespace anachron::models::epidemic
