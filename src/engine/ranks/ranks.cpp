#include "engine/ranks/ranks.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

#include "engine/ranks/archived.hpp"
#include "engine/ranks/introduction.hpp"
#include "engine/ranks/outcome_of_ranks.hpp"
#include "partition/layout.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

using transport::Bytes;

bool wants_thread(const Config& config, const transport::Transport& transport) {
  if (config.comm != Comm::automatic) return config.comm == Comm::thread;
  const unsigned share = std::max(topo::usable_processors() / std::max(transport.ranks_here(), 1u), 1u);
  return *config.workers > 1 && *config.workers < share;
}

fabric::AggregatorOptions aggregator_options(const Config& config, unsigned ranks) {
  constexpr std::uint64_t kLeast = 64 << 10, kMost = 1 << 20;
  const std::uint64_t share = config.memory.value_or(std::numeric_limits<std::int64_t>::max()) / 16 / ranks;
  return {.window = std::clamp(share, kLeast, kMost),
          .consolidates = config.consolidation == Consolidation::on,
          .polling_period = config.polling_period.value_or(0)};
}

}  // namespace

Ranks::Ranks(const Config& config, std::span<const event::LpTypeEntry> types)
    : config_(config),
      use_(*config.cluster),
      dispatcher_(config.cluster->dispatcher()),
      exchange_(config.cluster->exchange()),
      types_(types),
      introduced_(introduce(config, types, types_.events)),
      layout_(introduced_.layout),
      aggregator_(dispatcher_, layout_, aggregator_options(config, layout_.ranks()), introduced_.run),
      has_thread_(wants_thread(config, dispatcher_.transport())) {}

partition::Dealt Ranks::share_out(const std::vector<event::LpTypeEntry>& types) {
  const partition::Layout layout{{layout_.pes_of_rank().begin(), layout_.pes_of_rank().end()}};
  // METIS may be another one on another machine, and the file may be on one machine only.
  const bool is_alike = config_.partition != Partition::metis && config_.partition != Partition::automatic &&
                        config_.partition_file.empty();
  if (is_alike) {
    partition::Dealt alike = partition::deal(config_, types, layout);
    compare_owners(exchange_, alike.owners, alike.by);
    return alike;
  }
  struct Shared {
    std::string error;
    transport::Bytes owners;
    Partition by;
  } shared{{}, {}, config_.partition};
  if (layout_.rank() == 0) try {
      const partition::Dealt dealt = partition::deal(config_, types, layout);
      ByteWriter out(shared.owners);
      dealt.owners.encode(out);
      shared.by = dealt.by;
    } catch (const InputError& e) {
      shared.error = e.what();
    }
  shared = unarchived<Shared>(exchange_.broadcast(archived(shared)));
  if (!shared.error.empty()) throw InputError(shared.error);
  ByteReader in(shared.owners);
  return {Owners::decode(in), shared.by};
}

std::unique_ptr<fabric::Fabric> Ranks::make_fabric(std::unique_ptr<fabric::Fabric> within,
                                                   const Owners& owners) {
  return std::make_unique<fabric::RankFabric>(std::move(within), aggregator_, layout_, types_, owners);
}

gvt::RankRounds& Ranks::make_rounds(gvt::GvtManager& manager) {
  return rounds_.emplace(
      dispatcher_,
      gvt::RankRounds::Outside{
          .in_transit = [this](unsigned colour) { return aggregator_.in_transit(colour); },
          .report = [&manager](std::span<const gvt::Summary> summaries) { return manager.report(summaries); },
          .conclude =
              [this, &manager](const gvt::RankReport& all) {
                const gvt::Round round = manager.conclude(all);
                aggregator_.note_memory(round.memory.is_tight);
                return round;
              },
          .take_note =
              [this, &manager](const gvt::Round& round, const gvt::RankReport& own) {
                manager.take_note(round, own);
                aggregator_.note_memory(round.memory.is_tight);
              }});
}

void Ranks::make_output(observe::OrderedOutput& output, const observe::Tracer* tracer,
                        std::vector<const ModelFile*> files, mem::Budget& budget) {
  output_.emplace(observe::RankOutput::Parts{.dispatcher = dispatcher_,
                                             .exchange = exchange_,
                                             .types = types_.events,
                                             .output = output,
                                             .tracer = tracer,
                                             .files = std::move(files),
                                             .budget = budget});
}

