// Where the time of a worker goes (Bachan et al. 2024, figure 5). A worker's time is cut into intervals, each
// of which belongs to one phase, so that the phases add up to the whole, whatever it costs to read the clock.
// There is a reading per phase of a batch, and two per rollback; none per event.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <anachron/base/figures.hpp>

#include "topo/flight_ring.hpp"

namespace anachron::topo {

/// A clock of the processor, in units of its own: cheaper than any clock of the system. On the processors of
/// today all cores have the same, and its rate does not change.
inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// How long a tick is, as it was since this was made.
class TickLength {
 public:
  double seconds() const {
    const auto passed = static_cast<double>(ticks() - ticks_);
    return passed > 0 ? std::chrono::duration<double>(Clock::now() - time_).count() / passed : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point time_ = Clock::now();
  std::uint64_t ticks_ = ticks();
};

enum class Phase : std::uint8_t {
  execution,  ///< of events, with what is between them: the pending set, and commits in order
  routing,    ///< what other PEs sent is taken in, what is for them is handed over
  rollback,   ///< events are undone, wherever that happens
  rounds,     ///< of GVT: cuts and reports, and waiting for those of others
  commit,     ///< the outcome of a GVT round is taken in: fossil collection
  idle,       ///< there is nothing that may be executed
  asleep,     ///< the worker does not run: others use its core, or another worker has its turn
};
inline constexpr std::size_t kPhases = 7;

/// What was spent on each phase, in ticks.
struct PhaseTicks {
  std::array<std::uint64_t, kPhases> of{};

  std::uint64_t& operator[](Phase phase) { return of[static_cast<std::size_t>(phase)]; }
  std::uint64_t operator[](Phase phase) const { return of[static_cast<std::size_t>(phase)]; }
  PhaseTicks& operator+=(const PhaseTicks& other) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) of[phase] += other.of[phase];
    return *this;
  }
  double seconds(Phase phase, double per_tick) const {
    return static_cast<double>((*this)[phase]) * per_tick;
  }
  /// All but what was slept.
  TimeSplit split(double per_tick) const {
    return {.execution_s = seconds(Phase::execution, per_tick),
            .routing_s = seconds(Phase::routing, per_tick),
            .rollback_s = seconds(Phase::rollback, per_tick),
            .rounds_s = seconds(Phase::rounds, per_tick),
            .commit_s = seconds(Phase::commit, per_tick),
            .idle_s = seconds(Phase::idle, per_tick)};
  }
};

/// A worker's time, by the PE that it ran. Used by its worker, from `start` to `stop`; in between nothing
/// counts. `kNow` tells the time.
template <std::uint64_t (*kNow)()>
class PhaseClockOf {
 public:
  /// From now on intervals are recorded there, too.
  void record_in(FlightRing* ring) { ring_ = ring; }
  /// `pe`: which it runs first; none: it does not know yet.
  void start(Phase phase, std::optional<std::size_t> pe = std::nullopt) {
    phase_ = phase;
    last_ = kNow();
    move_to(place_of(pe));
    is_running_ = true;
    record({.kind = FlightRecord::Kind::start, .value = last_});
  }
  void stop() {
    cut();
    write_open();
    is_running_ = false;
  }

  Phase phase() const { return phase_; }
  /// What the worker has done since the last cut belongs to this phase, and what it does up to the next one.
  void enter(Phase phase) { phase_ = phase; }
  /// The present interval ends, in which the worker has executed so many events.
  void cut(std::uint32_t executed = 0) {
    // The clocks of two cores may differ a little.
    const std::uint64_t now = std::max(kNow(), last_);
    const std::uint64_t passed = now - last_;
    by_pe_[place_][phase_] += passed;
    last_ = now;
    if (ring_ && (passed > 0 || executed > 0)) record_interval(executed);
  }
  /// Records something beside the intervals. It stands behind the last of them.
  void record(const FlightRecord& what) {
    if (!ring_ || !is_running_) return;
    write_open();
    ring_->add(what);
  }
  /// The same of the PE whose time this is.
  void record_of_pe(FlightRecord what) {
    what.place = static_cast<std::uint16_t>(place_);
    record(what);
  }
  /// From now on its time is that of this PE; none: of no PE. Returns whether that ends an interval.
  bool charge_to(std::optional<std::size_t> pe) {
    const std::size_t place = place_of(pe);
    if (place == place_) [[likely]]
      return false;
    cut();
    move_to(place);
    return true;
  }

  /// What is done while this lives belongs to another phase than what is around it. Null: no clock runs.
  class Within {
   public:
    Within(PhaseClockOf* clock, Phase phase) : clock_(clock && clock->is_running_ ? clock : nullptr) {
      if (!clock_) return;
      around_ = clock_->phase_;
      clock_->cut();
      clock_->phase_ = phase;
    }
    ~Within() {
      if (!clock_) return;
      clock_->cut();
      clock_->phase_ = around_;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    PhaseClockOf* const clock_;
    Phase around_{};
  };

  /// When the worker does not run.
  PhaseTicks of_pe(std::size_t pe) const { return pe + 1 < by_pe_.size() ? by_pe_[pe + 1] : PhaseTicks(); }
  PhaseTicks total() const {
    PhaseTicks sum;
    for (const PhaseTicks& pe : by_pe_) sum += pe;
    return sum;
  }

 private:
  static std::size_t place_of(std::optional<std::size_t> pe) { return pe ? *pe + 1 : 0; }
  void move_to(std::size_t place) {
    place_ = place;
    if (place >= by_pe_.size()) by_pe_.resize(place + 1);
  }

  static bool is_of_pe(Phase phase) { return phase != Phase::idle && phase != Phase::asleep; }
  /// A worker without events goes from PE to PE and cuts its time each time. That is one interval.
  void record_interval(std::uint32_t executed) {
    const auto what = static_cast<std::uint8_t>(phase_);
    const auto place = static_cast<std::uint16_t>(is_of_pe(phase_) ? place_ : 0);
    if (open_ && (open_->what != what || open_->place != place || executed > 0)) write_open();
    if (!open_) open_ = {.what = what, .place = place, .count = executed};
    open_->value = last_;
    if (executed > 0) write_open();
  }
  void write_open() {
    if (open_) ring_->add(*open_);
    open_.reset();
  }

  std::vector<PhaseTicks> by_pe_ = std::vector<PhaseTicks>(1);  // behind what belongs to no PE
  std::size_t place_ = 0;                                       // there, now
  std::uint64_t last_ = 0;
  Phase phase_ = Phase::idle;
  bool is_running_ = false;
  FlightRing* ring_ = nullptr;        // null: nothing is recorded
  std::optional<FlightRecord> open_;  // an interval that may go on
};
using PhaseClock = PhaseClockOf<&ticks>;

}  // namespace anachron::topo
