// Ranks in one process as one fabric: each with some of the PEs, and somebody who serves their posts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"
#include "comm/fabric/ranks/message_aggregator.hpp"
#include "comm/fabric/ranks/rank_fabric.hpp"
#include "comm/fabric/ranks/rank_layout.hpp"
#include "comm/fabric/ranks/wire.hpp"
#include "comm/fabric/spsc_mesh.hpp"
#include "comm/transport/dispatcher.hpp"
#include "comm/transport/local/local_cluster.hpp"

namespace anachron::test {

/// Whoever drains serves all posts first, so that what was handed over is visible as in one address space.
class ServedRanks final : public fabric::Fabric {
 public:
  ServedRanks(std::size_t pes, std::span<const event::LpTypeEntry> types, Owners owners,
              std::size_t pes_per_rank)
      : types_(types), owners_(std::move(owners)), cluster_(count(pes, pes_per_rank), {.most_bytes = 1024}) {
    std::vector<unsigned> pes_of_rank;
    for (std::size_t first = 0; first < pes; first += pes_per_rank)
      pes_of_rank.push_back(static_cast<unsigned>(std::min(pes - first, pes_per_rank)));
    for (unsigned rank = 0; rank < pes_of_rank.size(); ++rank) {
      ranks_.push_back(std::make_unique<Rank>(cluster_.transport(rank), pes_of_rank, types_, owners_));
      for (unsigned n = 0; n < pes_of_rank[rank]; ++n)
        ends_.push_back(
            std::make_unique<End>(*this, ranks_[rank]->fabric.port(static_cast<PeId>(ends_.size()))));
    }
  }
  fabric::Port& port(PeId pe) override { return *ends_[pe]; }

 private:
  struct Rank {
    Rank(transport::Transport& transport, const std::vector<unsigned>& pes_of_rank,
         const fabric::WireTypes& types, const Owners& owners)
        : dispatcher(transport),
          layout(transport.rank(), pes_of_rank),
          aggregator(dispatcher, layout, {.window = std::uint64_t{1} << 30}),
          fabric(std::make_unique<fabric::SpscMesh>(layout.own()), aggregator, layout, types, owners) {}
    transport::Dispatcher dispatcher;
    fabric::RankLayout layout;
    fabric::MessageAggregator aggregator;
    fabric::RankFabric fabric;
  };

  class End final : public fabric::Port {
   public:
    End(ServedRanks& ranks, fabric::Port& inner) : ranks_(ranks), inner_(inner) {}
    std::size_t hand_over(PeId to, std::span<const fabric::Message> messages) override {
      return inner_.hand_over(to, messages);
    }
    std::uint64_t drain(fabric::Sink& sink) override {
      ranks_.serve();
      return inner_.drain(sink);
    }
    PeRange near() const override { return inner_.near(); }
    void promise(PeId to, std::uint64_t count) override { inner_.promise(to, count); }
    bool wants_to_forget() const override { return inner_.wants_to_forget(); }
    void forget(const event::EventHeader& e) override { inner_.forget(e); }
    void cut() override { inner_.cut(); }
    std::uint64_t bytes() const override { return inner_.bytes(); }
    void trim() override { inner_.trim(); }

   private:
    ServedRanks& ranks_;
    fabric::Port& inner_;
  };

  static unsigned count(std::size_t pes, std::size_t pes_per_rank) {
    return static_cast<unsigned>((pes + pes_per_rank - 1) / pes_per_rank);
  }
  /// Until nothing is on its way.
  void serve() {
    const std::scoped_lock lock(mutex_);
    for (bool any = true; any;) {
      any = false;
      for (auto& rank : ranks_) any |= rank->aggregator.serve(true);
    }
  }

  const fabric::WireTypes types_;
  const Owners owners_;
  transport::LocalCluster cluster_;
  std::mutex mutex_;  // of whoever serves
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::test
