// The door of the room `base`: what every room knows, such as time, ids, options, errors, hashes and text.
//
// This file is how a simulation is run. Invariant: options may change speed and never the committed results,
// except `until`, `seed`, `tie_seed`, `warm_up` and `confidence`, which define the experiment.
// Read on in src/base/option_table.hpp (a row for each option) and base/figures.hpp (what a run did).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/checkpoint.hpp>
#include <anachron/base/time.hpp>
#include <anachron/base/timeline.hpp>
#include <anachron/base/trace.hpp>

namespace anachron {

/// How events are executed: `--sync`. `automatic`: conservatively or by Time Warp, whichever is faster.
enum class Sync { automatic, sequential, optimistic, conservative };
/// The pending-event set: `--queue`.
enum class Queue { radix, heap, heap4, three_tier_heap, ladder, two_tier_ladder, splay };
/// How LPs are dealt to PEs: `--partition`.
enum class Partition { automatic, block, round_robin, random, metis };
/// Whether LPs move to other PEs while the model runs: `--migration`. `automatic`: unless a partition was
/// asked for.
enum class Migration { automatic, on, off };
/// Whether a graph partition is made for all PEs at once, or for the ranks first: `--levels`.
enum class Levels { automatic, one, two };
/// How events are undone: `--rollback`. `automatic`: as each handler asks for; `copy`: by copies of the
/// state.
enum class Rollback { automatic, copy };
/// What bounds how far ahead events run: `--throttle`.
enum class Throttle { balanced, none, fixed, atw, atw_repaired, mtw };
/// The algorithm of global virtual time: `--gvt`.
enum class Gvt { epoch, barrier };
/// Which worker runs which PE: `--mapping`.
enum class Mapping { automatic, fixed, dynamic, adaptive, ladm };
/// What finds out that another process uses a worker's core: `--detector`.
enum class Detector { apte, interference, kernel };
/// Which PE a worker takes next: `--pe-choice`.
enum class PeChoice { round_robin, lowest_lvt };
/// When a worker that sleeps comes back: `--reactivation`.
enum class Reactivation { periodic, probing, signal };
/// The queues between PEs of a process: `--channel`.
enum class Channel { automatic, spsc, mpsc, iteq_locked, iteq_spinning, iteq_lock_free };
/// Whether sender and receiver share an event: `--events`.
enum class Events { shared, copied };
/// Where memory of events comes from: `--pool`.
enum class Pool { own, system, jemalloc, mimalloc };
/// Whether events are placed on memory nodes: `--numa`.
enum class Numa { automatic, on, off };
/// Whether a worker that is ahead gives its core to another: `--core-swap`.
enum class CoreSwap { automatic, on, off };
/// Whether each worker stays on a core: `--bind`.
enum class Bind { automatic, none };
/// When what a rolled-back event had sent is cancelled: `--cancellation`.
enum class Cancellation { aggressive, lazy };
/// Where history is kept: `--history`.
enum class History { automatic, always };
/// Which threads talk to other ranks: `--comm`.
enum class Comm { automatic, thread, in_line };
/// Whether events for one rank share messages: `--consolidation`.
enum class Consolidation { on, off };

/// The spelling of each enumerator on the command line, in TOML and in the report.
template <class Enum>
struct Spelling;
template <>
struct Spelling<Sync> {
  static constexpr std::array<std::pair<std::string_view, Sync>, 4> names{
      {{"auto", Sync::automatic},
       {"sequential", Sync::sequential},
       {"optimistic", Sync::optimistic},
       {"conservative", Sync::conservative}}};
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
  static constexpr std::array<std::pair<std::string_view, Partition>, 5> names{
      {{"auto", Partition::automatic},
       {"block", Partition::block},
       {"round-robin", Partition::round_robin},
       {"random", Partition::random},
       {"metis", Partition::metis}}};
};
template <>
struct Spelling<Migration> {
  static constexpr std::array<std::pair<std::string_view, Migration>, 3> names{
      {{"auto", Migration::automatic}, {"on", Migration::on}, {"off", Migration::off}}};
};
template <>
struct Spelling<Levels> {
  static constexpr std::array<std::pair<std::string_view, Levels>, 3> names{
      {{"auto", Levels::automatic}, {"1", Levels::one}, {"2", Levels::two}}};
};
template <>
struct Spelling<Rollback> {
  static constexpr std::array<std::pair<std::string_view, Rollback>, 2> names{
      {{"auto", Rollback::automatic}, {"copy", Rollback::copy}}};
};
template <>
struct Spelling<Throttle> {
  static constexpr std::array<std::pair<std::string_view, Throttle>, 6> names{
      {{"balanced", Throttle::balanced},
       {"none", Throttle::none},
       {"fixed", Throttle::fixed},
       {"atw", Throttle::atw},
       {"atw-repaired", Throttle::atw_repaired},
       {"mtw", Throttle::mtw}}};
};
template <>
struct Spelling<Gvt> {
  static constexpr std::array<std::pair<std::string_view, Gvt>, 2> names{
      {{"epoch", Gvt::epoch}, {"barrier", Gvt::barrier}}};
};
template <>
struct Spelling<Mapping> {
  static constexpr std::array<std::pair<std::string_view, Mapping>, 5> names{{{"auto", Mapping::automatic},
                                                                              {"fixed", Mapping::fixed},
                                                                              {"dynamic", Mapping::dynamic},
                                                                              {"adaptive", Mapping::adaptive},
                                                                              {"ladm", Mapping::ladm}}};
};
template <>
struct Spelling<PeChoice> {
  static constexpr std::array<std::pair<std::string_view, PeChoice>, 2> names{
      {{"round-robin", PeChoice::round_robin}, {"lowest-lvt", PeChoice::lowest_lvt}}};
};
template <>
struct Spelling<Detector> {
  static constexpr std::array<std::pair<std::string_view, Detector>, 3> names{
      {{"apte", Detector::apte}, {"interference", Detector::interference}, {"kernel", Detector::kernel}}};
};
template <>
struct Spelling<Reactivation> {
  static constexpr std::array<std::pair<std::string_view, Reactivation>, 3> names{
      {{"periodic", Reactivation::periodic},
       {"probing", Reactivation::probing},
       {"signal", Reactivation::signal}}};
};
template <>
struct Spelling<Channel> {
  static constexpr std::array<std::pair<std::string_view, Channel>, 6> names{
      {{"auto", Channel::automatic},
       {"spsc", Channel::spsc},
       {"mpsc", Channel::mpsc},
       {"iteq-locked", Channel::iteq_locked},
       {"iteq-spinning", Channel::iteq_spinning},
       {"iteq-lock-free", Channel::iteq_lock_free}}};
};
template <>
struct Spelling<Events> {
  static constexpr std::array<std::pair<std::string_view, Events>, 2> names{
      {{"shared", Events::shared}, {"copied", Events::copied}}};
};
template <>
struct Spelling<CoreSwap> {
  static constexpr std::array<std::pair<std::string_view, CoreSwap>, 3> names{
      {{"auto", CoreSwap::automatic}, {"on", CoreSwap::on}, {"off", CoreSwap::off}}};
};
template <>
struct Spelling<Numa> {
  static constexpr std::array<std::pair<std::string_view, Numa>, 3> names{
      {{"auto", Numa::automatic}, {"on", Numa::on}, {"off", Numa::off}}};
};
template <>
struct Spelling<Pool> {
  static constexpr std::array<std::pair<std::string_view, Pool>, 4> names{{{"own", Pool::own},
                                                                           {"system", Pool::system},
                                                                           {"jemalloc", Pool::jemalloc},
                                                                           {"mimalloc", Pool::mimalloc}}};
};
template <>
struct Spelling<Bind> {
  static constexpr std::array<std::pair<std::string_view, Bind>, 2> names{
      {{"auto", Bind::automatic}, {"none", Bind::none}}};
};
template <>
struct Spelling<Cancellation> {
  static constexpr std::array<std::pair<std::string_view, Cancellation>, 2> names{
      {{"aggressive", Cancellation::aggressive}, {"lazy", Cancellation::lazy}}};
};

template <>
struct Spelling<Comm> {
  static constexpr std::array<std::pair<std::string_view, Comm>, 3> names{
      {{"auto", Comm::automatic}, {"thread", Comm::thread}, {"inline", Comm::in_line}}};
};
template <>
struct Spelling<Consolidation> {
  static constexpr std::array<std::pair<std::string_view, Consolidation>, 2> names{
      {{"on", Consolidation::on}, {"off", Consolidation::off}}};
};
template <>
struct Spelling<History> {
  static constexpr std::array<std::pair<std::string_view, History>, 2> names{
      {{"auto", History::automatic}, {"always", History::always}}};
};

/// The spelling of an enumerator on the command line, in TOML and in the report.
template <class Enum>
constexpr std::string_view to_string(Enum value) {
  for (auto [name, enumerator] : Spelling<Enum>::names)
    if (enumerator == value) return name;
  return "?";
}

namespace engine {
struct Seams;
}
namespace transport {
class Cluster;
}
namespace partition {
struct Survey;
}

inline constexpr unsigned kMostCheckpointInterval = 10'000;
inline constexpr unsigned kMostChannelCapacity = 1 << 24;
inline constexpr unsigned kMostMessageBuffers = 1 << 16;

/// Engine options: `simulation.config`. An empty optional means: chosen by the engine; `resolve` fills it in.
/// Values that are not valid, or do not fit together, are an InputError when a run begins.
///
///     simulation.config.sync = an::Sync::optimistic;
///     simulation.config.workers = 4;
///     simulation.config.until = 1000;
struct Config {
  std::optional<Sync> sync;              ///< default: automatic, or sequential on a single core
  std::optional<unsigned> workers;       ///< threads; default: the cores this process may use
  std::optional<unsigned> pes;           ///< processing elements, at least `workers`; default: one per worker
  Time until = kForever;                 ///< exactly the events with time < until are committed
  std::uint64_t seed = 1;                ///< of all random numbers
  std::uint64_t tie_seed = 1;            ///< orders simultaneous events; another seed probes another order
  Time warm_up = 0;                      ///< statistics do not count what is before; finite, >= 0
  double confidence = 0.95;              ///< of the intervals that results have, above 0 and below 1
  Mapping mapping = Mapping::automatic;  ///< of processing elements to workers, and how many are active
  /// Where any worker may run a PE: which one it takes next, in turn or the one that is furthest behind.
  PeChoice pe_choice = PeChoice::round_robin;
  /// Turns that a worker gives an orphan at a stretch, and then its own PEs, >= 1 (N_batch of Wang et al.
  /// 2015).
  unsigned orphan_turns = 10;
  Detector detector = Detector::kernel;  ///< of what others do to workers, where these may be put to sleep
  /// The detector `apte` finds a worker disturbed whose time per event is more than so many times that of
  /// another, > 1.
  double apte_threshold = 5.4;
  /// Events that a worker executes between two looks for that, >= 1; default: a quarter of `gvt_interval`.
  std::optional<unsigned> detection_interval;
  Reactivation reactivation = Reactivation::probing;  ///< of workers that were put to sleep
  /// A worker that is ahead gives its core to one that was stopped; automatic: with that mapping, where all
  /// cores have workers that are bound to them. Off: nor does a second worker take turns with one that is
  /// alone.
  CoreSwap core_swap = CoreSwap::automatic;
  /// The channels through which the PEs of a process exchange events (src/comm/fabric/). With spsc, one leads
  /// from each PE to each other. With mpsc each PE has one queue that all others put into, with iteq several.
  /// Default: what suits their number.
  Channel channel = Channel::automatic;
  /// With several: how many queues each PE has, >= 1; rounded down to a power of two. Default: half as many
  /// as there are PEs in the process.
  std::optional<unsigned> channel_queues;
  /// Messages that a queue of iteq_lock_free holds, 1 to kMostChannelCapacity; rounded up to a power of two.
  unsigned channel_capacity = 2048;
  /// That go from one PE of a process to another: sender and receiver have the same one, or one each (Rao
  /// 2018, section 4.2). To other processes they are always copied.
  Events events = Events::shared;
  /// Of events: the engine's own pools, the C library's malloc, or one of two libraries, where the program is
  /// linked with them.
  Pool pool = Pool::own;
  /// Memory of an event on the memory node of the core that its receiver runs on (Rao 2018, section 4.3), in
  /// the engine's own pools. Automatic: where workers are bound to cores of several nodes.
  Numa numa = Numa::automatic;
  Bind bind = Bind::automatic;  ///< of workers to cores: each to its own where that can be, or none
  Queue queue = Queue::radix;   ///< pending-event set
  Partition partition = Partition::automatic;
  /// Not empty: a file that `anachron partition` has written says how LPs are dealt, instead of `partition`.
  std::string partition_file;
  /// Of LPs to PEs that have less to do, while the model runs, between the PEs of one process. It is taken
  /// back where it does not pay. Automatic: where nothing else was asked for than a partition that the engine
  /// chooses. Models that send to several LPs at once stay as they were dealt.
  Migration migration = Migration::automatic;
  Levels levels = Levels::automatic;  ///< of a graph partition: PEs at once, or ranks first
  Rollback rollback = Rollback::automatic;
  /// Events of an LP to a copy of its state, where copies undo events, 1 to kMostCheckpointInterval; default:
  /// chosen while running, from what copies, events and rollbacks cost.
  std::optional<unsigned> checkpoint_interval;
  Throttle throttle = Throttle::balanced;
  std::optional<Time> window;  ///< fixed throttle: optimism beyond GVT, in simulated time, > 0
  /// Events that a PE executes between two looks at its inbox, >= 1; default: chosen while running.
  std::optional<unsigned> batch;
  Gvt gvt = Gvt::epoch;  ///< epoch: asynchronous, nobody waits; barrier: all stop for it
  /// Events per PE between two GVT rounds, >= 1; default: chosen while running, from what a round costs.
  std::optional<unsigned> gvt_interval;
  unsigned lps_per_group = 1;  ///< LPs that share a history (more than 1: kernel processes), >= 1
  /// Conservative runs: the least delay of what LPs of any type send to others, > 0, instead of what the LP
  /// types declare. On the command line --run-lookahead, because models have a `lookahead` of their own.
  std::optional<Time> lookahead;
  bool check_rollback = false;  ///< execute, undo, compare, execute again
  unsigned test_chaos = 0;      ///< testing: provoke stragglers and yields; 0 = off, else a seed
  /// Of what an undone event sent: at once, or when it is executed again and does not send the same.
  Cancellation cancellation = Cancellation::aggressive;
  /// Optimistic runs: kept where events may have to be undone, so not by one PE alone; or always.
  History history = History::automatic;
  /// Bytes that LPs, events, pending sets and histories may take together, without what states and events own
  /// themselves, > 0. Default: 80% of what the process may still use when the run starts.
  std::optional<std::uint64_t> memory;
  /// The report has figures of this many LPs: of those with most events, most rollbacks, most rollbacks
  /// caused; 0: of none, at no cost. As many as there are: of all. Takes 32 bytes per LP.
  std::uint32_t profile_lps = 0;
  /// The time of each handler call is taken, 50 to 100 ns more for each event: the report has
  /// `critical_path_s` and `handlers_s` instead of `critical_path`.
  bool time_events = false;
  Trace trace;                       ///< of committed events; nothing unless it has a function to show them
  TimelineOutput timeline;           ///< of each rank what its workers and PEs did over wall time
  FlightRecordOutput flight_record;  ///< the last seconds of that, when something goes wrong
  CheckpointOptions checkpoint;      ///< of the run, to go on from
  /// Asked five times a second by the thread that has started the run. While it says yes the workers stand
  /// still, and the time is in no figure of the run but `gvt_latency_s`. Over ranks GVT stands with this
  /// rank. Empty: there are no pauses.
  std::function<bool()> paused;
  /// To the other ranks of the run, each of which has the same configuration and model; null: there are none.
  /// `anachron::cli` and `Simulation::run` find out how the program was started, and fill it in.
  transport::Cluster* cluster = nullptr;
  /// Name and value of what the results depend on besides the options here: what the LPs were made with.
  /// Ranks that differ in one do not run. `anachron::cli` adds the model's options; a program without it may
  /// add its own.
  std::vector<std::pair<std::string, std::string>> model_options;
  Comm comm = Comm::automatic;  ///< who serves what leads to other ranks
  /// Bytes that a message between ranks holds at most, 1 KiB to 64 MiB; default: what was measured to be
  /// good.
  std::optional<std::uint64_t> message_size;
  Consolidation consolidation = Consolidation::on;  ///< of what the PEs of a rank send to another rank
  /// Messages to other ranks that may be under way at a time, and receives posted for what comes from them
  /// (Bauer et al. 2009, section III-B), 1 to kMostMessageBuffers.
  unsigned send_buffers = 64, receive_buffers = 64;
  /// Rounds of service from one look for messages of other ranks to the next, >= 1; default: adapts.
  std::optional<unsigned> polling_period;
  /// Seconds that each message between ranks takes at least, >= 0: as if the machines were far apart.
  double emulate_latency = 0;
  /// Parts to build the engine from instead of those that the options name; null: none. For tests of the
  /// engine itself (src/engine/seams.hpp).
  std::shared_ptr<const engine::Seams> seams;
  /// Who wants to know what a partition is made of; null: nobody. Of `anachron partition`
  /// (src/partition/profile/survey.hpp).
  std::shared_ptr<const partition::Survey> survey;
};

}  // namespace anachron
