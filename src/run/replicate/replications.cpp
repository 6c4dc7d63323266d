#include <anachron/run/replications.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/stats/student.hpp>
#include <anachron/run/config.hpp>
#include <anachron/run/machine.hpp>

#include "pe/in_order.hpp"
#include "run/rank.hpp"
#include "run/replicate/precision_rule.hpp"
#include "run/replicate/replicated_numbers.hpp"

namespace anachron {
namespace {

constexpr unsigned kNoFailure = std::numeric_limits<unsigned>::max();

/// Runs replications on several threads, each of which takes the next one when it has ended one. Over ranks
/// on one, and all ranks have to run the same: whether one is the last is found out in it, together.
class Lanes {
 public:
  Lanes(unsigned n, const detail::ReplicationPlan& plan)
      : config_(plan.config), is_over_ranks_(pe::is_over_ranks(plan.config)), enough_(n) {
    if (plan.precision) rule_.emplace(*plan.precision, plan.config.confidence);
  }
  ~Lanes() { end(); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void begin(std::vector<detail::ReplicationRun> runs) {
    for (auto& run : runs) threads_.emplace_back([this, run = std::move(run)] { take_turns(run); });
  }
  /// Waits for the end of all, or a moment. Returns whether all have ended.
  bool wait(std::chrono::milliseconds moment) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, moment, [this] { return ended_ == threads_.size(); });
  }
  void interrupt() { is_interrupted_.store(true, std::memory_order_relaxed); }
  unsigned done() {
    const std::scoped_lock lock(mutex_);
    return static_cast<unsigned>(reports_.size());
  }
  /// How many replications count. After the end of all.
  unsigned enough() const { return enough_; }
  /// The means that are not precise although all replications have ended. After the end of all.
  std::vector<Imprecise> imprecise() const {
    return rule_ && seen_ == enough_ ? rule_->missed() : std::vector<Imprecise>();
  }
  /// What the replications found; up to the first that failed, as which of the later ones have ended is
  /// chance. After the end of all.
  std::vector<Report> take() {
    end();
    std::vector<Report> out;
    for (auto& [k, report] : reports_)
      if (k < failed_ && k < enough_) out.push_back(std::move(report));
    return out;
  }
  /// After the end of all: throws the failure of the first that failed, if one has.
  void rethrow() const {
    if (failure_ && failed_ < enough_) fail();
  }

