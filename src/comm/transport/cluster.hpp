// The ranks that a program was started as, to be used by one run after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "comm/transport/dispatcher.hpp"
#include "comm/transport/exchange.hpp"
#include "comm/transport/transport.hpp"

namespace anachron::transport {

/// This rank's end. As the ranks go from one run to the next each at its own time, what belongs to the next
/// run may come early. So all runs have the same dispatcher.
class Cluster {
 public:
  /// `last_run`: the number of the last run over these ranks.
  explicit Cluster(Transport& transport, std::uint64_t last_run = 0)
      : transport_(transport), dispatcher_(transport), exchange_(dispatcher_), last_run_(last_run) {}

  unsigned rank() const { return transport_.rank(); }
  unsigned ranks() const { return transport_.ranks(); }
  Transport& transport() { return transport_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  Exchange& exchange() { return exchange_; }

  /// Throws std::logic_error while a run or a session is over these ranks. Messages go to one at a time.
  void require_free() const {
    if (is_in_use_)
      throw std::logic_error(
          "anachron: a session over these ranks has not ended: destroy it before another run begins");
  }
  /// A run or session from its beginning to its end.
  class Use {
   public:
    /// Throws as `require_free`.
    explicit Use(Cluster& cluster) : cluster_(cluster) {
      cluster.require_free();
      cluster.is_in_use_ = true;
    }
    ~Use() { cluster_.is_in_use_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Cluster& cluster_;
  };

  /// Runs have numbers that all ranks agree on, so that messages of one are not taken for those of the next.
  std::uint64_t last_run() const { return last_run_; }
  void begin_run(std::uint64_t run) { last_run_ = run; }

  /// Threads of a run use the transport: nothing else may.
  bool is_running() const { return is_running_.load(std::memory_order_relaxed); }
  /// While this lives they do. Null: there is no cluster.
  class Running {
   public:
    explicit Running(Cluster* cluster) : cluster_(cluster) { set(true); }
    ~Running() { set(false); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    void set(bool runs) {
      if (cluster_) cluster_->is_running_.store(runs, std::memory_order_relaxed);
    }
    Cluster* const cluster_;
  };

 private:
  Transport& transport_;
  Dispatcher dispatcher_;
  Exchange exchange_;
  std::uint64_t last_run_;
  // Written by the thread that runs simulations, read by any that asks in vain. Relaxed: it orders nothing.
  std::atomic<bool> is_running_{false};
  bool is_in_use_ = false;  // by a run or session; only the thread that runs simulations looks
};

}  // namespace anachron::transport
