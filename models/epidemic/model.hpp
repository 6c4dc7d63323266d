// Epidemics on networks of contacts: an LP for each group of nodes. Time is in days. See README.md.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/model/model.hpp>

#include "epidemic/params.hpp"
#include "epidemic/world.hpp"

namespace anachron::models::epidemic {

enum class Health : std::uint8_t { susceptible, exposed, infectious, recovered };

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

/// Neighbouring nodes by their numbers. What becomes of a person is drawn at the infection, so that events
/// come to others long before their time.
struct Group {
  using Params = epidemic::Params;
  using Shared = World;
  static constexpr bool encodable_events = true;

  std::vector<Health> health;  ///< by node
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
  UndoHealth on(Context<Group>& cx, const Infect& infect) noexcept;
  UndoHealth on(Context<Group>& cx, const Onset& onset) noexcept;
  UndoHealth on(Context<Group>& cx, const Recover& recover) noexcept;
  void finish(Results& results, const Finish<Group>& cx) const;

  friend bool operator==(const Group&, const Group&) = default;

 private:
  UndoHealth change(std::uint32_t place, Health health);
  UndoHealth change(Context<Group>& cx, std::uint32_t place, Health health, Series Group::* series,
                    Tally Group::* days);
  void spread(Context<Group>& cx, const Infect& infect) const;
};

}  // namespace anachron::models::epidemic
