#include "engine/parts.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/parse.hpp>

#include "comm/fabric/make_channels.hpp"
#include "pe/in_order.hpp"
#include "sched/mapping/shared_mapping.hpp"
#include "sched/trials/worker_trials.hpp"
#include "topo/clocks/clocks.hpp"
#include "topo/load/idle_time.hpp"
#include "topo/load/running_threads.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {

std::unique_ptr<fabric::Fabric> make_fabric(const Config& config, std::span<const event::LpTypeEntry> types) {
  if (config.seams && config.seams->fabric) return config.seams->fabric(config, types);
  return fabric::make_channels(config, {0, *config.pes}, types);
}

std::unique_ptr<sched::Mapping> make_mapping(const Config& config) {
  if (config.seams && config.seams->mapping) return config.seams->mapping(config);
  return sched::make_mapping(config);
}

std::unique_ptr<topo::Counters> open_counters(const Config& config) {
  if (config.seams && config.seams->counters) return config.seams->counters();
  return topo::open_counters();
}

std::unique_ptr<sched::CoreSwap> make_core_swap(const Config& config, sched::Binding& binding) {
  using Clock = std::chrono::steady_clock;
  const bool is_asked_for = config.core_swap == anachron::CoreSwap::on;
  if (*config.workers == 1 || config.core_swap == anachron::CoreSwap::off) return nullptr;
  if (!is_asked_for && config.mapping != Mapping::automatic) return nullptr;
  if (!binding.takes_all()) {
    if (!is_asked_for) return nullptr;
    throw bad_value("core-swap", "on",
                    fmt::format("auto, off; here {}",
                                binding.cores().empty() ? binding.why_not()
                                                        : std::string("there are more cores than workers")));
  }
  binding.keep();
  using CoreSwap = sched::CoreSwap;
  return std::make_unique<CoreSwap>(CoreSwap::System{
      .now =
          [] {
            return CoreSwap::Nanoseconds{std::chrono::nanoseconds(Clock::now().time_since_epoch()).count()};
          },
      .used = [&binding](unsigned worker) { return binding.used_ns(worker); },
      .move = [&binding](unsigned worker) { binding.move(worker); },
      .exchange = [&binding](unsigned worker, unsigned other) { binding.exchange(worker, other); },
      .settle = [&binding](unsigned worker) { binding.settle(worker); },
      .sleep =
          [](std::condition_variable& over, CoreSwap::Lock& lock, CoreSwap::Nanoseconds until,
             const std::function<bool()>& is_over) {
            over.wait_until(lock, Clock::time_point(std::chrono::nanoseconds(until)), is_over);
          },
      .groups = binding.nodes()});
}

std::unique_ptr<sched::TimeSlicing> make_time_slicing(const Config& config, sched::Binding& binding) {
  constexpr unsigned kWorkers = sched::TimeSlicing::kWorkers;
  if (config.core_swap == anachron::CoreSwap::off || !may_change_workers(config)) return nullptr;
  if (config.seams && config.seams->time_slicing)
    return *config.workers < kWorkers ? nullptr : config.seams->time_slicing();
  if (binding.cores().size() < kWorkers || !topo::processor_of_this_thread()) return nullptr;
  return std::make_unique<sched::TimeSlicing>(
      sched::TimeSlicing::System{.now = sched::TimeSlicing::Clock::now,
                                 .gather = [&binding] { binding.gather(kWorkers); },
                                 .roam = [&binding] { binding.let_roam(kWorkers); }});
}

std::unique_ptr<gvt::Gvt> make_gvt(const Config& config, Seams::Conclude conclude) {
  if (config.seams && config.seams->gvt) return config.seams->gvt(config, std::move(conclude));
  return gvt::make_gvt(config.gvt, *config.pes,
                       [conclude](gvt::Gvt& gvt, auto summaries) { gvt.open(conclude(summaries)); });
}

std::unique_ptr<gvt::Gvt> make_gvt(const Config& config, gvt::RankRounds& rounds) {
  auto gvt = gvt::make_gvt(
      config.gvt, *config.pes, [&rounds](gvt::Gvt&, auto summaries) { rounds.all_are_ready(summaries); },
      [&rounds](gvt::Gvt&) { rounds.all_have_cut(); });
  rounds.begin(*gvt);
  return gvt;
}

bool may_change_workers(const Config& config) {
  // Over ranks all are active: those of one could not change their number without the others.
  if (pe::is_over_ranks(config)) return false;
  if (config.seams && config.seams->active_workers) return true;
  return config.mapping == Mapping::automatic && config.sync != Sync::sequential && *config.pes > 1 &&
         config.history == History::automatic && config.test_chaos == 0 && !config.check_rollback;
}

/// Others want all cores, and not only for a moment.
bool are_wanted(const topo::RunningThreads& threads, unsigned cores) {
  constexpr int kLooks = 3;
  for (int look = 0; look < kLooks; ++look) {
    if (look > 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    const std::optional<unsigned> running = threads.count();
    if (!running || *running <= cores) return false;
  }
  return true;
}

std::unique_ptr<sched::ActiveWorkers> make_active_workers(const Config& config, bool has_windows,
                                                          bool has_time_slicing) {
  if (!may_change_workers(config)) return std::make_unique<sched::AllWorkers>(*config.workers);
  if (config.seams && config.seams->active_workers) return config.seams->active_workers(config);
  sched::WorkerTrials::Cores cores{.count = topo::usable_processors(), .used_s = topo::process_cpu_seconds};
  const auto threads = std::make_shared<topo::RunningThreads>();
  if (threads->count())
    cores.threads = [threads] { return threads->count(); };
  else
    cores.idle_s = [idle = std::make_shared<topo::IdleTime>()] { return idle->seconds(); };
  cores.has_time_slicing = has_time_slicing;
  cores.are_wanted = config.sync != Sync::conservative && are_wanted(*threads, cores.count);
  return std::make_unique<sched::WorkerTrials>(*config.workers, std::move(cores),
                                               has_windows && config.sync == Sync::automatic);
}

}  // namespace anachron::engine
