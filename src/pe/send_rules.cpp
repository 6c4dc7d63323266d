#include "pe/send_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/event/broadcast.hpp>

#include "throttle/conservative.hpp"

namespace anachron::pe {

SendRules::SendRules(const lp::LpStore& lps, const Config& config, bool may_change_workers)
    : lps_(lps), sync_(to_string(config.sync.value_or(Sync::automatic))) {
  const bool is_asked_for = config.sync == Sync::conservative;
  if (is_asked_for)
    lookaheads_ = throttle::lookaheads(lps.types(), config);
  else if (config.sync == Sync::automatic && may_change_workers && !config.check_rollback &&
           config.history == History::automatic && config.throttle == Throttle::balanced)
    lookaheads_ = throttle::lookaheads_for_windows(lps.types());
  if (!exist()) return;
  clusters_.emplace(lps.types());
  const auto apart = parted();
  if (!apart) return;
  if (is_asked_for)
    throw InputError(fmt::format(
        "--partition: {} and {} are on different processing elements, but of one cluster, whose LPs "
        "--sync conservative cannot part",
        lps_.name(apart->first), lps_.name(apart->second)));
  lookaheads_.clear();
}

/// Two LPs of one cluster with different owners, if there are any: only a file can have dealt them so.
std::optional<std::pair<LpId, LpId>> SendRules::parted() const {
  if (!clusters_->exist()) return std::nullopt;
  std::vector<LpId> first_of;
  for (LpId lp = 0; lp < lps_.size(); ++lp) {
    const std::uint32_t cluster = clusters_->of(lp);
    if (cluster == first_of.size()) first_of.push_back(lp);
    const LpId first = first_of[cluster];
    if (lps_.owner(first) != lps_.owner(lp)) return std::pair(first, lp);
  }
  return std::nullopt;
}

std::optional<Time> SendRules::smallest_lookahead() const {
  if (!exist()) return std::nullopt;
  return *std::min_element(lookaheads_.begin(), lookaheads_.end());
}

/// The first LP outside the sender's cluster that an event or the multicast of a broadcast is for, if any.
std::optional<LpId> SendRules::first_outside(const event::EventHeader& sent, LpId sender) const {
  const std::uint32_t cluster = clusters_->of(sender);
  if (!sent.ops->expands_into) {
    if (clusters_->of(sent.receiver) == cluster) return std::nullopt;
    return sent.receiver;
  }
  const event::Recipients& to = event::multicast_header(sent).to;
  for (std::uint32_t k = 0; k < to.count; ++k)
    if (clusters_->of(to[k]) != cluster) return to[k];
  return std::nullopt;
}

std::optional<std::string> SendRules::too_early(const event::EventHeader& e, const lp::LpRef& lp,
                                                const event::EventHeader* sent) const {
  const Time lookahead = lookaheads_[lp.type];
  const Time earliest = e.time + lookahead;
  const event::EventHeader* early = nullptr;
  for (; sent; sent = sent->next)
    if (sent->time < earliest && first_outside(*sent, e.receiver)) early = sent;  // the one sent first counts
  if (!early) [[likely]]
    return std::nullopt;
  return fmt::format(
      "sends event {} to {} with delay {}, which is below the lookahead {} of LP type {} (--sync {})",
      early->ops->event_name, lps_.name(*first_outside(*early, e.receiver)), early->time - e.time, lookahead,
      lps_.type_of(e.receiver).name(), sync_);
}

std::optional<std::string> SendRules::undeclared_stop(LpId lp) const {
  const event::LpTypeEntry& type = lps_.type_of(lp);
  if (throttle::may_stop(type)) return std::nullopt;
  return fmt::format(
      "stops the run, which other LPs may have passed: --sync {} needs a `static bool "
      "may_stop(const Params&)` in LP type {} that returns true",
      sync_, type.name());
}

}  // namespace anachron::pe
