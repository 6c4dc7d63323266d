// What a run did: the figures of the report, as values. `run/report/report_json.hpp` writes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/base/time.hpp>
#include <anachron/model/plots.hpp>
#include <anachron/model/results.hpp>

namespace anachron {

/// The figures of all PEs together are members of PeReport: their sums, and the largest checkpoint interval.
/// `spent` is the workers' sum: it has also what they spent without a PE.
struct Report : RunFigures, PeReport {
  std::string model;
  std::optional<double> nominal_hz;  ///< frequency that this machine's processor is sold by; none: not known
  double gvt_s = 0;                  ///< of cpu_s, what GVT rounds took
  double waiting_s = 0;              ///< the workers' time without an event to execute
  double asleep_s = 0;               ///< the workers' time in the event loop that is not in `spent`
  std::uint64_t core_swaps = 0;      ///< by workers, to others that had been stopped
  std::uint64_t time_slices = 0;     ///< by workers, with one active, to a second one
  std::uint64_t peak_rss = 0;        ///< bytes, of the process; over ranks the sum of all
  std::uint64_t lp_bytes = 0;        ///< of the LPs: states and what the engine keeps with them
  std::uint64_t memory_limit = 0;    ///< bytes, `Config::memory` as resolved
  Config config;                     ///< as resolved: every optional that applies is filled in
  std::vector<std::pair<std::string, std::string>>
      model_options;        ///< the model's parameters: name, value as text
  Results results;          ///< the model's own figures
  std::vector<Plot> plots;  ///< what the LP types declare

  /// committed / executed; 1 when nothing was executed.
  double efficiency() const { return executed ? double(committed) / double(executed) : 1.0; }
  /// 1 - rolled_back / committed, may be negative (Bauer et al. 2009, equation 3).
  double rollback_efficiency() const {
    return committed ? 1.0 - double(rolled_back) / double(committed) : 1.0;
  }
  /// Fraction of events that were sent to another PE, where one worker did not execute them all in order.
  double remote_events() const {
    const std::uint64_t in_parallel = sent - std::min(sent_in_order, sent);
    return in_parallel ? double(sent_remote) / double(in_parallel) : 0.0;
  }
  /// Events and copies of them whose memory another event had before, as a fraction (Rao 2018, section 4.3.3:
  /// hit rate of the recycler). None: the engine's pools were not asked.
  std::optional<double> recycled() const {
    const double made = double(sent) + double(copied);
    if (config.pool != Pool::own || made == 0) return std::nullopt;
    return std::max(1.0 - double(new_blocks) / made, 0.0);
  }
  /// Entries that a search by match id has looked at, on average (Bauer et al. 2009, equation 2); none: there
  /// was no search.
  std::optional<double> probes_per_lookup() const;
  /// The same of a copy that was put into the table of its sender (equation 1). None: no event was copied.
  std::optional<double> probes_per_insertion() const;
  /// The GVT interval in the unit of Bauer et al. 2009: turns of a PE in which it executed events, from one
  /// round to the next, on average. None: there was no round.
  std::optional<double> gvt_interval_iterations() const;
  /// (most - average) / average of the PEs' committed events, where one worker did not execute them all in
  /// order; 0: even (Bachan et al. 2024, figure 6). `rounds` tells how it was from time to time.
  double imbalance() const {
    std::uint64_t most = 0, sum = 0;
    for (std::size_t pe = 0; pe < pes.size(); ++pe) {
      // What was executed in order was all done at the first PE.
      const std::uint64_t in_order = pe == 0 ? std::min(committed_in_order, pes[pe].committed) : 0;
      most = std::max(most, pes[pe].committed - in_order);
      sum += pes[pe].committed - in_order;
    }
    return sum ? double(most) * double(pes.size()) / double(sum) - 1 : 0.0;
  }
  /// Memory of events and pending sets per pending event, when these were most; none when there was none.
  std::optional<double> bytes_per_pending_event() const {
    if (peak_pending == 0) return std::nullopt;
    return double(event_bytes + queue_bytes) / double(peak_pending);
  }
  /// Memory of an LP, on average: its state and what the engine keeps with it.
  double bytes_per_lp() const { return lps ? double(lp_bytes) / double(lps) : 0.0; }
  /// Of all ranks.
  unsigned all_workers() const;
  /// Workers that were active, on average over the time of the run.
  double active_workers() const;
  /// With --sync auto: the model has the lookahead for windows, and workers were active in them.
  bool had_windows() const;
  /// Events and cancellations in a message from rank to rank, on average; none: there was no message.
  std::optional<double> events_per_message() const;
  /// Looks for messages of other ranks that found some, as a fraction; none: nobody looked.
  std::optional<double> successful_probes() const;
  /// Seconds that the event loop would have taken with all cores at their nominal frequency: cycles /
  /// (utilisation x that frequency). Utilisation is the cores that were busy on average (Rao 2018, equation
  /// 1). None: cycles were not counted, or the frequency is not known.
  std::optional<double> normalised_s() const {
    if (!core_counts || !nominal_hz || !(core_counts->user_s > 0) || !(wall_s > 0)) return std::nullopt;
    const double utilisation = core_counts->user_s / wall_s;
    return double(core_counts->cycles) / (utilisation * *nominal_hz);
  }
  /// Committed events per second of wall time.
  double rate() const { return wall_s > 0 ? double(committed) / wall_s : 0.0; }
};

/// The `finish` of an LP threw, after a run that is as it should be. The report has everything but the
/// figures of that LP, which may be there in part, and of those behind it. `event()` is "finish".
class FinishError : public SimulationError {
 public:
  FinishError(const SimulationError& error, Report report)
      : SimulationError(error), report_(std::make_shared<const Report>(std::move(report))) {}

  const Report& report() const noexcept { return *report_; }

 private:
  std::shared_ptr<const Report> report_;  // an exception's copies must not throw
};

}  // namespace anachron
