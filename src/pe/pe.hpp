// The door of this room: a processing element (PE).
//
// A PE owns LPs, their pending events, their history, and the life of an event between them. One thread at a
// time runs a PE. Its callers see five interfaces, one for each of them, with a call per batch or less.
// Invariant: what a PE has committed is the same in every mode, whatever was executed or undone before.
// Start reading in pe/pe_core.hpp (what a PE consists of), then pe/pe_of.hpp (what happens per event).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/mem/arena.hpp>

#include "comm/fabric/fabric.hpp"
#include "gvt/rounds/round.hpp"
#include "lp/lp_store.hpp"
#include "lp/own_lps.hpp"
#include "lp/record.hpp"
#include "lp/retention.hpp"
#include "mem/budget.hpp"
#include "observe/watch.hpp"
#include "pe/parts/fault_log.hpp"
#include "pe/send_rules.hpp"
#include "pe/sync_mode.hpp"
#include "rollback/check.hpp"
#include "topo/clocks/phase_clock.hpp"

namespace anachron::pe {

/// Whether what a PE has executed can be undone.
enum class Keeping : std::uint8_t {
  nothing,  ///< each event commits when it has been executed
  history,  ///< until GVT has passed them events may be rolled back
};

/// The PEs of a run over several ranks.
struct PesOfRanks {
  PeRange own;      ///< those of this rank
  std::size_t all;  ///< of all ranks
};

/// For a worker: to run a PE batch by batch. Invariant: one worker at a time calls it.
class BatchExecutor {
 public:
  /// From now on a worker runs it that has this clock: what the PE undoes counts there.
  virtual void use(topo::PhaseClock& clock) = 0;
  /// Takes in what other PEs sent: new events, which may be stragglers, and cancellations. Returns how many
  /// messages there were.
  virtual std::uint64_t receive() = 0;
  /// The same, but ignores test-injected delays.
  virtual std::uint64_t receive_all() = 0;
  /// Executes up to `limit` events below the horizon, smallest key first. Returns how many.
  virtual unsigned execute(unsigned limit) = 0;
  /// Of the only PE, or of one that stands in for all: executes and commits up to `limit` events before
  /// `until`, in order. Returns how many; stops at a halt.
  virtual unsigned execute_for_good(unsigned limit, Time until) = 0;
  /// Makes what was sent visible to the other PEs, as far as the fabric accepts it.
  virtual void publish() = 0;
  /// Something that was sent has not been accepted yet.
  virtual bool has_mail() const = 0;

  /// How many events to execute between two looks at the inbox.
  virtual unsigned batch() const = 0;
  /// The first halt of an executed, uncommitted event.
  virtual const std::optional<HaltAt>& halt() const = 0;
  /// No event that stands executed is later.
  virtual Time reached() const = 0;
  /// The time of the first event that waits to be executed, the PE's LVT; kForever: none does.
  virtual Time next_time() = 0;
  /// Events that the PE has rolled back so far.
  virtual std::uint64_t undone() const = 0;

 protected:
  ~BatchExecutor() = default;
};

/// For a worker and the GVT manager: a PE's part in GVT rounds. Invariant: nothing below the last bound that
/// it adopted is undone or arrives any more.
class GvtParticipant {
 public:
  /// How many events to execute between two GVT rounds.
  virtual std::uint64_t gvt_interval() const = 0;
  /// Whether enough has happened since the last GVT round to begin another.
  virtual bool is_due_for_gvt() const = 0;
  virtual void begin_cut() = 0;
  virtual gvt::Summary summary() = 0;
  /// Commits what is below the round's bound and takes its horizon.
  virtual void adopt(const gvt::Round& round) = 0;
  /// After the last round: takes back what is not below the bound, which other PEs may yet cancel, and
  /// commits the rest.
  virtual void settle(const gvt::Round& round) = 0;

 protected:
  ~GvtParticipant() = default;
};

/// Where a PE stands, to come back to.
struct PeMark {
  lp::Record* newest;
  std::uint64_t newest_index;
  mem::Arena::Mark arena;
  lp::Retention retention;
  std::uint64_t committed;
  Time last_committed, latest;
  std::size_t kept;                     ///< originals of what was sent to other memory
  std::vector<std::uint64_t> arrivals;  ///< fabric::Port::arrivals
};

/// For a session, between two runs of the same PEs, when no thread runs any: events from outside the model,
/// and stretches of a run that can be taken back. Invariant: while a PE holds, nothing is committed for good.
class Rewindable {
 public:
  /// An event that no LP sends: its sender is the id behind the last LP, `outside` counts its sends. The
  /// caller constructs the payload, then calls `insert_outside`, or `release_outside` if that failed.
  virtual event::EventHeader& make_outside(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                           event::Outside& outside) = 0;
  virtual void insert_outside(event::EventHeader& e) = 0;
  virtual void release_outside(event::EventHeader& e) = 0;
  /// Takes one back that is pending.
  virtual void cancel_outside(event::EventHeader& e) = 0;

  /// The run goes on behind the halt that ended it.
  virtual void forget_halts() = 0;
  /// From now on nothing commits for good.
  virtual void hold() = 0;
  /// Precondition: the PE is holding, and all that was executed is certain.
  virtual PeMark mark() const = 0;
  /// Back to the mark, first step: undoes what was executed since, and tells the other PEs.
  virtual void undo_since(const PeMark& mark) = 0;
  /// Second step, when all PEs have done the first and received what the others have taken back.
  virtual void forget_since(const PeMark& mark) = 0;
  /// Ends the holding: all that was executed commits.
  virtual void commit_held() = 0;

