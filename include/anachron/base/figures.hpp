// What is measured of a run: by the kernel, shown by the report.
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

/// What workers spent their time on, in seconds. Each moment is in one of them, so they add up to the time in
/// the event loop without that in which a worker slept (Bachan et al. 2024, figure 5).
struct TimeSplit {
  double execution_s = 0;  ///< executing events, with the pending set and with what commits at once
  double routing_s = 0;    ///< taking in what other PEs sent, handing over what is for them
  double rollback_s = 0;   ///< undoing events, wherever that happened
  double rounds_s = 0;     ///< in GVT rounds: reports, and waiting for those of others
  double commit_s = 0;     ///< taking in the outcome of GVT rounds: fossil collection
  double idle_s = 0;       ///< looking in vain for an event that may be executed

  TimeSplit& operator+=(const TimeSplit& other) {
    execution_s += other.execution_s;
    routing_s += other.routing_s;
    rollback_s += other.rollback_s;
    rounds_s += other.rounds_s;
    commit_s += other.commit_s;
    idle_s += other.idle_s;
    return *this;
  }
  double sum() const { return execution_s + routing_s + rollback_s + rounds_s + commit_s + idle_s; }
};

/// What a PE did. Its members' names are keys of the JSON report.
struct PeReport {
  std::uint64_t lps = 0, committed = 0, executed = 0, rolled_back = 0, rollbacks = 0;
  /// Rollbacks that an event caused which came too late or was taken back, by its sender's place: on this PE,
  /// on another PE of the same rank, on another rank. Rollbacks by the engine itself are in none.
  std::uint64_t rollbacks_local = 0, rollbacks_regional = 0, rollbacks_remote = 0;
  std::uint64_t batches = 0;         ///< turns, between two looks at its inbox, in which it executed events
  std::uint64_t anti_messages = 0;   ///< cancellations sent to other PEs
  std::uint64_t sent_remote = 0;     ///< events sent to other PEs; of a broadcast one to each
  std::uint64_t sent = 0;            ///< all events sent, also those cancelled later
  std::uint64_t pool_bytes = 0;      ///< memory held by the event pool
  std::uint64_t event_bytes = 0;     ///< of these, what events took at most
  std::uint64_t queue_bytes = 0;     ///< memory held by the pending set, without the events
  std::uint64_t history_bytes = 0;   ///< memory held by the history
  std::uint64_t state_copies = 0;    ///< copies of LP states taken to undo events
  std::uint64_t coasted = 0;         ///< events executed again, without effect, to bring a state back
  std::uint64_t lazy_hits = 0;       ///< sends of undone events that were right after all
  unsigned checkpoint_interval = 1;  ///< at the end; the largest of its LP types
  unsigned node = 0;                 ///< of memory, that events for this PE are placed on
  /// With copied events: those that it has copied for other PEs of its process, the bytes of that without
  /// what payloads own, and the bytes that took its cancellations there.
  std::uint64_t copied = 0, copied_bytes = 0, recall_bytes = 0;
  /// Searches by match id for an event that another PE has made and copied for this one. The entries that
  /// were looked at in them, and to put copies into the table of copied events.
  std::uint64_t lookups = 0, lookup_probes = 0, insertion_probes = 0;
  /// Blocks of events that no PE will execute any more, unless something is undone, and that cannot be used
  /// again before GVT has passed them: executed, cancelled, originals of copies. On average over GVT rounds,
  /// before each has freed some, and most of them.
  double waiting_blocks = 0;
  std::uint64_t most_waiting_blocks = 0;
  std::uint64_t new_blocks = 0;         ///< of events, cut from memory that no event had before
  std::uint64_t rebalanced_blocks = 0;  ///< left to other PEs at GVT rounds: too many were free
  TimeSplit spent{};                    ///< by the workers that ran it
};

