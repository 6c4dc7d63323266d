// The door of the room `engine`: a run from set-up to result.
//
// An engine sets PEs and workers up, lets them go in terms, and collects what they did.
// Invariant: between two calls of an Engine no thread runs a PE.
// Read on in engine/terms/run.hpp (the one implementation) and engine/ranks/ranks.hpp (a run over several
// ranks).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>

#include "lp/lp_store.hpp"
#include "observe/event_log.hpp"
#include "observe/tallies/rollback_pairs.hpp"
#include "partition/profile/profile.hpp"
#include "pe/parts/fault_log.hpp"

namespace anachron::checkpoint {
class StateWriter;
}
namespace anachron::event {
class TypeTable;
}

namespace anachron::engine {

class Ranks;

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

/// Does what a Session asks for. Between two calls no thread runs a PE.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Constructs the LPs, runs their `start`. Returns the failure of one. Calls `progress` and polls
  /// `interrupted`, if any, as `run` does, from the first `start` on; if it is interrupted, so are the runs.
  virtual std::optional<Fault> start(const std::function<void(const Progress&)>& progress,
                                     const std::function<bool()>& interrupted) = 0;
  /// Runs to the configuration's end time.
  virtual Stretch run(const std::function<void(const Progress&)>& progress,
                      const std::function<bool()>& interrupted) = 0;
  /// All but how and when it ended.
  virtual Outcome outcome() const = 0;

  /// Sends an event from outside, the LP-like sender that `outside` counts for. Null: the receiver is on
  /// another rank, which sends it; here it is only counted.
  virtual event::EventHeader* schedule(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                       event::Outside& outside,
                                       const std::function<void(event::EventHeader&)>& construct) = 0;
  // Over ranks all of them do the same, in the same order.

  /// Marks are numbered from 0. From mark 0 on nothing commits.
  virtual void mark() = 0;
  /// Back to a mark, from where `scheduled` was scheduled since. Later marks are forgotten.
  virtual void rewind(std::size_t mark, std::span<event::EventHeader* const> scheduled) = 0;
  /// Forgets this mark and later ones. Without any, what was executed commits.
  virtual void accept(std::size_t mark) = 0;

  virtual bool is_set_up() const = 0;
  /// Before `save`, on all ranks. Precondition: there are no marks.
  virtual void prepare_to_save() = 0;
  /// Writes the LPs of this rank and what waits for them.
  virtual void save(checkpoint::StateWriter& to) = 0;
  /// Instead of `start`: the LPs and what waits for them are as other ranks have saved them. `table`: of the
  /// LP types. Throws InputError, on all ranks the same.
  virtual void restore(std::span<const std::filesystem::path> files, const event::TypeTable& table,
                       const std::function<void(const Progress&)>& progress,
                       const std::function<bool()>& interrupted) = 0;

  /// Keeps all that commits from now on, one log per PE: see observe/event_log.hpp. Precondition: there is
  /// one rank, and the logs outlive the engine. The room interrupts it.
  virtual void keep_in(std::span<const std::unique_ptr<observe::EventLog>> logs, observe::LogRoom& room) = 0;
};

/// `config` may get another end time before each `run`. `ranks`: null in a run of one rank.
std::unique_ptr<Engine> make_engine(lp::LpStore& lps, const Config& config, Ranks* ranks = nullptr);
/// Throws InputError when the kernel cannot run these LPs as configured.
void check(const std::vector<event::LpTypeEntry>& types, const Config& config);

/// Runs from time 0 to the end. `config` is resolved. Calls `progress`, if any, about five times a second on
/// the calling thread, from the LPs' `start` on. Polls `interrupted`, if any, at the same rate and once when
/// it is over. Throws InputError, SimulationError, and std::runtime_error when the system gives no memory.
Outcome run(std::vector<event::LpTypeEntry> types, const Config& config,
            const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted);

}  // namespace anachron::engine
