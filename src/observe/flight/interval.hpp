// Records of flight rings, put together to what a timeline shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>

#include "observe/flight/flight_recorder.hpp"
#include "topo/clocks/phase_clock.hpp"
#include "topo/flight_ring.hpp"

namespace anachron::observe {

/// Why events were undone in an interval.
struct Undone {
  std::uint32_t events = 0;
  Time to = 0;                    ///< virtual time
  bool has_straggler = false;     ///< else the engine took them back
  LpId receiver = 0, sender = 0;  ///< of the straggler, or of the event that its sender took back
  std::optional<PeId> owner{};    ///< of that sender, at that moment; none: it is outside
};

/// What a worker did without a break. Times are in ticks.
struct Interval {
  std::uint64_t begin = 0, end = 0;
  std::size_t lane = 0;  ///< the worker
  topo::Phase phase = topo::Phase::idle;
  std::optional<std::size_t> pe{};  ///< of this rank
  std::uint32_t executed = 0;       ///< events
  std::optional<Time> reached{};    ///< virtual time of the PE at the end
  std::optional<Undone> undone{};
  bool ends_swap = false;  ///< the worker had given its core to another one
};

/// A GVT round, as it ended.
struct RoundInterval {
  std::uint64_t end = 0;  ///< ticks
  std::uint64_t number = 0;
  std::array<std::uint64_t, kRoundFigures> figures{};

  std::uint64_t count(RoundFigure figure) const { return figures[static_cast<std::size_t>(figure)]; }
  Time time(RoundFigure figure) const { return std::bit_cast<Time>(count(figure)); }
};

/// Of one worker's ring. Keeps what a later record may belong to until the next call.
class LaneReader {
 public:
  explicit LaneReader(std::size_t lane) : lane_(lane) {}
  /// The records follow those of the last call, or some are missing in between.
  void read(std::span<const topo::FlightRecord> records, bool are_some_missing, std::vector<Interval>& out);
  /// What was kept.
  void finish(std::vector<Interval>& out);

 private:
  void add_phase(const topo::FlightRecord& record, std::vector<Interval>& out);

  const std::size_t lane_;
  std::optional<std::uint64_t> last_;  // tick at which the next interval begins
  std::optional<Undone> undone_;       // in the next rollback
  std::optional<Interval> kept_;
};

/// Of the ring of the rounds: those that are complete are appended. Returns how many records belong to them.
std::size_t read_rounds(std::span<const topo::FlightRecord> records, std::vector<RoundInterval>& out);

}  // namespace anachron::observe