 private:
  void take_turns(const detail::ReplicationRun& run) {
    bool goes_on = true;
    for (unsigned k = next_++; k < enough_ && (is_over_ranks_ ? goes_on : !is_over(k)); k = next_++)
      goes_on = take_turn(run, k);
    const std::scoped_lock lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }
  /// Returns whether it came to its end.
  bool take_turn(const detail::ReplicationRun& run, unsigned k) {
    try {
      Config config = config_;
      config.seed += k;
      Report report = run(config, [this, k] { return is_over(k); });
      if (report.ending == Ending::interrupted) return false;
      const std::scoped_lock lock(mutex_);
      reports_.emplace(k, std::move(report));
      return judge_precision();
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (k >= failed_) return false;
      failed_ = k;
      failure_ = std::current_exception();
      return false;
    }
  }
  /// Shows the rule the replications that it has not seen, in their order and as far as they have ended.
  /// Returns whether it knows the figure that it is to judge. Under the mutex.
  bool judge_precision() {
    if (!rule_) return true;
    try {
      for (auto next = reports_.find(seen_);
           next != reports_.end() && next->first == seen_ && seen_ < enough_; ++next) {
        ++seen_;
        if (rule_->add(next->second.results)) enough_ = seen_;
      }
      return true;
    } catch (const InputError&) {
      failed_ = 0;
      failure_ = std::current_exception();
      return false;
    }
  }
  /// Those before a failed one go on: they may fail, too, and the first failure is the one to tell.
  bool is_over(unsigned k) const {
    return is_interrupted_.load(std::memory_order_relaxed) || k > failed_.load(std::memory_order_relaxed) ||
           k >= enough_.load(std::memory_order_relaxed);
  }
  void end() {
    interrupt_unless_ended();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  void interrupt_unless_ended() {
    const std::scoped_lock lock(mutex_);
    if (ended_ < threads_.size()) interrupt();
  }
  [[noreturn]] void fail() const {
    const unsigned k = failed_;
    const std::string which = fmt::format("replication {} (seed {}): ", k + 1, config_.seed + k);
    try {
      std::rethrow_exception(failure_);
    } catch (const SimulationError& error) {
      throw SimulationError(which + error.lp(), error.event(), error.time(), error.cause());
    } catch (const InputError& error) {
      if (k == 0) throw;  // an option, most likely, and no matter of the seed
      throw InputError(which + error.what());
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw std::runtime_error(which + error.what());
    }
  }

  const Config config_;
  const bool is_over_ranks_;
  std::atomic<unsigned> next_{0};  // number of the replication that is begun next; taken by any lane
  // Asked by the runs, which read nothing else because of it: relaxed. All but the first are written under
  // the mutex.
  std::atomic<bool> is_interrupted_{false};
  std::atomic<unsigned> failed_{kNoFailure};
  std::atomic<unsigned> enough_;  // replications that count: the precision lowers it

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::map<unsigned, Report> reports_;  // by number; no room for those that never come
  std::optional<PrecisionRule> rule_;
  unsigned seen_ = 0;  // replications that the rule has seen
  std::exception_ptr failure_;
  std::size_t ended_ = 0;

  std::vector<std::thread> threads_;
};

}  // namespace

namespace detail {

namespace {

/// Seeds are counted from `--seed` on, and none may be used that the counting did not reach.
void check_replications(unsigned n, const Config& config) {
  if (n == 0) throw bad_value("replications", "0", "at least 1");
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
  if (config.seed > kLast - (n - 1))
    throw bad_value("seed", std::to_string(config.seed),
                    fmt::format("at most {} with --replications {}, which takes the seeds from it on",
                                kLast - (n - 1), n));
}

}  // namespace

void check_precision(const Precision& precision, unsigned most) {
  if (!(precision.relative > 0 && precision.relative < 1))
    throw bad_value("precision", format_real(precision.relative),
                    "a number above 0 and below 1, such as 0.01 for 1%");
  if (most < Precision::kFirst)
    throw bad_value(
        "replications", std::to_string(most),
        fmt::format("at least {} with --precision, the most that there may be", Precision::kFirst));
}

ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side,
                                  unsigned usable_cores, std::uint64_t usable_memory) {
  check_replications(n, config);
  ReplicationPlan plan{1, config, {}};
  const unsigned cores = std::max(usable_cores, 1u), most = std::min(n, std::max(most_side_by_side, 1u));
  if (!config.workers && !config.pes && config.sync != Sync::sequential) {
    plan.side_by_side = std::min(most, cores);
    const unsigned workers = cores / plan.side_by_side;
    if (!config.sync && workers == 1)
      plan.config.sync = Sync::sequential;
    else
      plan.config.workers = workers;
  } else {
    const unsigned workers = *resolve(config, cores).workers;
    plan.side_by_side = std::clamp(cores / workers, 1u, most);
  }
  plan.config = resolve(plan.config, cores);
  if (plan.side_by_side > 1) {
    plan.config.memory = *resolve(plan.config, cores, usable_memory).memory / plan.side_by_side;
    plan.config.bind = Bind::none;  // all would take the same cores
  }
  return plan;
}

ReplicationPlan plan_replications(unsigned n, const Config& config, unsigned most_side_by_side) {
  check_replications(n, config);
  const Config own = over_ranks(config);
  if (pe::is_over_ranks(own)) return {1, resolve(own, usable_cores()), {}};
  return plan_replications(n, config, most_side_by_side, usable_cores(), usable_memory());
}

Replications run_replications(unsigned n, const ReplicationPlan& plan, std::vector<ReplicationRun> runs,
                              const ReplicationProgress& progress, const std::function<bool()>& interrupted,
                              const std::function<void(Replications)>& failed) {
  const auto began = std::chrono::steady_clock::now();
  Replications out;
  out.side_by_side = plan.side_by_side;
  out.config = plan.config;
  out.precision = plan.precision;
  Lanes lanes(n, plan);
  lanes.begin(std::move(runs));
  do {
    if (progress) progress(lanes.done());
    if (interrupted && interrupted()) lanes.interrupt();
  } while (!lanes.wait(std::chrono::milliseconds(200)));
  out.reports = lanes.take();
  out.wanted = lanes.enough();
  out.imprecise = lanes.imprecise();
  out.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  try {
    lanes.rethrow();
  } catch (const InputError&) {  // it was wrong before anything was found
    throw;
  } catch (const std::exception& error) {
    out.failure = error.what();
    if (failed) failed(std::move(out));
    throw;
  }
  return out;
}

}  // namespace detail

std::vector<Estimate> Replications::estimates() const {
  std::vector<Estimate> out;
  for (const Report& report : reports)
    for (auto& [name, value] : replicated_numbers(report.results)) {
      const auto known =
          std::find_if(out.begin(), out.end(), [&](const Estimate& e) { return e.name == name; });
      Estimate& estimate = known == out.end() ? out.emplace_back(Estimate{name, {}, {}}) : *known;
      if (std::isfinite(value)) estimate.values.add(value);
    }
  for (Estimate& estimate : out) estimate.half_width = half_width(estimate.values, config.confidence);
  return out;
}

Results::Table Replications::table() const {
  Results::Table table{{"seed", "digest", "committed"}, {}};
  for (const Estimate& estimate : estimates()) table.columns.push_back(estimate.name);
  for (const Report& report : reports) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(std::to_string(report.config.seed));
    row.emplace_back(fmt::format("{:016x}", report.digest));
    row.emplace_back(static_cast<std::int64_t>(report.committed));
    row.resize(table.columns.size(), std::string());
    for (const auto& [name, value] : replicated_numbers(report.results)) {
      const auto column = std::find(table.columns.begin() + 3, table.columns.end(), name);
      if (std::isfinite(value)) row[static_cast<std::size_t>(column - table.columns.begin())] = value;
    }
  }
  return table;
}

}  // namespace anachron
