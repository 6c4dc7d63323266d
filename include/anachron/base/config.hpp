// How a simulation is run: everything that may change speed and never the committed results
// (except `seed`, `tie_seed` and `until`, which define the experiment).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <anachron/base/time.hpp>

namespace anachron {

enum class Sync { sequential, optimistic };
enum class Queue { radix, heap, heap4, three_tier_heap, ladder, two_tier_ladder, splay };
enum class Partition { block, round_robin, random };
enum class Rollback { automatic, copy };
enum class Throttle { none, fixed };
enum class Bind { automatic, none };

/// The spelling of each enumerator on the command line, in TOML and in the report.
template <class Enum>
struct Spelling;
template <>
struct Spelling<Sync> {
  static constexpr std::array<std::pair<std::string_view, Sync>, 2> names{
      {{"sequential", Sync::sequential}, {"optimistic", Sync::optimistic}}};
};
template <>
struct Spelling<Queue> {
  static constexpr std::array<std::pair<std::string_view, Queue>, 7> names{
      {{"radix", Queue::radix},
       {"heap", Queue::heap},
       {"heap4", Queue::heap4},
       {"3theap", Queue::three_tier_heap},
       {"ladder", Queue::ladder},
       {"2tladder", Queue::two_tier_ladder},
       {"splay", Queue::splay}}};
};
template <>
struct Spelling<Partition> {
  static constexpr std::array<std::pair<std::string_view, Partition>, 3> names{
      {{"block", Partition::block}, {"round-robin", Partition::round_robin}, {"random", Partition::random}}};
};
template <>
struct Spelling<Rollback> {
  static constexpr std::array<std::pair<std::string_view, Rollback>, 2> names{
      {{"auto", Rollback::automatic}, {"copy", Rollback::copy}}};
};
template <>
struct Spelling<Throttle> {
  static constexpr std::array<std::pair<std::string_view, Throttle>, 2> names{
      {{"none", Throttle::none}, {"fixed", Throttle::fixed}}};
};
template <>
struct Spelling<Bind> {
  static constexpr std::array<std::pair<std::string_view, Bind>, 2> names{
      {{"auto", Bind::automatic}, {"none", Bind::none}}};
};

template <class Enum>
constexpr std::string_view to_string(Enum value) {
  for (auto [name, enumerator] : Spelling<Enum>::names)
    if (enumerator == value) return name;
  return "?";
}

inline constexpr unsigned kMostCheckpointInterval = 10'000;

/// Engine options. An empty optional means: chosen by the engine; `resolve` fills it in.
struct Config {
  std::optional<Sync> sync;         ///< default: optimistic, or sequential on a single core
  std::optional<unsigned> workers;  ///< threads; default: the cores this process may use
  std::optional<unsigned> pes;      ///< processing elements, at least `workers`; default: one per worker
  Time until = kForever;            ///< exactly the events with time < until are committed
  std::uint64_t seed = 1;           ///< of the LPs' random streams
  std::uint64_t tie_seed = 1;       ///< orders simultaneous events; another seed probes another order
  Bind bind = Bind::automatic;      ///< of workers to cores: each to its own where that can be, or none
  Queue queue = Queue::radix;       ///< pending-event set
  Partition partition = Partition::block;
  Rollback rollback = Rollback::automatic;
  /// Events of an LP to a copy of its state, where copies undo events, 1 to kMostCheckpointInterval; default:
  /// chosen while running, from what copies, events and rollbacks cost.
  std::optional<unsigned> checkpoint_interval;
  Throttle throttle = Throttle::fixed;
  std::optional<Time> window;            ///< fixed throttle: optimism beyond GVT, in simulated time, > 0
  unsigned batch = 64;                   ///< events a PE executes between two looks at its inbox, >= 1
  std::optional<unsigned> gvt_interval;  ///< events per PE between two GVT rounds, >= 1
  unsigned lps_per_group = 1;            ///< LPs that share a history (more than 1: kernel processes), >= 1
  bool check_rollback = false;           ///< execute, undo, compare, execute again
  unsigned test_chaos = 0;               ///< testing: provoke stragglers and yields; 0 = off, else a seed
  /// Bytes that LPs, events, pending sets and histories may take together, without what states and events own
  /// themselves, > 0; default: 80% of what the process may still use when the run starts.
  std::optional<std::uint64_t> memory;
};

}  // namespace anachron
