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
  std::string name;
  Tally values;                      ///< one for each replication
  std::optional<double> half_width;  ///< of the mean's confidence interval; none for less than two values
};

/// What the replications found. Those that were interrupted, or never begun, are not there.
struct Replications {
  unsigned wanted = 0;
  unsigned side_by_side = 1;  ///< how many ran at a time
  Config config;              ///< of each, but for the seed
  double wall_s = 0;
  std::vector<Report> reports;  ///< in the order of seeds: `config.seed`, `config.seed` + 1 and so on
  std::string failure;  ///< why there are no more, where one has failed: those before it are there, no others

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
};
ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side,
                                  unsigned usable_cores, std::uint64_t usable_memory);

/// `runs` has one for each that runs at a time. When one fails, other than by an InputError, `failed` is told
/// what there is, if it is given, and the failure is thrown.
Replications run_replications(unsigned n, const ReplicationPlan& plan, std::vector<ReplicationRun> runs,
                              const ReplicationProgress& progress, const std::function<bool()>& interrupted,
                              const std::function<void(Replications)>& failed = {});

/// The plan for this machine, or for all ranks. Throws InputError unless n > 0 and the options are valid.
ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side);

}  // namespace detail
}  // namespace anachron
