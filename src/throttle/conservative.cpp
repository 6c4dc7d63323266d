#include "throttle/conservative.hpp"

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::throttle {
namespace {

Time lookahead_of(const event::LpTypeEntry& type, const Config& config) {
  if (config.lookahead) return *config.lookahead;  // checked by `resolve`
  const event::LpOps& ops = *type.ops;
  if (!ops.lookahead)
    throw InputError(fmt::format(
        "--sync conservative: LP type {} declares no lookahead: give it a `static double lookahead(const "
        "Params&)`, the least delay of what its LPs send to others, or the run one with --run-lookahead",
        type.name()));
  const Time lookahead = ops.lookahead(type.params, type.shared);
  if (!(lookahead > 0))
    throw InputError(fmt::format(
        "--sync conservative: the lookahead of LP type {} is {}: expected a time above 0, the least delay of "
        "what its LPs send to others",
        type.name(), format_real(lookahead)));
  return lookahead;
}

}  // namespace

std::vector<Time> lookaheads(std::span<const event::LpTypeEntry> types, const Config& config) {
  std::vector<Time> all;
  for (const auto& type : types) all.push_back(lookahead_of(type, config));
  return all;
}

std::vector<Time> lookaheads_for_windows(std::span<const event::LpTypeEntry> types) {
  std::vector<Time> all;
  for (const event::LpTypeEntry& type : types) {
    const event::LpOps& ops = *type.ops;
    if (!ops.lookahead || !ops.may_stop || ops.may_stop(type.params)) return {};
    all.push_back(ops.lookahead(type.params, type.shared));
    if (!(all.back() > 0)) return {};
  }
  return all;
}

}  // namespace anachron::throttle