bool Ranks::have_cores() const {
  const unsigned threads = *config_.workers + has_thread_;
  return threads * dispatcher_.transport().ranks_here() <= std::thread::hardware_concurrency();
}

void Ranks::serve(bool waits) {
  if (is_served_.load(std::memory_order_relaxed) || is_served_.exchange(true, std::memory_order_acquire))
    return;
  const struct Done {
    std::atomic<bool>& flag;
    ~Done() { flag.store(false, std::memory_order_release); }
  } done{is_served_};
  aggregator_.note_round(rounds_->is_under_way());
  aggregator_.serve(waits);
  rounds_->serve();
  if (output_) output_->serve();
}

/// After a round of service in which there was nothing to do it looks for what has arrived, whatever the
/// polling period. Each round that it lets pass takes as long as all threads do that want its core.
void Ranks::serve_until(const std::stop_token& stop) {
  Backoff backoff(have_cores() ? Backoff::kManySpins : Backoff::kFewSpins);
  for (bool any = true; !stop.stop_requested();) {
    aggregator_.note_round(rounds_->is_under_way());
    any = aggregator_.serve(!any);
    any |= rounds_->serve();
    if (output_) any |= output_->serve();
    any ? backoff.reset() : backoff.wait();
  }
}

void Ranks::quiesce() {
  do {
    aggregator_.serve(true);
    for (Backoff backoff; !aggregator_.is_flushed(); backoff.wait()) aggregator_.serve(true);
  } while (exchange_.sum(aggregator_.in_transit()) != 0);
}

std::optional<Fault> Ranks::located(std::optional<Fault> fault) const {
  if (fault) fault->where = fmt::format("rank {} on {}", layout_.rank(), topo::host_name());
  return fault;
}

std::string Ranks::waits_for() const {
  std::string out;
  const gvt::RankRounds::Awaited awaited = rounds_->awaited();
  const auto below = gvt::RankRounds::below(layout_.rank(), dispatcher_.ranks());
  for (std::size_t i = 0; i < below.size(); ++i)
    if (awaited.ranks[i])
      out += fmt::format("{}rank {} on {}", out.empty() ? "" : ", ", below[i], introduced_.hosts_below[i]);
  return out;
}

Ranks::Start Ranks::agree(const Start& own, LpId halted) {
  struct Told {
    Start start;
    LpId halted = 0;
  };
  Start located_start = own;
  located_start.fault = located(own.fault);
  Start all;
  LpId first = 0;
  for (const Bytes& rank : exchange_.gather_for_all(archived(Told{located_start, halted}))) {
    auto [start, lp] = unarchived<Told>(rank);
    all.is_set_up &= start.is_set_up;
    if (!start.has_halt || (all.has_halt && first < lp)) continue;
    all.has_halt = true;
    first = lp;
    all.fault = std::move(start.fault);
  }
  return all;
}

Stretch Ranks::agree(const Stretch& own) {
  Stretch all = own;
  all.fault = located(own.fault);
  const Bytes told = archived(all);
  all.committed = 0;
  for (const Bytes& rank : exchange_.gather_for_all(told)) {
    auto stretch = unarchived<Stretch>(rank);
    if (all.ending == Ending::finished) all.ending = stretch.ending;
    all.last = std::max(all.last, stretch.last);
    all.committed += stretch.committed;
    if (stretch.fault) all.fault = std::move(stretch.fault);
  }
  return all;
}

observe::LpTally Ranks::sum_of(const observe::LpTally& tally) { return tally.of_all_ranks(exchange_); }

void Ranks::put_together(Outcome& outcome) {
  const OwnOutcome own{
      .rank = {.host = {}, .workers = *config_.workers, .pes = *config_.pes, .comm_thread = has_thread_},
      .aggregator = aggregator_.figures()};
  engine::put_together(outcome, own, exchange_);
  outcome.transport = dispatcher_.transport().description();
  outcome.gvt_counts = rounds_->counts();
}

}  // namespace anachron::engine
