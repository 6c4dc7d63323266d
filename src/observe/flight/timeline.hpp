// A timeline of a run for Perfetto: what the rings of a flight recorder have, as tracks of workers and PEs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/ids.hpp>

#include "lp/lp_store.hpp"
#include "observe/flight/detail_level.hpp"
#include "observe/flight/flight_recorder.hpp"
#include "observe/flight/interval.hpp"
#include "observe/flight/perfetto.hpp"
#include "topo/clocks/phase_clock.hpp"

namespace anachron::observe {

/// Which part of a run a timeline is of.
struct TimelineOf {
  const FlightRecorder& recorder;
  const lp::LpStore& lps;
  unsigned rank = 0;
  bool has_ranks = false;
  PeId first_pe = 0;
  std::size_t pes = 1;
};

class Timeline {
 public:
  /// `limit`: bytes of the whole trace, kept by showing less: see DetailLevel.
  Timeline(const TimelineOf& of, const topo::TickLength& tick, std::uint64_t limit);

  /// Takes in what was recorded since the last call, or is still there of it.
  void collect();
  /// Nothing follows.
  void finish();
  /// The next part of the trace.
  std::string take() { return out_.take(); }

 private:
  /// Intervals of a worker that are shown as one.
  struct Merged {
    std::uint64_t begin = 0, end = 0;
    topo::PhaseTicks spent{};
    std::uint64_t executed = 0, undone = 0, rollbacks = 0;
  };
  struct Lane {
    LaneReader reader;
    std::uint64_t read = 0;
    std::optional<Merged> merged{};
  };
  struct PeTrack {
    bool is_known = false;
    std::uint64_t batch_end = 0;  // of the last one, in ticks
    std::uint64_t counted = 0;    // when its virtual time was last shown
  };

  void collect_rounds();
  void show(const Interval& interval);
  void show_on_worker(const Interval& interval, std::uint64_t flow);
  void show_on_pe(const Interval& interval, std::uint64_t flow);
  void show_slice(std::uint64_t track, const Interval& interval, std::uint64_t flow);
  std::uint64_t begin_flow(const Interval& interval);
  void merge(Lane& lane, const Interval& interval);
  void show_merged(std::size_t lane);
  void show_round(const RoundInterval& round);
  std::optional<std::uint64_t> begin_of(const RoundInterval& round);
  PeTrack& pe_track(std::size_t pe);
  std::uint64_t nanoseconds(std::uint64_t ticks) const;

  std::uint64_t process() const { return (std::uint64_t{of_.rank} + 1) << 40; }
  std::uint64_t worker_track(std::size_t worker) const { return process() + 1 + worker; }
  std::uint64_t rounds_track() const { return process() + (1 << 24); }
  std::uint64_t round_counter(RoundFigure figure) const;
  std::uint64_t pe_slices(std::size_t pe) const { return process() + (2 << 24) + pe; }
  std::uint64_t pe_time(std::size_t pe) const { return process() + (3 << 24) + pe; }

  const TimelineOf of_;
  const double ns_per_tick_;
  const std::uint64_t first_tick_, first_ns_;
  PerfettoWriter out_;
  DetailLevel detail_;
  std::vector<Lane> lanes_;
  std::vector<PeTrack> pes_;
  std::vector<topo::FlightRecord> records_;        // for their memory
  std::vector<topo::FlightRecord> round_records_;  // of a round that is not complete
  std::vector<RoundInterval> rounds_;              // to be shown next time
  std::vector<std::uint64_t> cuts_;                // when workers turned to a GVT round, in ticks
  std::uint64_t rounds_read_ = 0;
  std::uint64_t previous_round_ = 0;  // tick at its end
  std::uint64_t last_round_ns_ = 0;   // the same of the last one that was shown
  std::uint64_t last_committed_ = 0, last_executed_ = 0;
  std::uint64_t flows_ = 0;
};

}  // namespace anachron::observe
