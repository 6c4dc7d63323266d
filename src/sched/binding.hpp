// Which core each worker of a run stays on. A worker that stays keeps its caches and is near its memory. But
// it cannot leave when the system gives its core to other processes as well, and all other workers wait for
// it. So the engine watches the workers, and releases them when one gets too little of its core.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "topo/topology.hpp"

namespace anachron::sched {

class Binding {
 public:
  Binding() = default;
  /// Chooses a core for each worker among those that the calling thread may use, if there are enough and it
  /// makes sense.
  explicit Binding(const Config& config);

  /// Binds the calling thread, a worker, before it touches its PEs' memory. That the system refuses is no
  /// error.
  void bind_worker(unsigned worker);
  /// When all workers have called `bind_worker`. Between two terms, or by one of the first so many workers in
  /// a term in which no others run: lets these go where there is room.
  void let_roam(unsigned workers);
  /// Likewise, by one of them in the term: keeps them on the processor that it is on.
  void gather(unsigned workers);
  /// Between two terms: binds all of them again.
  void bind_again();

  /// When all workers have called `bind_worker`, and are about to begin with the events.
  void start_watch();
  /// Between two terms: not all workers are about to run.
  void end_watch() { is_watched_ = false; }
  /// From time to time, while no worker has ended: releases all when one had too little of its core since the
  /// last time. Does nothing when workers are to keep their cores, or are not watched.
  void watch();
  /// Instead, after a pause: what the workers had of their cores since the last time does not count.
  void skip_watch();

  /// All workers are bound, and to all cores that they may use: none is free for one that is stopped.
  bool takes_all() const { return !workers_.empty() && workers_.size() == allowed_.size(); }
  /// From now on nobody is let go.
  void keep() { keeps_ = true; }
  /// The two, which are bound, have each other's cores from now on, and `other` is moved to its own. Any
  /// thread.
  void exchange(unsigned worker, unsigned other);
  /// A worker that sleeps is to wake on its core. Any thread.
  void settle(unsigned worker);
  /// Moves the calling worker to its core. Returns when it is there.
  void move(unsigned worker);
  /// Processor time that a bound worker has had, in nanoseconds. Any thread.
  std::int64_t used_ns(unsigned worker) const;
  /// The memory node of each worker's core, numbered anyhow.
  std::vector<unsigned> nodes() const;

  WorkerBinding figures() const;

  /// What the cores were chosen from; null: none were.
  const topo::Topology* topology() const { return workers_.empty() ? nullptr : &*topology_; }
  /// The core of each worker; empty: none is bound, and `why_not` says why.
  std::vector<unsigned> cores() const;
  const std::string& why_not() const { return why_not_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Of its core: a worker never sleeps, so with less another program uses the core. With one other busy
  // thread it gets half.
  static constexpr double kLeastShare = 0.7;

  struct Worker {
    unsigned core = 0;
    std::error_code refused;
    pthread_t thread{};
    double cpu_s = 0;  // when last looked at
  };

  std::vector<unsigned> choose_cores(const Config& config) const;
  /// Why no worker is to be bound; empty: there is no reason.
  static std::string objection(const Config& config);
  void unbind();
  std::span<Worker> first(unsigned workers) {
    return std::span(workers_).first(std::min<std::size_t>(workers, workers_.size()));
  }

  std::optional<topo::Topology> topology_;
  std::vector<unsigned> allowed_;
  std::vector<Worker> workers_;  // empty: none is bound
  bool keeps_ = false;
  bool is_watched_ = false;
  std::mutex exchanging_;  // guards the cores while workers run
  std::string why_not_;
  Clock::time_point began_, watched_;
};

}  // namespace anachron::sched
