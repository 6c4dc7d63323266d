// PEs without workers, stepped by hand in one thread: any interleaving of what they do can be had at will.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "comm/fabric/make_channels.hpp"
#include "gvt/gvt.hpp"
#include "gvt/gvt_manager.hpp"
#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
#include "pe/digest.hpp"
#include "pe/pe.hpp"
#include "sched/mapping/mapping.hpp"
#include "sched/scheduled_workers.hpp"

namespace anachron::pe {

/// Optimistic, without a throttle, all the rest as by default.
inline Config optimistic(unsigned pes) {
  Config config;
  config.sync = Sync::optimistic;
  config.workers = config.pes = pes;
  config.throttle = Throttle::none;
  return config;
}
inline Config sequential() {
  Config config = optimistic(1);
  config.sync = Sync::sequential;
  return config;
}

class PeBench {
 public:
  PeBench(std::vector<event::LpTypeEntry> types, const std::vector<PeId>& owners, const Config& config)
      : config_(config),
        lps_(std::move(types), Owners(owners)),
        budget_(config.memory.value_or(std::uint64_t{1} << 40), *config.pes, mem::Budget::Reserve::some),
        mapping_(*config.workers, *config.pes),
        active_(*config.workers),
        gvt_manager_(config_, *config.pes, control_, budget_, clocks_, workers_),
        gvt_(gvt::make_gvt(
            config.gvt, *config.pes,
            [this](gvt::Gvt& gvt, auto summaries) { gvt.open(gvt_manager_.conclude(summaries)); })),
        fabric_(fabric::make_channels(config, {0, *config.pes}, {})) {
    config_.queue = Queue::heap;
    const bool may_undo = config.sync == Sync::optimistic || config.check_rollback;
    for (std::size_t self = 0; self < *config.pes; ++self)
      pes_.push_back(make_pe({.self = static_cast<PeId>(self),
                              .config = config_,
                              .lps = lps_,
                              .fabric = *fabric_,
                              .budget = budget_,
                              .keeping = may_undo ? Keeping::history : Keeping::nothing,
                              .pes = {{0, *config.pes}, *config.pes}}));
  }
  ~PeBench() {
    for (auto& pe : pes_) pe->discard();
  }

  void start() {
    for (auto& pe : pes_) {
      pe->start();
      pe->publish();
    }
  }
  /// Starts all LPs; a first GVT round lets the PEs execute whatever comes first.
  void begin() {
    start();
    round();
  }

  void run_sequentially() {
    start();
    while (!pes_[0]->halt() && pes_[0]->execute_for_good(1000, config_.until) > 0) {
    }
    halt_ = pes_[0]->halt();
  }

  /// What the workers do, in a random order. Returns the number of GVT rounds.
  std::uint64_t run_interleaved(std::uint64_t seed) {
    start();
    std::mt19937_64 random(seed);
    const unsigned most = 1 + static_cast<unsigned>(random() % 40);  // events in a batch
    const auto laziness = 1 + random() % 20;                         // how seldom GVT is looked at
    const auto silence = 1 + random() % 10;                          // how seldom mail is delivered
    std::size_t over = 0;
    std::vector<char> is_over(pes_.size());
    while (over < pes_.size()) {
      const std::size_t self = random() % pes_.size();
      if (is_over[self]) continue;
      Pe& pe = *pes_[self];
      if (random() % silence == 0) pe.receive();
      const unsigned executed = pe.execute(1 + static_cast<unsigned>(random() % most));
      if (random() % silence == 0) pe.publish();
      if (executed > 0 && random() % laziness) continue;
      switch (gvt_->due(self)) {
        case gvt::Duty::none:
          break;
        case gvt::Duty::adopt:
          gvt_->adopted(self);
          if (gvt_->round().verdict == gvt::Verdict::go_on) {
            pe.adopt(gvt_->round());
          } else {
            pe.publish();
            pe.settle(gvt_->round());
            is_over[self] = 1;
            ++over;
          }
          break;
        case gvt::Duty::cut:
          pe.begin_cut();
          gvt_->cut(self);
          break;
        case gvt::Duty::report:
          gvt_->ready(self, pe.summary());
          break;
      }
    }
    find_halt();
    return gvt_manager_.rounds();
  }

