#include "sched/binding.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "pe/in_order.hpp"
#include "topo/processors.hpp"

namespace anachron::sched {
namespace {

/// Processor time that a thread has had, in nanoseconds.
std::int64_t used_by(pthread_t thread) {
  clockid_t clock{};
  timespec t{};
  if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return 0;
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

double cpu_seconds(pthread_t thread) { return static_cast<double>(used_by(thread)) * 1e-9; }

}  // namespace

Binding::Binding(const Config& config) {
  why_not_ = objection(config);
  if (!why_not_.empty()) return;
  topology_ = topo::Topology::of_this_machine();
  if (!topology_) {
    why_not_ = "hwloc does not know this machine";
    return;
  }
  allowed_ = topology_->allowed();
  const std::vector<unsigned> cores = choose_cores(config);
  if (cores.size() < *config.workers) {
    const std::size_t usable = topology_->choose(static_cast<unsigned>(allowed_.size()), allowed_).size();
    const std::string of_ranks = pe::is_over_ranks(config)
                                     ? fmt::format("{} ranks of ", config.cluster->transport().ranks_here())
                                     : "";
    why_not_ = fmt::format("{}{} workers on {} usable core{}", of_ranks, *config.workers, usable,
                           usable == 1 ? "" : "s");
    return;
  }
  // Where fewer workers are enough for a while, the first ones go on.
  for (const unsigned core : topology_->best_first(cores)) workers_.push_back({.core = core, .refused = {}});
}

/// Ranks that may use the same cores share them out: each knows what all would choose. Where mpirun has given
/// each some of its own, there are not enough for all.
std::vector<unsigned> Binding::choose_cores(const Config& config) const {
  const unsigned workers = *config.workers;
  if (pe::is_over_ranks(config)) {
    const transport::Transport& transport = config.cluster->transport();
    const unsigned all = workers * transport.ranks_here();
    const std::vector<unsigned> cores = topology_->choose(all, allowed_);
    if (cores.size() == all) {
      const auto own = cores.begin() + std::ptrdiff_t{workers} * transport.rank_here();
      return {own, own + workers};
    }
    if (topo::allowed_processors() >= std::thread::hardware_concurrency()) return {};
  }
  return topology_->choose(workers, allowed_);
}

std::string Binding::objection(const Config& config) {
  if (config.bind == Bind::none) return "--bind none";
  if (*config.workers == 1) return "a single worker";
  if (!topo::kHasHwloc) return "built without hwloc";
  // With a quota the cores are everybody's: only the system knows which ones are idle.
  const unsigned allowed = topo::allowed_processors();
  if (const unsigned quota = topo::quota().value_or(allowed); quota < allowed)
    return fmt::format("a CPU quota of {} on {} shared cores", quota, allowed);
  return {};
}

void Binding::bind_worker(unsigned index) {
  if (workers_.empty()) return;
  Worker& worker = workers_[index];
  worker.thread = ::pthread_self();
  worker.refused = topology_->bind(worker.thread, {worker.core});
}

void Binding::let_roam(unsigned workers) {
  for (Worker& worker : first(workers)) topology_->bind(worker.thread, allowed_);
}

void Binding::gather(unsigned workers) {
  const std::optional<unsigned> here = topo::processor_of_this_thread();
  if (!here) return;
  for (Worker& worker : first(workers)) topology_->bind(worker.thread, {*here});
}

void Binding::bind_again() {
  for (Worker& worker : workers_) worker.refused = topology_->bind(worker.thread, {worker.core});
}

void Binding::start_watch() {
  is_watched_ = true;
  began_ = watched_ = Clock::now();
  for (Worker& worker : workers_) worker.cpu_s = cpu_seconds(worker.thread);
}

void Binding::skip_watch() {
  if (!is_watched_) return;
  watched_ = Clock::now();
  for (Worker& worker : workers_) worker.cpu_s = cpu_seconds(worker.thread);
}

void Binding::watch() {
  if (keeps_ || !is_watched_) return;
  const auto now = Clock::now();
  const double wall_s = std::chrono::duration<double>(now - watched_).count();
  for (std::size_t index = 0; index < workers_.size(); ++index) {
    Worker& worker = workers_[index];
    const double cpu_s = cpu_seconds(worker.thread);
    const double share = (cpu_s - worker.cpu_s) / wall_s;
    worker.cpu_s = cpu_s;
    if (share >= kLeastShare) continue;
    why_not_ = fmt::format("let go after {:.1f} s, when worker {} had had its core only {:.0f}% of the time",
                           std::chrono::duration<double>(now - began_).count(), index, share * 100);
    return unbind();
  }
  watched_ = now;
}

void Binding::exchange(unsigned worker, unsigned other) {
  const std::scoped_lock lock(exchanging_);
  Worker& to = workers_[other];
  std::swap(workers_[worker].core, to.core);
  to.refused = topology_->bind(to.thread, {to.core});
}

void Binding::settle(unsigned index) {
  const std::scoped_lock lock(exchanging_);
  topology_->bind(workers_[index].thread, {workers_[index].core});
}

/// The system or another worker may give it yet another core before it has come to this one.
void Binding::move(unsigned index) {
  Worker& worker = workers_[index];
  std::unique_lock lock(exchanging_);
  for (;;) {
    const unsigned core = worker.core;
    lock.unlock();
    const std::error_code refused = topology_->bind(worker.thread, {core});
    lock.lock();
    if (worker.core == core) return void(worker.refused = refused);
  }
}

std::int64_t Binding::used_ns(unsigned worker) const { return used_by(workers_[worker].thread); }

std::vector<unsigned> Binding::nodes() const {
  std::vector<unsigned> nodes;
  for (const Worker& worker : workers_) nodes.push_back(topology_->node_of(worker.core).value_or(0));
  return nodes;
}

void Binding::unbind() {
  for (const Worker& worker : workers_) topology_->bind(worker.thread, allowed_);
  workers_.clear();
}

std::vector<unsigned> Binding::cores() const {
  std::vector<unsigned> cores;
  for (const Worker& worker : workers_) cores.push_back(worker.core);
  return cores;
}

WorkerBinding Binding::figures() const {
  WorkerBinding out;
  out.why_not = why_not_;
  for (const Worker& worker : workers_) {
    out.cores.push_back(worker.refused ? std::nullopt : std::optional(worker.core));
    if (worker.refused) out.why_not = fmt::format("the system refused: {}", worker.refused.message());
  }
  if (std::none_of(out.cores.begin(), out.cores.end(), [](const auto& core) { return core.has_value(); }))
    out.cores.clear();
  return out;
}

}  // namespace anachron::sched
