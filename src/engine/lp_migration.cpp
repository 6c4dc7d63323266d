#include "engine/lp_migration.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <anachron/base/hash.hpp>

#include "pe/in_order.hpp"

namespace anachron::engine {

bool may_migrate(const Config& config) {
  if (config.migration == Migration::off || pe::is_over_ranks(config) || pe::runs_in_order(config))
    return false;
  if (*config.pes < 2 || *config.workers < 2) return false;
  // Who has asked for a partition has it.
  return config.migration == Migration::on || (config.partition == Partition::automatic &&
                                               config.partition_file.empty() && config.test_chaos == 0);
}

LpMigration::LpMigration(lp::LpStore& lps, const Config& config)
    : lps_(lps), config_(config), clusters_(lps.types()) {}

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

void LpMigration::look(std::span<const gvt::Summary> of_pes, double wall_s) {
  if (!way_ || phase_ == Phase::never || phase_ == Phase::due) return;
  if (config_.test_chaos > 0) {
    constexpr std::uint64_t kRoundsToChaos = 4;
    if (++rounds_ % kRoundsToChaos == 0) phase_ = Phase::due;
    return;
  }
  if (wall_s < warm_s_) return;
  if (!window_) return begin_window(of_pes, wall_s);
  switch (phase_) {
    case Phase::watching:
      return watch(of_pes, wall_s);
    case Phase::counting:
      if (wall_s - window_->wall_s < kCounting) return;
      phase_ = Phase::due;
      asked_s_ = wall_s;
      return;
    case Phase::judging:
      return judge(of_pes, wall_s);
    default:
      return;
  }
}

void LpMigration::begin_window(std::span<const gvt::Summary> of_pes, double wall_s) {
  window_.emplace(Window{.wall_s = wall_s, .committed = {}});
  for (const gvt::Summary& pe : of_pes) window_->committed.push_back(pe.committed);
}

LpMigration::Load LpMigration::load_since(std::span<const gvt::Summary> of_pes) const {
  Load load;
  for (std::size_t pe = 0; pe < of_pes.size(); ++pe) {
    load.of_pes.push_back(of_pes[pe].committed - std::min(window_->committed[pe], of_pes[pe].committed));
    load.total += load.of_pes.back();
  }
  return load;
}

void LpMigration::watch(std::span<const gvt::Summary> of_pes, double wall_s) {
  const double seconds = wall_s - window_->wall_s;
  if (seconds < kWindow) return;
  const Load load = load_since(of_pes);
  if (load.total < kLeastEvents) return;
  const HotSpot now = hot_spot(load);
  const bool stays = hot_ == now.at;  // one that moves at once would be gone again when LPs have moved
  hot_ = now.gain >= kWorth ? std::optional(now.at) : std::nullopt;
  if (wall_s >= pause_until_s_ && hot_ && stays) {
    before_ = {.way = *way_, .rate = static_cast<double>(load.total) / seconds};
    tally_.begin(lps_.size());
    phase_ = Phase::counting;
  }
  begin_window(of_pes, wall_s);
}

/// A worker has PEs of its own, or takes any.
LpMigration::HotSpot LpMigration::hot_spot(const Load& load) const {
  const bool any_may_take = config_.mapping == Mapping::dynamic || config_.mapping == Mapping::adaptive;
  std::vector<std::uint64_t> of_workers(way_->workers);
  for (std::size_t pe = 0; pe < load.of_pes.size(); ++pe) of_workers[pe % way_->workers] += load.of_pes[pe];
  const auto& most = any_may_take ? load.of_pes : of_workers;
  const auto hottest = std::max_element(most.begin(), most.end());
  return {.at = static_cast<std::size_t>(hottest - most.begin()),
          .gain = static_cast<double>(*hottest) * way_->workers / static_cast<double>(load.total)};
}

void LpMigration::judge(std::span<const gvt::Summary> of_pes, double wall_s) {
  const double seconds = wall_s - window_->wall_s;
  if (seconds < kWindow || *way_ != before_.way) return;
  const Load load = load_since(of_pes);
  if (static_cast<double>(load.total) / seconds >= kBetter * before_.rate) {
    pause_in_vain_s_ = kPauseInVain;
    phase_ = Phase::watching;
    return begin_window(of_pes, wall_s);
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

std::vector<lp::Move> LpMigration::planned() {
  if (std::exchange(takes_back_, false)) {
    ++taken_back_;
    return std::exchange(before_.back, {});
  }
  if (config_.test_chaos > 0) return at_random();
  Load load{.of_pes = partition::loads_of_pes(lps_.owners(), tally_.loads(), *config_.pes)};
  load.total = std::accumulate(load.of_pes.begin(), load.of_pes.end(), std::uint64_t{0});
  const HotSpot now = hot_spot(load);
  if (now.at != hot_ || !(now.gain >= kWorth)) return {};  // no event at all was counted: no number
  return partition::rebalance(lps_.owners(), tally_.loads(), clusters_, *config_.pes);
}

std::vector<lp::Move> LpMigration::at_random() {
  constexpr std::uint64_t kOneIn = 4;
  std::vector<lp::Move> moves;
  for (LpId lp = 0; lp < lps_.size(); ++lp) {
    const std::uint64_t draw = mix64(mix64(config_.test_chaos + rounds_) ^ clusters_.of(lp));
    const auto to = static_cast<PeId>(draw / kOneIn % *config_.pes);
    if (draw % kOneIn == 0 && lps_.owner(lp) != to) moves.push_back({lp, to});
  }
  return moves;
}

void LpMigration::move() {
  if (!lps_.may_move()) {
    phase_ = Phase::never;
    return tally_.end();
  }
  const bool back = takes_back_;
  const std::vector<lp::Move> moves = planned();
  tally_.end();
  phase_ = back || moves.empty() || config_.test_chaos > 0 ? Phase::watching : Phase::judging;
  if (moves.empty()) return pause(asked_s_);
  if (!back) {
    before_.back.clear();
    for (const lp::Move& move : moves) before_.back.push_back({move.lp, lps_.owner(move.lp)});
    ++migrations_;
    moved_ += moves.size();
  }
  lps_.move(moves, config_.lps_per_group);
}

}  // namespace anachron::engine
