// The door of the room `engine`: a run from set-up to result.
//
// The engine sets PEs and workers up, lets them go in terms, and collects what they did.
// Invariant: between two calls of a Run no thread runs a PE.
// Read on in engine/terms/run.hpp (a run) and engine/ranks/ranks.hpp (a run over several ranks).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>

#include "lp/lp_store.hpp"
#include "observe/tallies/rollback_pairs.hpp"
#include "partition/profile/profile.hpp"
#include "pe/parts/fault_log.hpp"

namespace anachron::engine {

/// What a run did, and what is left of it. Over ranks: of all of them, but for the members here.
/// `pes`, `workers`, `rounds` and `pairs` are of this rank's own, but on rank 0, which has those of all.
struct Outcome : RunFigures {
  PeReport of_pes;                          ///< sums over the PEs of all ranks
  WorkerReport of_workers;                  ///< the same over their workers
  PeRange own_pes;                          ///< those of this rank
  std::optional<partition::Profile> links;  ///< where `Config::survey` asks
  std::optional<std::uint64_t>
      sum_of_states;                     ///< of all ranks, for the state digest; none: they cannot be encoded
  std::uint64_t single_event_bytes = 0;  ///< most that events took which are in no pool
  std::vector<observe::LpPair> pairs;    ///< that had most rollbacks; of all ranks
  bool is_set_up = true;                 ///< every LP's `start` was called; not if that was interrupted
  std::unique_ptr<lp::LpStore> lps;      ///< as they were when the run ended; null while a session goes on
};

/// Makes `of_pes` and `of_workers` of the lists. Of the checkpoint intervals the largest stays.
void sum_up(Outcome& outcome);

/// A certain event failed, on whichever rank.
struct Fault {
  event::EventKey key;
  LpId lp = 0;
  std::string event;  ///< its type, or "start"
  std::string cause;
  std::string where{};  ///< the rank and its host; empty: there is one rank
};

/// How a stretch of a run ended.
struct Stretch {
  std::optional<Fault> fault;  ///< the rest tells nothing
  Ending ending = Ending::finished;
  Time last = 0;                ///< time of the last event so far; 0 when there was none
  std::uint64_t committed = 0;  ///< so far
};

/// Throws InputError when the kernel cannot run these LPs as configured.
void check(const std::vector<event::LpTypeEntry>& types, const Config& config);

/// Runs from time 0 to the end. `config` is resolved. Calls `progress`, if any, about five times a second on
/// the calling thread, from the LPs' `start` on. Polls `interrupted`, if any, at the same rate and once when
/// it is over. Throws InputError, SimulationError, and std::runtime_error when the system gives no memory.
Outcome run(std::vector<event::LpTypeEntry> types, const Config& config,
            const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted);

}  // namespace anachron::engine
