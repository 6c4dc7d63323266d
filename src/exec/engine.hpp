// One run of a model: sets PEs and workers up, lets them go, collects what they did.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/model/results.hpp>

#include "lp/lp_store.hpp"

namespace anachron::exec {

struct Outcome {
  Ending ending = Ending::finished;
  Time end_time = 0;
  std::uint64_t digest = 0;
  double wall_s = 0, setup_s = 0, cpu_s = 0;
  std::uint64_t gvt_rounds = 0;
  std::uint64_t peak_pending = 0;
  WorkerBinding binding;
  std::vector<PeReport> pes;
  std::vector<RoundSample> rounds;
  std::vector<std::string> notes;
  std::uint64_t retreats = 0, memory_peak = 0;
  std::unique_ptr<lp::LpStore> lps;  ///< as they were when the run ended
};

/// `config` is resolved. Calls `progress`, if any, about five times a second on the calling thread and polls
/// `interrupted`, if any, at the same rate. Throws InputError, SimulationError, and
/// std::runtime_error when the system gives no memory.
Outcome run(std::vector<event::LpTypeEntry> types, const Config& config,
            const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted);

/// Calls the `finish` of each LP, in the order of their ids.
void finish(const Outcome& outcome, Results& results);

}  // namespace anachron::exec