/// Memory of events on one memory node.
struct NodeFigures {
  unsigned rank = 0;
  unsigned node = 0;             ///< the system's number
  unsigned pes = 0;              ///< that events are placed there for
  std::uint64_t pool_bytes = 0;  ///< of all PEs' pools
};
struct NumaFigures {
  std::vector<NodeFigures> nodes;  ///< empty: events are not placed
  std::string why_not;
};

/// What one LP did, where `Config::profile_lps` asks.
struct LpFigures {
  std::string_view type;          ///< its LP type
  std::uint32_t index = 0;        ///< within the type
  PeId pe = 0;                    ///< that it was on
  std::uint64_t committed = 0;    ///< events; the same in every mode
  std::uint64_t rolled_back = 0;  ///< events undone
  std::uint64_t rollbacks = 0;    ///< that began at an event of this LP
  std::uint64_t rollbacks_caused =
      0;  ///< it had sent the straggler, or the executed event that was cancelled
};

/// What an LP sent, or took back, came too late for another LP.
struct RollbackPair {
  std::string_view sender_type;  ///< its LP type
  std::uint32_t sender = 0;      ///< within the type
  std::string_view receiver_type;
  std::uint32_t receiver = 0;
  std::uint64_t rollbacks = 0;  ///< at least so many; exact where there are few pairs
};

/// What a worker did with its time.
struct WorkerReport {
  double waiting_s = 0;           ///< it had no event to execute
  double gvt_s = 0;               ///< it was in GVT rounds
  std::uint64_t core_swaps = 0;   ///< how often it gave its core to one that others had stopped
  std::uint64_t time_slices = 0;  ///< how often it let a second worker go on, as the only active one
  TimeSplit spent{};              ///< in the event loop, also when it ran no PE
  double asleep_s = 0;            ///< the rest: it left its core to others, or another worker had its turn
};

/// What the cores of all workers have counted in the event loop, in user mode.
struct CoreCounts {
  std::uint64_t cycles = 0;
  double user_s = 0;  ///< the threads' time in user mode, all together
  std::optional<std::uint64_t> instructions{}, cache_misses{};  ///< last level; none: not counted

