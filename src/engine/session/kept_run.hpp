// What a session keeps of its run for exact what-if: segments, of which older ones become checkpoints when
// memory is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>

#include "observe/event_log.hpp"
#include "replay/recorded.hpp"

namespace anachron::engine {

/// Invariant: the last segment goes up to `until`, and each other one to the beginning of the next. Segments
/// that have their events are behind all that have not.
class KeptRun {
 public:
  /// Where a segment begins.
  struct Beginning {
    Time time = 0;
    bool is_reached = false;    // events at that time are before it
    std::size_t scheduled = 0;  // of what came from outside: so many before it
    /// Of a session that goes on from there; empty: there is none.
    std::filesystem::path checkpoint;

    /// What happens at that time is behind the beginning.
    bool is_before(Time other) const { return is_reached ? time < other : time <= other; }
  };

  /// `most_bytes`: of the logs of its PEs and of states.
  KeptRun(unsigned pes, std::uint64_t most_bytes) : pes_(pes), room_(most_bytes) {}
  KeptRun(const KeptRun&) = delete;
  KeptRun& operator=(const KeptRun&) = delete;
  ~KeptRun();

  /// So much was kept that states in between are worth their memory. The room interrupts the run then.
  bool is_segment_due() const { return room_.taken() > due_; }
  /// A part of the room was filled since the last checkpoint, so that events may have to go.
  bool is_checkpoint_due() const;
  /// Where a checkpoint for the next segment may be written; it goes with this. Throws std::runtime_error.
  std::filesystem::path next_folder();
  /// All that commits from now on is a segment of its own. Throws InputError when an LP type cannot be
  /// copied.
  void begin_segment(const lp::LpStore& lps, Beginning at);

  observe::LogRoom& room() { return room_; }
  /// Of the present segment, by PE.
  std::vector<std::unique_ptr<observe::EventLog>>& logs() { return segments_.back().logs; }
  const Beginning& beginning() const { return segments_.front().at; }
  /// Where the events begin that are there. Precondition: `lost()` is empty.
  const Beginning& beginning_of_events() const { return segments_[first_with_events()].at; }
  /// The last beginning before `time`, of those with a checkpoint and without further events from outside
  /// before this number. Null: there is none.
  const Beginning* checkpoint_before(Time time, std::size_t number) const;
  /// The events that are there, valid until the session goes on. Precondition: `lost()` is empty.
  std::unique_ptr<replay::Recorded> recorded(const lp::LpStore& lps, const replay::Seeds& seeds);
  /// Why there are no events to execute variants from; empty: there are.
  std::string lost() const;

  Time until = 0;           // all from the beginning to before this is kept
  bool has_all = true;      // all that came from outside is in `scheduled`
  bool was_halted = false;  // some stretch was stopped or interrupted
  observe::LogRoom room_of_scheduled{~std::uint64_t{0}};
  observe::EventLog scheduled{room_of_scheduled};  // what came from outside, in the order of its counts

 private:
  struct Segment {
    Beginning at;
    std::unique_ptr<replay::Beginning> states;             // null: events are gone, too
    std::vector<std::unique_ptr<observe::EventLog>> logs;  // of the PEs

    bool has_events() const;
  };
  /// The number of the first segment behind which all have their events; how many there are, if the last has
  /// none.
  std::size_t first_with_events() const;
  void forget_events(Segment& segment, Segment& next);

  const unsigned pes_;
  observe::LogRoom room_;
  std::uint64_t due_ = 0;            // when more of the room is taken, a segment is due
  std::uint64_t at_checkpoint_ = 0;  // what was taken at the last one
  std::vector<Segment> segments_;
  std::filesystem::path folder_;  // of checkpoints; empty: there is none
};

}  // namespace anachron::engine
