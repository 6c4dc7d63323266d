// What the threads of a run did in the last seconds: always recorded, read when something goes wrong or a
// timeline is wanted.
//
// A worker's clock of phases writes an interval wherever it is cut, which is a few times per batch, into a
// ring of the worker. The GVT manager writes each round's figures into a ring of its own.
// Invariant: a worker never waits for a reader, and writes no record per event.
// Read on in topo/flight_ring.hpp (records), observe/flight/interval.hpp (what they mean) and
// observe/flight/timeline.hpp (what a trace shows of them).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>

#include <anachron/base/time.hpp>

#include "topo/clocks/phase_clock.hpp"
#include "topo/flight_ring.hpp"

namespace anachron::observe {

/// What is recorded of each GVT round.
enum class RoundFigure : std::uint8_t { gvt, horizon, committed, executed, memory, active_workers };
inline constexpr std::size_t kRoundFigures = 6;

class FlightRecorder {
 public:
  /// `limit`: of the run's memory, of which the rings may take a 64th. `is_streamed`: a thread writes down
  /// all, and may fall behind for a while.
  FlightRecorder(std::size_t workers, std::uint64_t limit, bool is_streamed) {
    const std::uint64_t most = is_streamed ? kMostBytesStreamed : kMostBytes;
    const std::uint64_t share = std::clamp(limit / (64 * (workers + 1)), kLeastBytes, most);
    for (std::size_t ring = 0; ring < workers + 1; ++ring)
      rings_.emplace_back(std::bit_floor(share) / sizeof(topo::FlightRecord));
    bytes_ = (workers + 1) * std::bit_floor(share);
  }

  std::size_t workers() const { return rings_.size() - 1; }
  topo::FlightRing& of_worker(std::size_t worker) { return rings_[worker]; }
  /// Of the thread that concludes the present GVT round.
  topo::FlightRing& of_rounds() { return rings_.back(); }
  const topo::FlightRing& ring(std::size_t lane) const { return rings_[lane]; }
  /// Memory that the rings take when they are full.
  std::uint64_t bytes() const { return bytes_; }

  void add_round(std::uint64_t number) {
    of_rounds().add({.kind = topo::FlightRecord::Kind::round,
                     .count = static_cast<std::uint32_t>(number),
                     .value = topo::ticks()});
  }
  void add_figure(RoundFigure figure, std::uint64_t value) {
    of_rounds().add({.kind = topo::FlightRecord::Kind::figure,
                     .what = static_cast<std::uint8_t>(figure),
                     .value = value});
  }
  void add_figure(RoundFigure figure, Time time) { add_figure(figure, std::bit_cast<std::uint64_t>(time)); }

 private:
  // Two seconds of a worker that executes 10 million events a second in batches of 256, at 48 bytes a batch.
  static constexpr std::uint64_t kMostBytes = 4 << 20, kLeastBytes = 16 << 10;
  // A second and more of 600,000 rollbacks a second, while others have the cores.
  static constexpr std::uint64_t kMostBytesStreamed = 32 << 20;
  static_assert(sizeof(topo::FlightRecord) == 16);

  std::deque<topo::FlightRing> rings_;  // by worker; then that of the rounds
  std::uint64_t bytes_ = 0;
};

}  // namespace anachron::observe
