// A run in steps: to a time and on from there, or back to a mark. Between steps, events can be scheduled from
// outside (Bachan et al. 2024, section 2.2.2, drain and rewind).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/type_table.hpp>

#include "checkpoint/manifest.hpp"
#include "engine/engine.hpp"
#include "engine/ranks/ranks.hpp"
#include "engine/session/kept_run.hpp"
#include "lp/lp_store.hpp"

namespace anachron::checkpoint {
class StateWriter;
}

namespace anachron::engine {

class Run;

/// Between its steps all events before some point have been executed and none after it. Used by one thread.
/// After an error in a step only `rewind` works, and that only if the error was an event's. Over ranks all of
/// them make the same calls in the same order (engine/ranks/same_calls.hpp), but for the const functions
/// other than `outcome`.
class Session {
 public:
  /// Constructs the LPs and runs their `start`, with callbacks as those of `engine::run`. `config` is
  /// resolved; its `until` is not used. Throws InputError, SimulationError, std::bad_alloc,
  /// std::system_error.
  Session(std::vector<event::LpTypeEntry> types, const Config& config,
          const std::function<void(const Progress&)>& progress = {},
          const std::function<bool()>& interrupted = {});

  /// Goes on from a checkpoint, whose files are in `folder`. Throws InputError, on all ranks the same, when
  /// it is not one of this model with these options, or is damaged.
  Session(std::vector<event::LpTypeEntry> types, const Config& config, const std::filesystem::path& folder,
          const std::function<void(const Progress&)>& progress = {},
          const std::function<bool()>& interrupted = {});
  ~Session();

  /// Executes exactly the events with time < until, unless one of them stops the run or it is interrupted.
  /// Otherwise as `engine::run`. Throws InputError unless until >= now().
  Ending run_until(Time until, const std::function<void(const Progress&)>& progress,
                   const std::function<bool()>& interrupted);

  /// Nothing before it is left to be executed; nothing after it has been executed.
  Time now() const { return now_.time; }
  /// Of the last event so far, also of those before a checkpoint; 0: there was none.
  Time last() const { return now_.last; }
  const Config& config() const { return config_; }
  const lp::LpStore& lps() const { return *lps_; }
  /// What was done so far.
  Outcome outcome() const;

  /// Where it is, for a checkpoint.
  checkpoint::Position position() const;
  /// Every LP has started.
  bool is_set_up() const;
  /// Before `save`, on all ranks. Throws std::logic_error when there is a mark.
  void prepare_to_save();
  /// Writes the LPs of this rank and what waits for them. Throws std::runtime_error when that cannot be
  /// written, after which the session can go on.
  void save(checkpoint::StateWriter& to);
  /// The last folder into which this session has written a checkpoint; empty: there is none.
  const std::string& written_to() const { return written_to_; }
  void note_written(const std::string& folder) { written_to_ = folder; }
  /// Of the LP types.
  const event::TypeTable& types() const { return *types_; }

  /// Schedules an event whose payload `construct` constructs, at or after now(); after now() only, if events
  /// at now() have been executed. Throws InputError otherwise, and when there is no such LP or priority.
  /// Returns its name; nothing, when the LP is on another rank.
  EventHandle schedule(const event::EventOps& ops, std::size_t type, std::uint32_t index, Time time,
                       Order among, const std::function<void(event::EventHeader&)>& construct);
  /// Counts an event from outside that does not come.
  void skip_scheduled(Order among) { now_.outside.count(among); }

  /// Keeps all that commits from now on. Throws InputError over ranks, or when an LP type cannot be copied;
  /// std::logic_error when there is a mark, or it was called before.
  void keep_history();
  /// Null: nothing is kept.
  KeptRun* kept() { return kept_.get(); }
  bool has_marks() const { return !marks_.empty(); }
  const event::Outside& outside() const { return now_.outside; }

  /// Notes the present point. Until it is accepted nothing that is executed from here on commits.
  std::uint64_t mark();
  /// Takes everything back that was executed or scheduled since the mark, which stays valid; later ones do
  /// not. Throws std::invalid_argument when the mark is not valid any more.
  void rewind(std::uint64_t mark);
  /// Ends the mark and later ones. When there is none left, all that was executed commits.
  void accept(std::uint64_t mark);

  /// Nothing can be done with it any more but to destroy it.
  bool is_broken() const { return state_ == State::broken; }
  void give_up() { state_ = State::broken; }
  /// Whether `rewind` would work.
  bool can_rewind(std::uint64_t mark) const;
  /// Ends the session; what did not commit never will. Returns the LPs as they are.
  std::unique_ptr<lp::LpStore> close();

 private:
  /// A broken session does not know how far it got.
  enum class State : std::uint8_t { ready, failed, broken };

  struct Point {
    Time time = 0;
    bool is_reached = false;  // events at that time have been executed
    Time last = 0;            // of the last event
    Ending ending = Ending::finished;
    std::uint64_t committed = 0;
    event::Outside outside;  // of what is scheduled
  };
  struct MarkedPoint {
    std::uint64_t id;
    Point at;
    std::size_t scheduled;
  };
  /// Has the session broken, if its scope is left by an exception.
  class Attempt;

  /// Sets up all but the LPs' states. `make` does that; what it returns is a failure of the model.
  void set_up(std::vector<event::LpTypeEntry> types, const std::function<std::optional<Fault>()>& make);
  /// One stretch of the run.
  Ending go_on(Time until, const std::function<void(const Progress&)>& progress,
               const std::function<bool()>& interrupted);
  /// Begins a segment of what is kept.
  void begin_segment();
  void require_ready() const;
  std::optional<std::size_t> find(std::uint64_t mark) const;
  std::size_t find_valid(std::uint64_t mark) const;

  Config config_;
  std::unique_ptr<Ranks> ranks_;  // null: there is one
  Partition dealt_by_ = Partition::block;
  std::unique_ptr<const event::TypeTable> types_;
  std::string written_to_;
  bool has_depths_ = true;              // of what a checkpoint had
  std::uint64_t committed_before_ = 0;  // by those who have written the checkpoint
  std::unique_ptr<lp::LpStore> lps_;
  std::unique_ptr<KeptRun> kept_;  // null: nothing is kept
  std::unique_ptr<Run> run_;
  Point now_;
  State state_ = State::ready;
  std::vector<MarkedPoint> marks_;
  std::uint64_t marks_made_ = 0;
  std::vector<event::EventHeader*> scheduled_;  // since the first mark, for LPs of this rank
};

/// Begins at the beginning, or goes on from a checkpoint, as the configuration says.
std::unique_ptr<Session> open(std::vector<event::LpTypeEntry> types, const Config& config,
                              const std::function<void(const Progress&)>& progress = {},
                              const std::function<bool()>& interrupted = {});

}  // namespace anachron::engine
