// What is measured of a run: by the kernel, shown by the report.
//
// Most members are keys of the JSON report. docs/reference/report.md shows their comments as descriptions, so
// each comment can be read without its neighbours: tests/docs/generated.py.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>

namespace anachron {

/// What workers spent their time on, in seconds. Each moment is in exactly one member. So the members add up
/// to the time in the event loop without the time in which a worker slept (Bachan et al. 2024, figure 5).
struct TimeSplit {
  double execution_s = 0;  ///< Executing events, with the pending set and with what commits at once.
  double routing_s = 0;    ///< Taking in events from other PEs, and handing over events for them.
  double rollback_s = 0;   ///< Undoing events, wherever that happened.
  double rounds_s = 0;     ///< In GVT rounds: reports, and waiting for the reports of other PEs.
  double commit_s = 0;     ///< Taking in the outcome of GVT rounds: commit and fossil collection.
  double idle_s = 0;       ///< Looking in vain for an event that may be executed.

  TimeSplit& operator+=(const TimeSplit& other) {
    execution_s += other.execution_s;
    routing_s += other.routing_s;
    rollback_s += other.rollback_s;
    rounds_s += other.rounds_s;
    commit_s += other.commit_s;
    idle_s += other.idle_s;
    return *this;
  }
  /// All of them together, in seconds.
  double sum() const { return execution_s + routing_s + rollback_s + rounds_s + commit_s + idle_s; }
};

/// What a PE did. Its members' names are keys of the JSON report.
struct PeReport {
  std::uint64_t lps = 0;          ///< LPs.
  std::uint64_t committed = 0;    ///< Events that can no longer be undone. The same in every mode.
  std::uint64_t executed = 0;     ///< Handler calls of events, also of events that were rolled back later.
  std::uint64_t rolled_back = 0;  ///< Events that were undone.
  std::uint64_t rollbacks = 0;    ///< Times that an LP, or a group of LPs, was rolled back.
  /// Rollbacks caused by an event from the same PE that came too late or was cancelled. The three kinds leave
  /// out rollbacks by the engine itself: at the end of a run, for lack of memory, and with `--test-chaos`.
  std::uint64_t rollbacks_local = 0;
  std::uint64_t rollbacks_regional = 0;  ///< Rollbacks caused by an event from another PE of the same rank.
  std::uint64_t rollbacks_remote = 0;    ///< Rollbacks caused by an event from another rank.
  /// Turns, between two looks at the inbox, in which PEs executed events. Events that one worker executed in
  /// order are in none.
  std::uint64_t batches = 0;
  /// Cancellations sent to other PEs. The cancellation of a broadcast counts once for each PE.
  std::uint64_t anti_messages = 0;
  std::uint64_t sent_remote = 0;  ///< Messages with events sent to other PEs; of a broadcast one for each PE.
  /// Events sent, also events that were cancelled later. A broadcast counts once for each receiver, when the
  /// receiver's PE has reached it.
  std::uint64_t sent = 0;
  /// Memory of the event pools, and of events above 256 KiB, which are in no pool. With another `--pool` than
  /// `own`: memory of all events.
  std::uint64_t pool_bytes = 0;
  /// Of `pool_bytes`, the most memory that events took. Executed events count until they commit. For events
  /// that are in no pool it is the most at a GVT round, in the sum over all PEs only.
  std::uint64_t event_bytes = 0;
  std::uint64_t queue_bytes = 0;    ///< Memory of the pending sets, without the events.
  std::uint64_t history_bytes = 0;  ///< Memory of the histories.
  std::uint64_t state_copies = 0;   ///< Copies of LP states that were taken to undo events.
  /// Events executed again, without effect, to bring a state back from an older copy. They do not count in
  /// `executed`.
  std::uint64_t coasted = 0;
  /// With `--cancellation lazy`: events of rolled-back events that did not have to be sent again.
  std::uint64_t lazy_hits = 0;
  /// Events of an LP from one copy of its state to the next, at the end of the run; the largest of all LP
  /// types.
  unsigned checkpoint_interval = 1;
  /// Number of the memory node on which events for this PE are placed; 0 without `--numa`.
  unsigned node = 0;
  std::uint64_t copied = 0;  ///< With `--events copied`: events copied for other PEs of the same process.
  std::uint64_t copied_bytes = 0;  ///< Bytes of these copies, without memory that payloads own.
  std::uint64_t recall_bytes = 0;  ///< Bytes of the cancellations of these copies.
  /// Searches by match id for an event that another PE has copied for this one. There is one for each
  /// cancellation and, with `--events copied`, one for each copy that is dropped.
  std::uint64_t lookups = 0;
  /// Entries that these searches looked at: slots of a hash table with `--events copied`, steps of a
  /// bisection for events of other ranks.
  std::uint64_t lookup_probes = 0;
  /// With `--events copied`: slots looked at to put copies into the table.
  std::uint64_t insertion_probes = 0;
  /// Blocks of events that wait for GVT before they can be used again: of executed and cancelled events, and
  /// originals of copies. The average over GVT rounds, before each round has freed some.
  double waiting_blocks = 0;
  std::uint64_t most_waiting_blocks = 0;  ///< The largest number of waiting blocks; over PEs the sum.
  std::uint64_t new_blocks = 0;           ///< Blocks of events cut from memory that no event had before.
  /// With `--numa`: free blocks that a PE with too many left to others.
  std::uint64_t rebalanced_blocks = 0;
  TimeSplit spent{};  ///< Time of the workers that ran the PE.
};

/// Memory of events on one memory node.
struct NodeFigures {
  unsigned rank = 0;             ///< Rank whose PEs these are.
  unsigned node = 0;             ///< The system's number of the node.
  unsigned pes = 0;              ///< PEs whose events are placed on the node.
  std::uint64_t pool_bytes = 0;  ///< Memory of all event pools on the node.
};
/// On which memory nodes events were placed.
struct NumaFigures {
  std::vector<NodeFigures> nodes;  ///< Empty: events are not placed.
  std::string why_not;             ///< The reason when events are not placed.
};

/// What one LP did, where `Config::profile_lps` asks.
struct LpFigures {
  std::string_view type;          ///< LP type.
  std::uint32_t index = 0;        ///< Number within the type.
  PeId pe = 0;                    ///< PE that the LP was on.
  std::uint64_t committed = 0;    ///< Committed events of the LP. The same in every mode.
  std::uint64_t rolled_back = 0;  ///< Events of the LP that were undone.
  std::uint64_t rollbacks = 0;    ///< Rollbacks that began at an event for the LP.
  /// Rollbacks of any LP to an event that this LP had sent too late or had cancelled.
  std::uint64_t rollbacks_caused = 0;
};

/// What an LP sent, or cancelled, came too late for another LP.
struct RollbackPair {
  std::string_view sender_type;    ///< LP type of the sender.
  std::uint32_t sender = 0;        ///< Number of the sender within its type.
  std::string_view receiver_type;  ///< LP type of the LP that was rolled back.
  std::uint32_t receiver = 0;      ///< Number of that LP within its type.
  std::uint64_t rollbacks = 0;     ///< At least so many rollbacks; exact where few pairs had rollbacks.
};

/// What a worker did with its time.
struct WorkerReport {
  double waiting_s = 0;  ///< Time without an event to execute.
  double gvt_s = 0;      ///< Time in GVT rounds; with `--gvt barrier` also the waiting for them.
  /// How often the worker gave its core to a worker that another process had stopped.
  std::uint64_t core_swaps = 0;
  /// How often the worker, as the only active one, let a second worker go on in its place.
  std::uint64_t time_slices = 0;
  TimeSplit spent{};    ///< Time in the event loop, also without a PE.
  double asleep_s = 0;  ///< The rest of its time: without a core, or while another worker had its turn.
};

/// What the cores of all workers have counted in the event loop, in user mode.
struct CoreCounts {
  /// Cycles of the cores. None: the system has no such counters, as on many virtual machines, or refuses
  /// them (`kernel.perf_event_paranoid` above 2).
  std::uint64_t cycles = 0;
  double user_s = 0;                            ///< Time of all threads in user mode.
  std::optional<std::uint64_t> instructions{};  ///< Instructions executed. None: not counted.
  std::optional<std::uint64_t> cache_misses{};  ///< Misses of the last level cache. None: not counted.

