// PEs without workers, stepped by hand in one thread: any interleaving of what they do can be had at will.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/model/carrier_ops.hpp>
#include <anachron/model/lp_ops.hpp>

#include "exec/judge.hpp"
#include "exec/pe.hpp"
#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
#include "queue/dary_heap.hpp"
#include "sync/gvt.hpp"

namespace anachron::exec {

class PeBench {
 public:
  using OnePe = Pe<queue::BinaryHeap>;

  /// Optimistic, without a throttle, all the rest as by default.
  static Config optimistic(unsigned pes) {
    Config config;
    config.sync = Sync::optimistic;
    config.workers = config.pes = pes;
    config.throttle = Throttle::none;
    return config;
  }

  PeBench(std::vector<event::LpTypeEntry> types, std::vector<PeId> owners, const Config& config)
      : config_(config),
        lps_(std::move(types), std::move(owners)),
        budget_(config.memory.value_or(std::uint64_t{1} << 40), *config.pes, mem::Budget::Reserve::some),
        judge_(config_, control_, budget_),
        gvt_(config.gvt, *config.pes, [this](auto summaries) { return judge_.conclude(summaries); }) {
    const std::size_t n = *config.pes;
    for (std::size_t i = 0; i < n * n; ++i) channels_.push_back(std::make_unique<Channel>());
    std::vector<mem::EventPool*> pools;
    for (std::size_t self = 0; self < n; ++self) {
      std::vector<Channel*> out, in;
      for (std::size_t other = 0; other < n; ++other) {
        out.push_back(channels_[self * n + other].get());
        if (other != self) in.push_back(channels_[other * n + self].get());
      }
      pes_.push_back(std::make_unique<OnePe>(static_cast<PeId>(self), config_, lps_, Router(std::move(out)),
                                             Inbox(std::move(in)), true, budget_));
      pools.push_back(&pes_.back()->pool());
    }
    for (auto& pe : pes_) pe->pool().connect(pools);
  }
  ~PeBench() {
    for (auto& pe : pes_) pe->discard();
  }

  /// Starts all LPs; a first GVT round lets the PEs execute whatever comes first.
  void begin() {
    for (auto& pe : pes_) {
      pe->start();
      pe->publish();
    }
    round();
  }

  OnePe& pe(std::size_t i) { return *pes_[i]; }

  /// Lets a PE take in what the others have sent, execute up to `limit` events, and send.
  void step(std::size_t pe, unsigned limit = 1000) {
    pes_[pe]->receive();
    pes_[pe]->execute(limit);
    pes_[pe]->publish();
  }

  /// One GVT round of all PEs, with all mail delivered.
  sync::Round round() {
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      pes_[self]->begin_cut();
      gvt_.cut(self);
    }
    for (std::size_t self = 0; self < pes_.size(); ++self) gvt_.report(self, pes_[self]->summary());
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      gvt_.adopted(self);
      if (gvt_.round().verdict == sync::Verdict::go_on)
        pes_[self]->adopt(gvt_.round());
      else
        pes_[self]->settle(gvt_.round());
    }
    return gvt_.round();
  }

  /// Steps all PEs in turn until the run is over.
  sync::Verdict finish() {
    for (int turn = 0; turn < 1000; ++turn) {
      for (std::size_t pe = 0; pe < pes_.size(); ++pe) step(pe);
      if (const auto verdict = round().verdict; verdict != sync::Verdict::go_on) return verdict;
    }
    return sync::Verdict::go_on;
  }

  const std::optional<sync::HaltAt>& halt() const { return judge_.halt(); }
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
  Config config_;
  lp::LpStore lps_;
  RunControl control_;
  mem::Budget budget_;
  Judge judge_;
  sync::Gvt gvt_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::unique_ptr<OnePe>> pes_;
};

}  // namespace anachron::exec
