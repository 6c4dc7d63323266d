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

/// What `Simulation::run` returns. The figures of all PEs together are members of PeReport: their sums, and
/// the largest checkpoint interval. `spent` is the workers' sum, with the time that they spent without a PE.
///
///     const an::Report report = simulation.run();
///     std::printf("%016lx %.1f\n", report.digest, report.results.value("mean_wait"));
struct Report : RunFigures, PeReport {
  std::string model;  ///< Name of the model.
  /// Frequency that the processor of this machine (of rank 0) is sold by. None: the system does not tell, as
  /// on many virtual machines.
  std::optional<double> nominal_hz;
  double gvt_s = 0;      ///< Workers' time in GVT rounds; with `--gvt barrier` also the waiting for them.
  double waiting_s = 0;  ///< Workers' time without an event to execute.
  /// Workers' time in the event loop without a core, or while another worker had its turn.
  double asleep_s = 0;
  /// How often a worker gave its core to one that another process had stopped.
  std::uint64_t core_swaps = 0;
  /// How often, with one worker active, a second one went on in its place.
  std::uint64_t time_slices = 0;
  std::uint64_t peak_rss = 0;  ///< Most memory that the process had, in bytes; over ranks the sum of all.
  /// Memory of the LPs: their states, without memory that states own, and what the engine keeps with them.
  std::uint64_t lp_bytes = 0;
  std::uint64_t memory_limit = 0;  ///< `--memory`, in bytes; over ranks that of rank 0.
  Config config;                   ///< The engine's options as resolved, and the model's as text.
  std::vector<std::pair<std::string, std::string>>
      model_options;        ///< The model's parameters: name, value as text.
  Results results;          ///< The model's figures by name; a statistic is an object.
  std::vector<Plot> plots;  ///< Pictures that the LP types declare.

  /// Committed / executed; 1 when no event was executed.
  double efficiency() const { return executed ? double(committed) / double(executed) : 1.0; }
  /// 1 - rolled_back / committed; may be negative (Bauer et al. 2009, equation 3).
  double rollback_efficiency() const {
    return committed ? 1.0 - double(rolled_back) / double(committed) : 1.0;
  }
  /// Fraction of events sent to another PE: sent_remote / (sent - sent_in_order).
  double remote_events() const {
    const std::uint64_t in_parallel = sent - std::min(sent_in_order, sent);
    return in_parallel ? double(sent_remote) / double(in_parallel) : 0.0;
  }
  /// Of the events sent and copied, the fraction that got memory which another event had before (Rao 2018,
  /// section 4.3.3: hit rate of the recycler). None: with another `--pool` than `own`.
  std::optional<double> recycled() const {
    const double made = double(sent) + double(copied);
    if (config.pool != Pool::own || made == 0) return std::nullopt;
    return std::max(1.0 - double(new_blocks) / made, 0.0);
  }
  /// lookup_probes / lookups. Bauer et al. 2009 (equation 2) expect 1.4 of a table that is half full. None:
  /// there was no search.
  std::optional<double> probes_per_lookup() const;
  /// insertion_probes / copied. Bauer et al. 2009 (equation 1) expect 2.0. None: no event was copied.
  std::optional<double> probes_per_insertion() const;
  /// Turns of a PE with events from one GVT round to the next, on average: batches / (gvt_rounds x PEs). It
  /// is the GVT interval in the unit of Bauer et al. 2009. None: there was no round.
  std::optional<double> gvt_interval_iterations() const;
  /// (Most - average) / average of the PEs' committed events, without events in order; 0: even (Bachan et al.
  /// 2024, figure 6). `rounds.imbalance` shows it over time.
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
  /// How much work there is for each unit of the critical path, so that no number of cores makes the run more
  /// times as fast as one core. With `--time-events` both are measured (`critical_path_s`; of `handlers_s`
  /// the committed share). Else both are numbers of events, and it holds where all take the same time. None:
  /// the path is not known, or nothing is on it.
  std::optional<double> available_parallelism() const {
    if (event_times && event_times->critical_path_s > 0)
      return event_times->handlers_s * double(committed) / double(executed) / event_times->critical_path_s;
    if (critical_path.value_or(0) == 0) return std::nullopt;
    return double(committed) / double(*critical_path);
  }
  /// Memory of events and pending sets, in bytes, for each of `peak_pending` events. None: no event was
  /// pending.
  std::optional<double> bytes_per_pending_event() const {
    if (peak_pending == 0) return std::nullopt;
    return double(event_bytes + queue_bytes) / double(peak_pending);
  }
  /// Memory of an LP on average, in bytes: lp_bytes / lps.
  double bytes_per_lp() const { return lps ? double(lp_bytes) / double(lps) : 0.0; }
  /// Workers of all ranks.
  unsigned all_workers() const;
  /// Workers that were active, on average over the time of the run.
  double active_workers() const;
  /// Whether workers were active in conservative windows, with `--sync auto` and a model with lookahead.
  bool had_windows() const;
  /// Events and cancellations in a message from rank to rank, on average. None: there was no message.
  std::optional<double> events_per_message() const;
  /// Of the looks for messages of other ranks, the fraction that found some. None: no rank looked.
  std::optional<double> successful_probes() const;
  /// `wall_s` as it would be with all cores at their nominal frequency: cycles / (utilisation x nominal_hz).
  /// Utilisation is the number of cores that were busy on average (Rao 2018, equation 1). None: `cycles` or
  /// `nominal_hz` is not known.
  std::optional<double> normalised_s() const {
    if (!core_counts || !nominal_hz || !(core_counts->user_s > 0) || !(wall_s > 0)) return std::nullopt;
    const double utilisation = core_counts->user_s / wall_s;
    return double(core_counts->cycles) / (utilisation * *nominal_hz);
  }
  /// Committed events per second of `wall_s`.
  double rate() const { return wall_s > 0 ? double(committed - committed_before) / wall_s : 0.0; }
};

/// The `finish` of an LP threw, after a run that is as it should be. The report has everything except the
/// figures of that LP, which may be there in part, and of the LPs behind it. `event()` is "finish".
class FinishError : public SimulationError {
 public:
  FinishError(const SimulationError& error, Report report)
      : SimulationError(error), report_(std::make_shared<const Report>(std::move(report))) {}

  /// The report of the run.
  const Report& report() const noexcept { return *report_; }

 private:
  std::shared_ptr<const Report> report_;  // an exception's copies must not throw
};

}  // namespace anachron