  /// What several threads have counted. A count that one of them lacks is not known of all.
  CoreCounts& operator+=(const CoreCounts& other) {
    const auto add = [](std::optional<std::uint64_t>& to, const std::optional<std::uint64_t>& more) {
      to = to && more ? std::optional(*to + *more) : std::nullopt;
    };
    cycles += other.cycles;
    user_s += other.user_s;
    add(instructions, other.instructions);
    add(cache_misses, other.cache_misses);
    return *this;
  }
};

/// What handlers took of processor time, with `--time-events`.
struct EventTimes {
  /// Seconds in the handlers of the longest chain of causes, each as long as it took. None: `--time-events`
  /// was not given, `cancellation` was lazy, or the run went on from a checkpoint.
  double critical_path_s = 0;
  /// Seconds in all handlers, also in those of events that were rolled back later. None: as
  /// `critical_path_s`.
  double handlers_s = 0;
};

/// How fast the run was with so many active workers, one way or the other.
struct WorkerTrial {
  unsigned workers = 1;     ///< Active workers. A single one executes all events in order.
  bool in_windows = false;  ///< Whether they worked conservatively, in windows as wide as the lookahead.
  /// Committed events per second, of late. None: the trial was too short to tell.
  std::optional<double> rate{};
  double wall_s = 0;  ///< Seconds with so many workers, without the beginning and the end of each term.
};

/// A rank of a run over several.
struct RankFigures {
  std::string host;                      ///< Name of the machine.
  unsigned workers = 1;                  ///< Workers of the rank.
  unsigned pes = 1;                      ///< PEs of the rank.
  bool comm_thread = false;              ///< Whether the rank has a thread for messages.
  std::uint64_t committed = 0;           ///< Events that its PEs committed.
  std::uint64_t executed = 0;            ///< Handler calls of its PEs.
  std::uint64_t rolled_back = 0;         ///< Events that its PEs undid.
  std::uint64_t peak_rss = 0;            ///< Most memory of its process, in bytes.
  std::uint64_t memory_peak = 0;         ///< Of `--memory`, the most taken, in bytes.
  double cpu_s = 0;                      ///< Processor time of its workers in the event loop.
  std::uint64_t messages_sent = 0;       ///< Messages to other ranks.
  std::uint64_t bytes_sent = 0;          ///< Bytes of these messages.
  std::uint64_t events_sent = 0;         ///< Events and cancellations in these messages.
  std::uint64_t cancellations_sent = 0;  ///< Of these, cancellations.
  std::uint64_t probes = 0;              ///< Looks for messages.
  std::uint64_t successful_probes = 0;   ///< Looks that found some.
};

/// Which core each worker stayed on.
struct WorkerBinding {
  /// By worker, the system's number of its core. None: not this worker. Empty: no worker was bound.
  std::vector<std::optional<unsigned>> cores;
  std::string why_not;  ///< The reason when not all workers were bound.
};

/// One GVT round.
struct RoundSample {
  Time gvt = 0;                 ///< Global virtual time after the round, in the model's unit.
  double wall_s = 0;            ///< Seconds since the start of the event loop.
  std::uint64_t committed = 0;  ///< Committed events so far.
  std::uint64_t executed = 0;   ///< Handler calls so far.
  Time horizon = 0;             ///< Events at or after this time wait. None: no bound.
  unsigned active_workers = 1;  ///< Workers that ran PEs.
  /// (Most - average) / average of the PEs' events committed since the row before (Bachan et al. 2024, figure
  /// 6). None: no event was committed, or one worker executed for all PEs.
  std::optional<double> imbalance{};
  std::uint64_t memory = 0;  ///< Bytes that this rank had taken of `memory_limit`.
};

/// How a run ended. `finished`: end time reached or no events left; `stopped`: by Context::stop;
/// `interrupted`: by a signal or the callback of the caller.
enum class Ending { finished, stopped, interrupted };
template <>
struct Spelling<Ending> {
  static constexpr std::array<std::pair<std::string_view, Ending>, 3> names{
      {{"finished", Ending::finished}, {"stopped", Ending::stopped}, {"interrupted", Ending::interrupted}}};
};

/// What a run did, as the engine measures it. Most members' names are keys of the JSON report.
struct RunFigures {
  Ending ending = Ending::finished;  ///< `finished`, `stopped` or `interrupted`.
  /// `--until`, or the time of the last committed event when the run ended before that.
  Time end_time = 0;
  /// Hash of all committed events, 16 hexadecimal digits: equal for equal results.
  std::uint64_t digest = 0;
  /// Of the committed events, those of the runs before, where this one went on from a checkpoint.
  std::uint64_t committed_before = 0;
  std::string checkpoint;              ///< Where the newest checkpoint is that the run has written.
  std::uint64_t checkpoints = 0;       ///< Checkpoints that it has written.
  double checkpoint_s = 0;             ///< Wall time that the run stood still for these; not in `wall_s`.
  std::uint64_t checkpoint_bytes = 0;  ///< Size of the newest.
  bool is_out_of_time = false;         ///< It ended because of `--max-wall`.
  /// Hash of the LPs' final states and of the results, 16 hexadecimal digits: equal for equal states. None:
  /// `why_no_state_digest` says why.
  std::optional<std::uint64_t> state_digest{};
  /// Why there is no state digest; empty when there is one.
  std::string why_no_state_digest;
  double wall_s = 0;   ///< Wall time of the event loop, without set-up.
  double setup_s = 0;  ///< Wall time of making the LPs and of their `start`.
  double cpu_s = 0;    ///< Processor time of all workers in the event loop.
  /// None: the system has no such counters, or refuses them.
  std::optional<CoreCounts> core_counts;
  std::uint64_t gvt_rounds = 0;         ///< Rounds of the GVT algorithm.
  double gvt_latency_s = 0;             ///< Average time from the first PE's part in a round to its outcome.
  unsigned last_batch = 0;              ///< `--batch` when the run ended.
  std::uint64_t last_gvt_interval = 0;  ///< `--gvt-interval` when the run ended.
  /// Events in the longest chain of causes: each was sent by the one before it, or is the next one of the
  /// same LP. The same in every mode. None: not known, after optimistic runs with lazy cancellation and with
  /// `--time-events`.
  std::optional<std::uint64_t> critical_path{};
  /// None: no event was timed, `cancellation` was lazy, or the run went on from a checkpoint.
  std::optional<EventTimes> event_times{};
  /// Most pending events of all PEs at a time. The engine counts after `start`, at GVT rounds, and in a
  /// sequential run every 4,096 events.
  std::uint64_t peak_pending = 0;
  /// Of `memory_limit`, the most taken; over ranks the sum. Seen at GVT rounds and at the end.
  std::uint64_t memory_peak = 0;
  std::uint64_t retreats = 0;  ///< GVT rounds in which executed events were undone for lack of memory.
  WorkerBinding binding;       ///< Which core each worker stayed on.
  NumaFigures numa;            ///< On which memory nodes events were placed.
  /// How LPs were dealt to PEs: as `--partition` says, or what `auto` has chosen; `file`.
  Partition dealt_by = Partition::block;
  std::vector<PeReport> pes;          ///< An object for each PE.
  std::vector<WorkerReport> workers;  ///< An object for each worker.
  /// With `--mapping auto`: an object for each number of workers that was tried, in windows and in Time Warp.
  std::vector<WorkerTrial> workers_tried;
  std::uint64_t migrations = 0;    ///< How often LPs moved to PEs that had less to do (`--migration`).
  std::uint64_t migrated_lps = 0;  ///< LPs that moved, each time counted.
  /// Of `migrations`, how often the LPs moved back, because the run was not faster.
  std::uint64_t migrations_taken_back = 0;
  /// How many times as fast the run was after a move as before it, the geometric mean of the moves that
  /// stayed. None: none was found to.
  std::optional<double> migration_gain;
  std::uint64_t committed_in_order = 0;  ///< Of `committed`, what a single active worker executed in order.
  std::uint64_t sent_in_order = 0;       ///< Of `sent`, what a single active worker sent in order.
  /// Seconds of a cache line from the first worker's core to the second's and back. None: one worker was not
  /// faster than two.
  std::optional<double> round_trip_s;
  std::vector<RankFigures> ranks;  ///< An object for each rank; empty: there was one.
  std::string transport;  ///< Over what ranks exchanged messages, as `Open MPI 4.1.4`. None: one rank.
  /// How often ranks have counted what is on its way between them: at least once in a GVT round.
  std::uint64_t gvt_counts = 0;
  std::vector<LpFigures> lp_profile;         ///< An object for each LP of `--profile-lps`; else empty.
  std::vector<RollbackPair> rollback_pairs;  ///< The ten pairs of LPs with most rollbacks, most first.
  std::vector<RoundSample> rounds;           ///< A time series with a sample for each GVT round, thinned.
  std::vector<std::string> notes;  ///< Remarks: options without effect, what the rollback check left out.
};

/// What of the model is called.
enum class Activity : std::uint8_t {
  handler,  ///< of an event
  start,    ///< of an LP
  commit,   ///< an action at commit, or `commit`
  undo,     ///< what undoes an event: its reverser
};

/// A call of the model that has not returned for long.
struct LongEvent {
  std::string lp;          ///< e.g. "Player 17"
  std::string_view event;  ///< its type; "start"
  Time time = 0;
  double seconds = 0;        ///< since it was first seen
  bool speculative = false;  ///< the event may be wrong, or the LP's state, and both may yet be undone
  Activity activity = Activity::handler;
  PeId pe = 0;
};

/// GVT does not get on.
struct Stall {
  double seconds = 0;     ///< since it did
  std::string waits_for;  ///< as far as this process knows; empty: for what other ranks know
};

/// A look at a run in progress.
struct Progress {
  Time gvt = 0, until = kForever;
  std::uint64_t committed = 0, executed = 0;
  double wall_s = 0;
  std::optional<LongEvent> long_event = {};  ///< the longest of those that take more than a few seconds
  std::optional<Stall> stall = {};           ///< when that lasts longer than some seconds
  bool is_paused = false;                    ///< see Config::paused; `wall_s` stands meanwhile
  Time horizon = 0;                          ///< as in RoundSample
  unsigned active_workers = 0;               ///< as in RoundSample; 0: no worker has run a PE yet
  std::uint64_t memory = 0;                  ///< bytes that this process has taken of `Config::memory`
  std::vector<Time> pes = {};                ///< of this process: the time of each one's last event so far
};

}  // namespace anachron
