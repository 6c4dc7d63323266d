// A run over several ranks, as one of them sees it. It knows the other ranks, what goes to them and comes
// from there, and what all of them agree on before the run and after it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>

#include "base/owners.hpp"
#include "comm/fabric/ranks/message_aggregator.hpp"
#include "comm/fabric/ranks/rank_fabric.hpp"
#include "comm/fabric/ranks/rank_layout.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/engine.hpp"
#include "engine/ranks/introduction.hpp"
#include "gvt/gvt_manager.hpp"
#include "gvt/rounds/rank_rounds.hpp"
#include "observe/output/rank_output.hpp"
#include "observe/run_control.hpp"
#include "observe/tallies/lp_tally.hpp"
#include "partition/partition.hpp"

namespace anachron::engine {

class Ranks {
 public:
  /// All ranks compare what they are about to run. `config` is resolved, and is over ranks. Throws
  /// InputError on all of them when they differ, or when there are events that cannot be encoded, and
  /// std::logic_error while there is another Ranks over this cluster.
  Ranks(const Config& config, std::span<const event::LpTypeEntry> types);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  const fabric::RankLayout& layout() const { return layout_; }
  /// What events are called that travel.
  const event::TypeTable& event_types() const { return types_.events; }
  /// For what all ranks do together, when no PE runs.
  transport::Exchange& exchange() { return exchange_; }
  /// A thread of its own serves the transport. Without one the workers do, in turns.
  bool has_thread() const { return has_thread_; }

  /// What not all ranks would find alike, rank 0 finds for all. Throws InputError.
  partition::Dealt share_out(const std::vector<event::LpTypeEntry>& types);

  /// This machine has a core for each worker of each rank on it, and for the threads that serve.
  bool have_cores() const;

  /// `within`: of the PEs of this rank. `owners`: of each LP.
  std::unique_ptr<fabric::Fabric> make_fabric(std::unique_ptr<fabric::Fabric> within, const Owners& owners);
  /// GVT rounds of which this manager knows what this rank says, and on rank 0 what follows.
  gvt::RankRounds& make_rounds(gvt::GvtManager& manager);

  /// From now on what is held for messages counts in this budget. Null: in none.
  void count_in(mem::Budget* budget) { aggregator_.count_in(budget); }
  /// From now on rank 0 shows events, unless `tracer` is null, and writes these files. All that is referred
  /// to must outlive the run.
  void make_output(observe::OrderedOutput& output, const observe::Tracer* tracer,
                   std::vector<const ModelFile*> files, mem::Budget& budget);
  /// Null: there is none.
  observe::RankOutput* output() { return output_ ? &*output_ : nullptr; }

  /// Serves the transport once, unless another thread does. `waits`: the caller has nothing else to do. Any
  /// thread.
  void serve(bool waits);
  /// Serves it until the stop. The dedicated thread.
  void serve_until(const std::stop_token& stop);
  /// All that PEs have sent has arrived. Called by all ranks, when no PE runs.
  void quiesce();

  // Found out together: called by all ranks, when no PE runs.

  /// Whether some rank says so.
  bool any(bool own) { return exchange_.sum(own) > 0; }
  /// The smallest halt of `start`, by LP.
  struct Start {
    bool is_set_up = true;  ///< no rank was interrupted
    bool has_halt = false;  ///< the run ends before it begins
    std::optional<Fault> fault;
  };
  Start agree(const Start& own, LpId halted);
  Stretch agree(const Stretch& own);
  /// For which ranks a GVT round waits, with their hosts, as far as this rank knows. Any thread.
  std::string waits_for() const;
  /// It waits for PEs of this rank. Any thread.
  bool waits_for_own() const { return rounds_->awaited().is_for_own; }
  /// The LPs' figures, of all ranks.
  observe::LpTally sum_of(const observe::LpTally& tally);
  /// Of all ranks; each of them gets the same.
  void put_together(Outcome& outcome);

 private:
  /// With what tells where it was: on this rank.
  std::optional<Fault> located(std::optional<Fault> fault) const;

  const Config& config_;
  const transport::Cluster::Use use_;
  transport::Dispatcher& dispatcher_;
  transport::Exchange& exchange_;
  const fabric::WireTypes types_;
  const Introduced introduced_;
  const fabric::RankLayout& layout_;
  fabric::MessageAggregator aggregator_;
  std::optional<gvt::RankRounds> rounds_;
  std::optional<observe::RankOutput> output_;  // where rank 0 is to show or to write something
  const bool has_thread_;
  // The thread that has set it serves (acquire), and clears it (release).
  alignas(kNoSharing) std::atomic<bool> is_served_{false};
};

}  // namespace anachron::engine
