#include "exec/send_rules.hpp"

#include <fmt/format.h>

#include <anachron/event/broadcast.hpp>

#include "sync/conservative.hpp"

namespace anachron::exec {
namespace {

/// The first LP other than the sender that an event or the carrier of a broadcast is for; the sender if there
/// is none.
LpId first_other(const event::EventHeader& sent, LpId sender) {
  if (!sent.ops->carries) return sent.receiver;
  const event::Recipients& to = event::carrier_of(sent).to;
  return to[0] == sender && to.count > 1 ? to[1] : to[0];
}

}  // namespace

std::optional<std::string> SendRules::too_early(const event::EventHeader& e, const lp::LpRef& lp,
                                                const event::EventHeader* sent) const {
  const Time lookahead = lookaheads_[lp.type];
  const Time earliest = e.time + lookahead;
  const event::EventHeader* early = nullptr;
  for (; sent; sent = sent->next)
    if (sent->time < earliest && first_other(*sent, e.receiver) != e.receiver)
      early = sent;  // the one sent first counts
  if (!early) [[likely]]
    return std::nullopt;
  return fmt::format(
      "sends event {} to {} with delay {}, which is below the lookahead {} of LP type {} (--sync "
      "conservative)",
      early->ops->event_name, lps_.name(first_other(*early, e.receiver)), early->time - e.time, lookahead,
      lp.ops.name);
}

std::optional<std::string> SendRules::undeclared_stop(LpId lp) const {
  const event::LpTypeEntry& type = lps_.type_of(lp);
  if (sync::may_stop(type)) return std::nullopt;
  return fmt::format(
      "stops the run, which other LPs may have passed: --sync conservative needs a `static bool "
      "may_stop(const Params&)` in LP type {} that returns true",
      type.ops->name);
}

}  // namespace anachron::exec
