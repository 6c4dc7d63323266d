#include "exec/finish.hpp"

#include <chrono>
#include <exception>
#include <string>
#include <utility>

#include <anachron/event/frame.hpp>

namespace anachron::exec {
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

}  // namespace

Finished finish(const lp::LpStore& lps, Time end_time, Results& results,
                const std::function<bool()>& interrupted) {
  event::Frame frame;
  frame.types = lps.types();
  frame.warm_up = results.span().warm_up;
  Patience patience(interrupted);
  const auto failed = [&](LpId id, std::string cause) {
    return Finished{id + 1, SimulationError(lps.name(id), "finish", end_time, std::move(cause))};
  };
  for (LpId id = 0; id < lps.size(); ++id) {
    const event::LpOps& ops = *lps.type_of(id).ops;
    if (!ops.finish) continue;
    if (patience.is_over()) return {id, std::nullopt};
    frame.begin(end_time, 0, id, lps.cell(id).counters);
    try {
      ops.finish(frame, lps.state(id), results);
    } catch (const std::exception& error) {
      return failed(id, std::string("threw: ") + error.what());
    } catch (...) {
      return failed(id, "threw an exception that is not a std::exception");
    }
  }
  return {lps.size(), std::nullopt};
}

}  // namespace anachron::exec
