#include "run/rank.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/run/machine.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/delayed_transport.hpp"
#include "comm/transport/world.hpp"
#include "pe/in_order.hpp"
#include "run/report/fingerprint.hpp"
#include "topo/processors.hpp"

namespace anachron {
namespace {

/// The ranks of this process's launch, from the first run over them to the end of the program.
class World {
 public:
  explicit World(const Config& config) { prepare(config); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  /// When no run was broken off all ranks come here.
  ~World() {
    if (transport_ && !is_at_work) transport_->finish();
  }

  /// For a run with these options. Called by all ranks.
  void prepare(const Config& config) {
    transport_ = transport::world({.message_size = config.message_size,
                                   .send_buffers = config.send_buffers,
                                   .receive_buffers = config.receive_buffers});
    if (!transport_ || (cluster_ && latency_ == config.emulate_latency)) return;
    latency_ = config.emulate_latency;
    // No rank is ahead of this one: nothing of the next run has come.
    const std::uint64_t last_run = cluster_ ? cluster_->last_run() : 0;
    cluster_.reset();
    delayed_.reset();
    if (latency_ > 0)
      delayed_ = std::make_unique<transport::DelayedTransport>(
          *transport_, std::chrono::nanoseconds(static_cast<std::int64_t>(latency_ * 1e9)));
    cluster_.emplace(delayed_ ? *delayed_ : *transport_, last_run);
  }

  transport::Cluster* cluster() { return cluster_ ? &*cluster_ : nullptr; }

  bool is_at_work = false;

 private:
  transport::Transport* transport_ = nullptr;
  double latency_ = 0;
  std::unique_ptr<transport::DelayedTransport> delayed_;  // null: links are as they are
  std::optional<transport::Cluster> cluster_;
};

// One per process, like the MPI session below it, which it therefore makes first, and ends after its own end.
// Only this file sees it.
World*& the_world() {
  static World* world = nullptr;
  return world;
}
World& make_world(const Config& config) {
  if (World* const made = the_world()) {
    if (made->cluster()) made->cluster()->require_free();
    made->prepare(config);
    return *made;
  }
  static World world(config);
  the_world() = &world;
  return world;
}

/// The part of this machine that is a rank's. A rank that was bound to some cores has these.
unsigned share_of_cores(unsigned ranks_here) {
  const unsigned allowed = topo::allowed_processors();
  const bool is_bound = allowed < std::thread::hardware_concurrency();
  const unsigned of_quota = topo::quota().value_or(allowed * ranks_here) / ranks_here;
  return std::max(std::min(is_bound ? allowed : allowed / ranks_here, of_quota), 1u);
}

}  // namespace

unsigned own_rank() {
  const auto launch = transport::launch();
  return launch ? launch->rank : 0;
}

unsigned rank_count() {
  const auto launch = transport::launch();
  return launch ? launch->ranks : 1;
}

Config over_ranks(const Config& config) {
  if (config.cluster || rank_count() == 1) return config;
  if (config.sync == Sync::sequential)
    throw bad_value(
        "sync", "sequential",
        fmt::format("optimistic or conservative on {} ranks (without mpirun there is one)", rank_count()));
  Config out = config;
  // Ranks would have to change the way of all together.
  if (!out.sync || out.sync == Sync::automatic) out.sync = Sync::optimistic;
  static_cast<void>(resolve(out, usable_cores()));  // throws what is wrong with it
  for (auto& [name, value] : out.model_options) value = fingerprint(value);
  if (!out.partition_file.empty())  // an option of the engine, but what counts is in the file
    out.model_options.emplace_back("--partition", fingerprint(out.partition_file));
  out.cluster = make_world(out).cluster();
  const unsigned ranks_here = std::max(out.cluster->transport().ranks_here(), 1u);
  if (!out.workers) {
    const unsigned cores = share_of_cores(ranks_here);
    out.workers = out.pes ? std::min(cores, *out.pes) : cores;
  }
  if (!out.memory) out.memory = resolve(out, *out.workers, usable_memory() / ranks_here).memory;
  return out;
}

transport::Cluster& cluster_of_launch() {
  World* const made = the_world();
  return *(made ? *made : make_world(Config())).cluster();
}

void require_one_process(const char* what) {
  if (rank_count() > 1)
    throw InputError(
        fmt::format("{} runs in one process only, and this is rank {} of {}: start it without mpirun", what,
                    own_rank(), rank_count()));
}

RanksAtWork::RanksAtWork(const Config& config) : is_over_ranks_(pe::is_over_ranks(config) && the_world()) {
  if (is_over_ranks_) the_world()->is_at_work = true;
}

RanksAtWork::~RanksAtWork() = default;

void RanksAtWork::succeeded() {
  if (is_over_ranks_) the_world()->is_at_work = false;
}

void end_others(int status) {
  if (the_world() && the_world()->is_at_work) the_world()->cluster()->transport().abort(status);
}

void end_others_for_good(int status) {
  if (the_world() && the_world()->cluster()) the_world()->cluster()->transport().abort(status);
}

}  // namespace anachron
