#include "engine/migration/lp_migration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <anachron/base/hash.hpp>

#include "comm/transport/cluster.hpp"
#include "engine/results/state_digest.hpp"
#include "pe/in_order.hpp"

namespace anachron::engine {

namespace {

/// Over ranks: each of them counts for a while what all LPs commit, 4 bytes for each.
constexpr std::uint64_t kMostLps = std::uint64_t{1} << 24;

std::uint64_t lps_of(std::span<const event::LpTypeEntry> types) {
  std::uint64_t lps = 0;
  for (const event::LpTypeEntry& type : types) lps += type.count;
  return lps;
}

}  // namespace

bool may_migrate(const Config& config, std::span<const event::LpTypeEntry> types) {
  if (config.migration == Migration::off) return false;
  if (pe::is_over_ranks(config)) {
    if (config.cluster->ranks() < 2 || lps_of(types) > kMostLps || !why_not_encoded(types).empty())
      return false;
  } else if (pe::runs_in_order(config) || *config.pes < 2 || *config.workers < 2) {
    return false;
  }
  // Who has asked for a partition has it.
  return config.migration == Migration::on || (config.partition == Partition::automatic &&
                                               config.partition_file.empty() && config.test_chaos == 0);
}

LpMigration::LpMigration(lp::LpStore& lps, const Config& config, const fabric::RankLayout* ranks)
    : lps_(lps),
      config_(config),
      ranks_(ranks),
      pes_(ranks ? ranks->pes() : *config.pes),
      clusters_(lps.types()),
      of_ranks_{.of_places = std::vector<std::uint64_t>(ranks ? ranks->ranks() : 0)} {}

void LpMigration::begin_term(std::optional<Way> way, double wall_s) {
  way_ = way;
  window_.reset();
  hot_.reset();
  warm_s_ = wall_s + kSettling;
  if (asked_s_ > 0) {
    const double cost = wall_s - std::exchange(asked_s_, 0) + kSettling;
    pause_until_s_ = std::max(pause_until_s_, wall_s + kPausePerMove * cost);
  }
  if (phase_ == Phase::counting || phase_ == Phase::due) {  // the term has ended before
    phase_ = Phase::watching;
    takes_back_ = false;
    tally_.end();
  }
}

void LpMigration::look(std::span<const gvt::Summary> of_pes, gvt::RankReport& own, double wall_s) {
  if (ranks_) {
    const std::uint64_t before = std::exchange(own_committed_, own.committed);
    own.busiest = {.committed = own.committed - std::min(before, own.committed),
                   .pes = of_pes.size(),
                   .rank = ranks_->rank()};
    return;
  }
  of_pes_.of_places.clear();
  for (const gvt::Summary& pe : of_pes) of_pes_.of_places.push_back(pe.committed);
  of_pes_.total = own.committed;
  look_at(of_pes_, wall_s);
}

void LpMigration::look(const gvt::RankReport& all, double wall_s) {
  if (!ranks_) return;
  if (way_) way_->workers = all.active_workers;
  of_ranks_.of_places[all.busiest.rank] += all.busiest.committed;
  of_ranks_.total = all.committed;
  look_at(of_ranks_, wall_s);
}

void LpMigration::hear(const gvt::Round& round) {
  if (round.counts_loads && phase_ == Phase::watching) {
    tally_.begin(lps_.size());
    phase_ = Phase::counting;
  }
  if (round.verdict == gvt::Verdict::regroup) phase_ = Phase::due;
}

void LpMigration::look_at(const Load& now, double wall_s) {
  if (!way_ || phase_ == Phase::due) return;
  if (config_.test_chaos > 0) {
    constexpr std::uint64_t kRoundsToChaos = 4;
    if (++rounds_ % kRoundsToChaos == 0) phase_ = Phase::due;
    return;
  }
  if (wall_s < warm_s_) return;
  if (!window_) {
    window_.emplace(Window{wall_s, now});
    return;
  }
  switch (phase_) {
    case Phase::watching:
      return watch(now, wall_s);
    case Phase::counting:
      if (wall_s - window_->wall_s < kCounting) return;
      phase_ = Phase::due;
      asked_s_ = wall_s;
      return;
    case Phase::judging:
      return judge(now, wall_s);
    default:
      return;
  }
}

LpMigration::Load LpMigration::load_since(const Load& now) const {
  Load load{.total = now.total - std::min(window_->before.total, now.total)};
  for (std::size_t place = 0; place < now.of_places.size(); ++place)
    load.of_places.push_back(now.of_places[place] -
                             std::min(window_->before.of_places[place], now.of_places[place]));
  return load;
}

void LpMigration::watch(const Load& so_far, double wall_s) {
  const double seconds = wall_s - window_->wall_s;
  if (seconds < kWindow) return;
  const Load load = load_since(so_far);
  if (load.total < kLeastEvents) return;
  const HotSpot now = hot_spot(load);
  const bool stays = hot_ == now.at;  // one that moves at once would be gone again when LPs have moved
  hot_ = now.gain >= kWorth ? std::optional(now.at) : std::nullopt;
  if (wall_s >= pause_until_s_ && hot_ && stays) {
    before_ = {.way = *way_, .rate = static_cast<double>(load.total) / seconds};
    tally_.begin(lps_.size());
    phase_ = Phase::counting;
  }
  window_.emplace(Window{wall_s, so_far});
}

/// A worker has PEs of its own, or takes any.
LpMigration::HotSpot LpMigration::hot_spot(const Load& load) const {
  if (ranks_) return hot_rank(load);
  const bool any_may_take = config_.mapping == Mapping::dynamic || config_.mapping == Mapping::adaptive;
  std::vector<std::uint64_t> of_workers(way_->workers);
  for (std::size_t pe = 0; pe < load.of_places.size(); ++pe)
    of_workers[pe % way_->workers] += load.of_places[pe];
  const auto& most = any_may_take ? load.of_places : of_workers;
  const auto hottest = std::max_element(most.begin(), most.end());
  return {.at = static_cast<std::size_t>(hottest - most.begin()),
          .gain = static_cast<double>(*hottest) * way_->workers / static_cast<double>(load.total)};
}

/// A rank has the more workers the more PEs it has.
LpMigration::HotSpot LpMigration::hot_rank(const Load& load) const {
  HotSpot hot{.at = 0, .gain = 0};
  for (unsigned rank = 0; rank < ranks_->ranks(); ++rank) {
    const double even = static_cast<double>(load.total) * static_cast<double>(ranks_->range(rank).count) /
                        static_cast<double>(pes_);
    const double gain = static_cast<double>(load.of_places[rank]) / even;
    if (gain > hot.gain) hot = {.at = rank, .gain = gain};
  }
  return hot;
}

void LpMigration::judge(const Load& now, double wall_s) {
  const double seconds = wall_s - window_->wall_s;
  if (seconds < kWindow || *way_ != before_.way) return;
  const Load load = load_since(now);
  const double gain = static_cast<double>(load.total) / seconds / before_.rate;
  if (gain >= kBetter) {
    ++kept_.moves;
    kept_.log_gains += std::log(gain);
    pause_in_vain_s_ = kPauseInVain;
    phase_ = Phase::watching;
    window_.emplace(Window{wall_s, now});
    return;
  }
  takes_back_ = true;
  phase_ = Phase::due;
  asked_s_ = wall_s;
  pause(wall_s);
}

/// That was in vain.
void LpMigration::pause(double wall_s) {
  pause_until_s_ = wall_s + pause_in_vain_s_;
  pause_in_vain_s_ = std::min(2 * pause_in_vain_s_, kLongestPause);
}

LpMigration::Load LpMigration::load_of(std::span<const std::uint32_t> lps) const {
  Load load{.of_places = partition::loads_of_pes(lps_.owners(), lps, pes_)};
  load.total = std::accumulate(load.of_places.begin(), load.of_places.end(), std::uint64_t{0});
  if (!ranks_) return load;
  std::vector<std::uint64_t> of_ranks(ranks_->ranks());
  for (PeId pe = 0; pe < pes_; ++pe) of_ranks[ranks_->rank_of(pe)] += load.of_places[pe];
  load.of_places = std::move(of_ranks);
  return load;
}

std::vector<lp::Move> LpMigration::planned(std::span<const std::uint32_t> loads) {
  if (config_.test_chaos > 0) return at_random();
  const HotSpot now = hot_spot(load_of(loads));
  if (now.at != hot_ || !(now.gain >= kWorth)) return {};  // no event at all was counted: no number
  return partition::rebalance(lps_.owners(), loads, clusters_, pes_);
}

std::vector<lp::Move> LpMigration::at_random() {
  constexpr std::uint64_t kOneIn = 4;
  std::vector<lp::Move> moves;
  for (LpId lp = 0; lp < lps_.size(); ++lp) {
    const std::uint64_t draw = mix64(mix64(config_.test_chaos + rounds_) ^ clusters_.of(lp));
    const auto to = static_cast<PeId>(draw / kOneIn % pes_);
    if (draw % kOneIn == 0 && lps_.owner(lp) != to) moves.push_back({lp, to});
  }
  return moves;
}

LpMigration::Plan LpMigration::plan(std::span<const std::uint32_t> loads) {
  if (std::exchange(takes_back_, false)) return {.moves = std::exchange(before_.back, {}), .is_back = true};
  return {.moves = planned(loads)};
}

void LpMigration::take(const Plan& plan) {
  tally_.end();
  takes_back_ = false;  // also where there was no room to
  const bool judges = (!ranks_ || ranks_->rank() == 0) && config_.test_chaos == 0;
  phase_ = plan.is_back || plan.moves.empty() || !judges ? Phase::watching : Phase::judging;
  taken_back_ += plan.is_back;
  if (plan.moves.empty()) return pause(asked_s_);
  if (plan.is_back) return;
  before_.back.clear();
  for (const lp::Move& move : plan.moves) before_.back.push_back({move.lp, lps_.owner(move.lp)});
  ++migrations_;
  moved_ += plan.moves.size();
}

void LpMigration::report(RunFigures& to) const {
  to.migrations = migrations_;
  to.migrated_lps = moved_;
  to.migrations_taken_back = taken_back_;
  if (kept_.moves > 0) to.migration_gain = std::exp(kept_.log_gains / static_cast<double>(kept_.moves));
}

}  // namespace anachron::engine