  Pe& pe(std::size_t i) { return *pes_[i]; }
  mem::Budget& budget() { return budget_; }

  /// Lets a PE take in what the others have sent, execute up to `limit` events, and send.
  void step(std::size_t pe, unsigned limit = 1000) {
    pes_[pe]->receive();
    pes_[pe]->execute(limit);
    pes_[pe]->publish();
  }

  /// One GVT round of all PEs, with all mail delivered. `before_last`: what happens when all PEs but PE 0
  /// have reported.
  gvt::Round round(const std::function<void()>& before_last = [] {}) {
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      pes_[self]->begin_cut();
      gvt_->cut(self);
    }
    for (std::size_t self = 1; self < pes_.size(); ++self) gvt_->ready(self, pes_[self]->summary());
    before_last();
    gvt_->ready(0, pes_[0]->summary());
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      gvt_->adopted(self);
      if (gvt_->round().verdict == gvt::Verdict::go_on)
        pes_[self]->adopt(gvt_->round());
      else
        pes_[self]->settle(gvt_->round());
    }
    find_halt();
    return gvt_->round();
  }

  /// Steps all PEs in turn until the run is over.
  gvt::Verdict finish() {
    for (int turn = 0; turn < 1000; ++turn) {
      for (std::size_t pe = 0; pe < pes_.size(); ++pe) step(pe);
      if (const auto verdict = round().verdict; verdict != gvt::Verdict::go_on) return verdict;
    }
    return gvt::Verdict::go_on;
  }

  /// What has ended the run.
  const std::optional<HaltAt>& halt() const { return halt_; }
  std::uint64_t digest() const {
    std::uint64_t digest = 0;
    for (LpId id = 0; id < lps_.size(); ++id)
      digest += part_of_run(lps_.identity(id), lps_.cell(id).counters.digest);
    return digest;
  }
  template <class Lp>
  const Lp& lp(LpId id) const {
    return *static_cast<const Lp*>(lps_.state(id));
  }
  const lp::LpStore& lps() const { return lps_; }
  PeReport figures() const {
    PeReport sum;
    for (const auto& pe : pes_) {
      const PeReport f = pe->figures();
      sum.committed += f.committed;
      sum.executed += f.executed;
      sum.rolled_back += f.rolled_back;
      sum.anti_messages += f.anti_messages;
      sum.sent += f.sent;
      sum.sent_remote += f.sent_remote;
      sum.lazy_hits += f.lazy_hits;
    }
    return sum;
  }

 private:
  void find_halt() {
    for (const auto& pe : pes_)
      if (gvt_manager_.halt() && pe->ending()) halt_ = pe->ending();
  }

  Config config_;
  lp::LpStore lps_;
  observe::RunControl control_;
  mem::Budget budget_;
  std::vector<topo::WorkerClock> clocks_;
  sched::FixedMapping mapping_;
  sched::AllWorkers active_;
  sched::ScheduledWorkers workers_{mapping_, active_};
  gvt::GvtManager gvt_manager_;
  std::unique_ptr<gvt::Gvt> gvt_;
  std::unique_ptr<fabric::Fabric> fabric_;
  std::vector<std::unique_ptr<Pe>> pes_;
  std::optional<HaltAt> halt_;
};

/// PEs with LPs of one type, which write the values they get down and follow a script that they share.
template <class Lp>
class ScriptBench : public PeBench {
 public:
  ScriptBench(std::vector<PeId> owners, const typename Lp::Shared& script,
              Cancellation cancellation = Cancellation::aggressive)
      : ScriptBench(owners, script, config(owners, cancellation)) {}
  ScriptBench(const std::vector<PeId>& owners, const typename Lp::Shared& script, const Config& config)
      : PeBench({{&anachron::detail::lp_ops<Lp>(), 0, static_cast<std::uint32_t>(owners.size()), nullptr,
                  &script}},
                owners, config) {}
  const std::vector<int>& values(LpId id) const { return lp<Lp>(id).values; }

 private:
  static Config config(const std::vector<PeId>& owners, Cancellation cancellation) {
    Config config = optimistic(*std::max_element(owners.begin(), owners.end()) + 1u);
    config.cancellation = cancellation;
    return config;
  }
};

}  // namespace anachron::pe
