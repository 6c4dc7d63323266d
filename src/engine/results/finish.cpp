#include "engine/results/finish.hpp"

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include <anachron/event/frame.hpp>

#include "engine/results/state_digest.hpp"
#include "model/results/results_log.hpp"

namespace anachron::engine {
namespace {

using Clock = std::chrono::steady_clock;

/// Whether to end, asked before each LP.
class Patience {
 public:
  explicit Patience(const std::function<bool()>& interrupted) : interrupted_(interrupted) {}

  bool is_over() {
    constexpr unsigned kLpsToClock = 16;
    if (!interrupted_ || ++lps_ % kLpsToClock != 0) return false;
    const auto now = Clock::now();
    if (now - asked_ < kInterval) return false;
    asked_ = now;
    return interrupted_() && now - began_ > kAtLeast;
  }

 private:
  static constexpr std::chrono::milliseconds kInterval{200}, kAtLeast{1000};
  const std::function<bool()>& interrupted_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point asked_ = began_;
  unsigned lps_ = 0;
};

/// Calls the `finish` of each LP that `reports`, which is asked in the order of their ids.
template <class Reports>
detail::LogEnding finish_those(const lp::LpStore& lps, Time end_time, Results& results,
                               const std::function<bool()>& interrupted, Reports&& reports,
                               const std::function<const void*(LpId)>& state = {}) {
  event::Frame frame;
  frame.types = lps.types();
  frame.warm_up = results.span().warm_up;
  Patience patience(interrupted);
  for (const event::LpTypeEntry& type : lps.types()) {
    if (!type.ops->finish) continue;
    for (LpId id = type.first; id - type.first < type.count; ++id) {
      if (!reports(id)) continue;
      if (patience.is_over()) return {id, std::nullopt};
      frame.begin(end_time, 0, id, lps.cell(id).counters);
      try {
        type.ops->finish(frame, state ? state(id) : lps.state(id), results);
      } catch (const std::exception& error) {
        return {id + 1, std::string("threw: ") + error.what()};
      } catch (...) {
        return {id + 1, "threw an exception that is not a std::exception"};
      }
    }
  }
  return {lps.size(), std::nullopt};
}

Finished named(const detail::LogEnding& ending, const lp::LpStore& lps, Time end_time) {
  Finished finished{.next = ending.next, .failure = {}};
  if (ending.cause) finished.failure.emplace(lps.name(ending.next - 1), "finish", end_time, *ending.cause);
  return finished;
}

Finished completed(Finished finished, const lp::LpStore& lps, Results& results) {
  results.complete();
  if (why_not_encoded(lps.types()).empty()) finished.hash_of_results = hash_of(results);
  return finished;
}

}  // namespace

Finished finish(const lp::LpStore& lps, Time end_time, Results& results,
                const std::function<bool()>& interrupted, const std::function<const void*(LpId)>& state) {
  const auto all = [](LpId) { return true; };
  const auto ending = finish_those(lps, end_time, results, interrupted, all, state);
  return completed(named(ending, lps, end_time), lps, results);
}

FinishedRank finish_rank(const lp::LpStore& lps, const PeRange& own, Time end_time, const Results::Span& span,
                         const std::function<bool()>& interrupted) {
  detail::ResultsLog log;
  Results results(span, log);
  const detail::LogEnding ending = finish_those(lps, end_time, results, interrupted, [&](LpId id) {
    const bool is_own = own.contains(lps.owner(id));
    if (is_own) log.begin(id);
    return is_own;
  });
  return {named(ending, lps, end_time), std::move(log).end(ending)};
}

Finished merge_ranks(const lp::LpStore& lps, Time end_time, std::span<const std::span<const std::byte>> logs,
                     Results& results) {
  return completed(named(detail::replay(logs, lps.size(), results), lps, end_time), lps, results);
}

}  // namespace anachron::engine