  /// What several threads have counted. What one has not is not known of all.
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

/// How fast the run was with so many active workers, one way or the other.
struct WorkerTrial {
  unsigned workers = 1;          ///< one: all events in order
  bool in_windows = false;       ///< conservatively: as wide as the model's lookahead
  std::optional<double> rate{};  ///< committed events per second, of late; none: not long enough to tell
  double wall_s = 0;             ///< seconds with so many, but for the beginning and the end of each term
};

/// A rank of a run over several.
struct RankFigures {
  std::string host;
  unsigned workers = 1, pes = 1;
  bool comm_thread = false;                                    ///< it has a thread for messages
  std::uint64_t committed = 0, executed = 0, rolled_back = 0;  ///< by its PEs
  std::uint64_t peak_rss = 0, memory_peak = 0;                 ///< bytes
  double cpu_s = 0;                                            ///< of its workers, in the event loop
  std::uint64_t messages_sent = 0, bytes_sent = 0;             ///< to other ranks
  std::uint64_t events_sent = 0;                               ///< in these messages, and cancellations
  std::uint64_t cancellations_sent = 0;                        ///< of these
  std::uint64_t probes = 0, successful_probes = 0;             ///< looks for messages
};

/// Which core each worker stayed on.
struct WorkerBinding {
  std::vector<std::optional<unsigned>> cores;  ///< by worker, the system's number; empty: none was bound
  std::string why_not;                         ///< when not all were
};

/// One GVT round.
struct RoundSample {
  Time gvt = 0;
  double wall_s = 0;                          ///< since the start of the event loop
  std::uint64_t committed = 0, executed = 0;  ///< totals so far
  Time horizon = 0;                           ///< events at or beyond it wait (kForever: no bound)
  unsigned active_workers = 1;                ///< that ran PEs
  /// How uneven the PEs' committed events were since the row before: (most - average) / average (Bachan et
  /// al. 2024, figure 6). None: nothing was committed, or in order.
  std::optional<double> imbalance{};
};

enum class Ending { finished, stopped, interrupted };  ///< `finished`: end time reached or no events left
template <>
struct Spelling<Ending> {
  static constexpr std::array<std::pair<std::string_view, Ending>, 3> names{
      {{"finished", Ending::finished}, {"stopped", Ending::stopped}, {"interrupted", Ending::interrupted}}};
};

/// What a run did, as the engine measures it. Most members' names are keys of the JSON report.
struct RunFigures {
  Ending ending = Ending::finished;
  Time end_time = 0;         ///< `until`, or the time of the last committed event when it ended before
  std::uint64_t digest = 0;  ///< equal for equal committed results; printed as 16 hex digits
  double wall_s = 0;         ///< event loop, without set-up
  double setup_s = 0;        ///< building the LPs and `start`
  double cpu_s = 0;          ///< CPU time of all workers in the event loop
  /// None: the system has no such counters, or does not let us read them.
  std::optional<CoreCounts> core_counts;
  std::uint64_t gvt_rounds = 0;
  double gvt_latency_s = 0;  ///< from the first PE's part in a round to its outcome, on average
  unsigned last_batch = 0;   ///< --batch and --gvt-interval as they were when the run ended
  std::uint64_t last_gvt_interval = 0;
  std::uint64_t peak_pending = 0;  ///< most pending events seen; looked at between batches and GVT rounds
  std::uint64_t memory_peak = 0;   ///< of `Config::memory`, most taken, seen at GVT rounds and at the end
  std::uint64_t retreats = 0;      ///< GVT rounds in which events were taken back for lack of memory
  WorkerBinding binding;
  NumaFigures numa;
  /// How LPs were dealt to PEs: `Config::partition`, or what `automatic` has chosen.
  Partition dealt_by = Partition::block;
  std::vector<PeReport> pes;
  std::vector<WorkerReport> workers;
  /// What numbers of active workers brought, ahead of each other and in windows, where the engine chooses
  /// (--mapping auto).
  std::vector<WorkerTrial> workers_tried;
  std::uint64_t committed_in_order = 0;  ///< of all that committed: while a single worker was active
  std::uint64_t sent_in_order = 0;       ///< of all that was sent, likewise
  /// Seconds of a cache line from the first worker's core to the second's and back, where it is of interest:
  /// where one worker was faster than two.
  std::optional<double> round_trip_s;
  std::vector<RankFigures> ranks;  ///< of a run over several; all else is of all of them together
  std::string transport;           ///< between them
  std::uint64_t gvt_counts = 0;  ///< how often they have counted what is on its way, at least once per round
  std::vector<LpFigures> lp_profile;         ///< in the order of LPs; empty unless `Config::profile_lps` asks
  std::vector<RollbackPair> rollback_pairs;  ///< the ten with most rollbacks, most first
  std::vector<RoundSample> rounds;           ///< thinned to at most a few thousand rows
  std::vector<std::string> notes;            ///< e.g. options without effect
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
};

/// A look at a run in progress.
struct Progress {
  Time gvt = 0, until = kForever;
  std::uint64_t committed = 0, executed = 0;
  double wall_s = 0;
  std::optional<LongEvent> long_event = {};  ///< the longest of those that take more than a few seconds
  bool is_paused = false;                    ///< see Config::paused; `wall_s` stands meanwhile
  Time horizon = 0;                          ///< as in RoundSample
  unsigned active_workers = 0;               ///< as in RoundSample; 0: no worker has run a PE yet
  std::uint64_t memory = 0;                  ///< bytes that this process has taken of `Config::memory`
  std::vector<Time> pes = {};                ///< of this process: the time of each one's last event so far
};

}  // namespace anachron