  /// All that commits from now on is kept in the log, which must outlive the PE.
  virtual void keep_in(observe::EventLog& log) = 0;

 protected:
  ~Rewindable() = default;
};

/// For the engine, between two terms of a run, when no thread runs any PE, all have settled and none is
/// holding: some PEs may stand in for the others. Invariant: each LP and each pending event is with one PE.
class Consolidable {
 public:
  /// Tells the other PEs of all that this one will not send again, and has irrevocable events that waited
  /// aside pending again. Comes first, until no PE has mail any more.
  virtual void forget_undone() = 0;
  /// LpStore::consolidate was called, or the PE is to go on in another mode.
  virtual void set_mode(SyncMode mode) = 0;
  /// Calls `to(event)` for each event that waits here and that another PE is to execute now, and forgets it
  /// if the call returns true.
  virtual void give_away(const std::function<bool(event::EventHeader&)>& to) = 0;
  /// Takes an event that waited at another PE. Returns false when there is no memory to do so.
  virtual bool import_event(event::EventHeader& e) = 0;
  /// Multicasts are for the LPs that a PE owns. Before some of these get other owners, and when nothing is
  /// uncommitted: makes events of those that wait.
  virtual void expand_waiting() = 0;
  /// What that takes, in bytes.
  virtual std::uint64_t bytes_to_expand() = 0;
  /// LPs have got other owners.
  virtual void forget_owners() = 0;
  /// The number of the newest record. LPs remember such numbers, so those of a PE must be larger than those
  /// of the PE that executed its LPs' events before.
  virtual std::uint64_t newest_index() const = 0;
  virtual void number_history_from(std::uint64_t index) = 0;

 protected:
  ~Consolidable() = default;
};

/// For checkpoints, between two terms as `Consolidable` and after its `forget_undone`. Invariant: the states
/// of the LPs and the events that wait are all that the future depends on.
class Preservable {
 public:
  /// Calls `visit(event)` for each event that waits here; of a multicast for each event that will come of it.
  /// Leaves out retractions together with what they take back.
  virtual void for_each_waiting(const std::function<void(const event::EventHeader&)>& visit) = 0;
  /// The same for those that wait for LPs of other PEs now, which it drops. No multicast waits here.
  virtual void hand_out(const std::function<void(const event::EventHeader&)>& visit) = 0;

  /// Constructs the LPs whose states are then restored, instead of `start`.
  virtual void prepare() = 0;
  /// An event that waited. The caller gives it header and payload, then calls `insert_restored`, or
  /// `release_outside` if that failed. Throws std::bad_alloc.
  virtual event::EventHeader& make_restored(const event::EventOps& ops, LpId receiver) = 0;
  /// Throws InputError when there is too little memory.
  virtual void insert_restored(event::EventHeader& e) = 0;

 protected:
  ~Preservable() = default;
};

class Pe : public BatchExecutor,
           public GvtParticipant,
           public Rewindable,
           public Consolidable,
           public Preservable {
 public:
  Pe() = default;
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;
  virtual ~Pe() = default;

  virtual PeId id() const = 0;
  /// Its number among the PEs of this rank.
  virtual std::size_t index() const = 0;

  /// Constructs the LPs and runs their `start`.
  virtual void start() = 0;
  /// What the PE is executing, to be called by any thread at any time.
  virtual event::Running running() = 0;

  /// Nothing before `until` is pending.
  virtual bool is_drained(Time until) = 0;
  /// The halt that ended the run, if it was an event of this PE.
  virtual const std::optional<HaltAt>& ending() const = 0;
  virtual Time last_time() const = 0;
  /// Pending events, without those that are cancelled.
  virtual std::uint64_t pending() const = 0;
  virtual PeReport figures() const = 0;
  /// With --time-events: seconds in handlers.
  virtual double handlers_s() const = 0;
  /// Memory of events that the PE holds on one of several memory nodes.
  virtual std::uint64_t pool_bytes_on(std::size_t node) const = 0;
  /// What the rollback check could not compare.
  virtual const std::vector<rollback::Unchecked>& unchecked() const = 0;
  virtual const observe::RollbackPairs& rollback_pairs() const = 0;
  /// The PE has stopped for lack of memory.
  virtual bool is_short_of_memory() const = 0;
  /// Most that the PE had at a time, without the LPs.
  virtual std::uint64_t most_bytes() const = 0;
  /// Of that, what events took that come one by one.
  virtual std::uint64_t most_single_bytes() const = 0;
  /// As if the PE had sent so many events more: what a run that goes on for years will come to.
  virtual void skip_match_ids(std::uint64_t count) = 0;
  /// Committed records on which copies of states still rely.
  virtual std::uint64_t kept() const = 0;

  /// Something must be dropped before the memory goes: events that this PE sent, or what its history holds.
  virtual bool owns_resources() const = 0;
  /// Drops all events that are left. Before any PE is destroyed.
  virtual void discard() = 0;
};

/// What a PE is given. Whatever it refers to must outlive the PE.
struct PeSetup {
  PeId self;
  const Config& config;  ///< `config.queue` chooses the pending set
  lp::LpStore& lps;
  fabric::Fabric& fabric;
  mem::Budget& budget;
  Keeping keeping;
  PesOfRanks pes;
  const SendRules* rules = nullptr;  ///< for what is executed in windows; null: there are none
  observe::Watchers watchers{};
};
std::unique_ptr<Pe> make_pe(const PeSetup& setup);

}  // namespace anachron::pe
