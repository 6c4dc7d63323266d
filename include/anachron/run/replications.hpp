// The same experiment with several seeds: how far its figures depend on chance.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/stats/tally.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// A figure of the results, or a part of one ("stay.p99"), over the replications that have it.
struct Estimate {
  std::string name;                  ///< of the figure
  Tally values;                      ///< one for each replication
  std::optional<double> half_width;  ///< of the mean's confidence interval; none for less than two values
};

/// How precise means have to be for replications to end: see `Simulation::replicate_until`.
struct Precision {
  static constexpr unsigned kFirst = 10;   ///< replications before the first look at the means
  static constexpr unsigned kMost = 1000;  ///< replications at most, where --replications does not say

  /// The half-width of a mean's interval, as a share of the magnitude of the mean; above 0 and below 1.
  double relative = 0.01;
  /// Whose mean: a figure, or a part of a statistic ("stay.p99"). Empty: of all figures that are a number,
  /// and the means of all statistics.
  std::string figure;
};

/// A mean that is less precise than was asked for.
struct Imprecise {
  std::string figure;  ///< its name
  double reached = 0;  ///< as `Precision::relative`; infinite for a mean of 0 with an interval
};

/// What the replications found. Those that were interrupted, or never begun, are not there.
struct Replications {
  unsigned wanted = 0;                 ///< with a precision no more than it needed
  unsigned side_by_side = 1;           ///< how many ran at a time
  Config config;                       ///< of each, but for the seed
  double wall_s = 0;                   ///< seconds of wall time, for all together
  std::vector<Report> reports;         ///< in the order of seeds: `config.seed`, `config.seed` + 1 and so on
  std::optional<Precision> precision;  ///< that was asked for
  std::vector<Imprecise> imprecise;    ///< means that missed it with as many replications as there may be
  std::string failure;  ///< why there are no more, where one has failed: those before it are there, no others

  /// Whether an interruption left out some.
  bool is_interrupted() const { return failure.empty() && reports.size() < wanted; }
  /// In the order of the report; `config.confidence` is the probability of the intervals.
  std::vector<Estimate> estimates() const;
  /// A row for each replication: seed, digest, committed events, and all that there are estimates of.
  Results::Table table() const;
};

namespace detail {

/// One replication. `interrupted` ends it when it returns true.
using ReplicationRun = std::function<Report(const Config&, const std::function<bool()>& interrupted)>;
/// How many replications have ended; called about 5 times a second by the thread that called.
using ReplicationProgress = std::function<void(unsigned done)>;

/// How many to run at a time, and with what: see `Simulation::replicate`.
struct ReplicationPlan {
  unsigned side_by_side = 1;
  Config config;
  std::optional<Precision> precision;  ///< ends the replications early
};
ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side,
                                  unsigned usable_cores, std::uint64_t usable_memory);

/// Throws InputError unless the precision is valid, and `most` replications are enough to judge it.
void check_precision(const Precision& precision, unsigned most);

/// `runs` has one for each that runs at a time; there are `n`, or fewer with a precision. When one fails,
/// other than by an InputError, `failed` is told what there is, if it is given, and the failure is thrown.
Replications run_replications(unsigned n, const ReplicationPlan& plan, std::vector<ReplicationRun> runs,
                              const ReplicationProgress& progress, const std::function<bool()>& interrupted,
                              const std::function<void(Replications)>& failed = {});

/// The plan for this machine, or for all ranks. Throws InputError unless n > 0 and the options are valid.
ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side);

}  // namespace detail
}  // namespace anachron
