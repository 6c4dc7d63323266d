#include "engine/ranks/same_calls.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>
#include <anachron/base/parse.hpp>

#include "engine/ranks/archived.hpp"

namespace anachron::engine {

using transport::Bytes;

void SameCalls::note(const Scheduled& call) {
  noted_.push_back(call);
  if (noted_.size() >= kMostNoted) meet("schedule(..)");
}

void SameCalls::meet(const std::string& call) {
  const std::vector<Bytes> all = exchange_.gather_for_all(archived(std::pair(hash(), call)));
  const bool same = std::all_of(all.begin(), all.end(), [&](const Bytes& rank) { return rank == all[0]; });
  if (!same) throw_difference(call);
  noted_.clear();
}

std::uint64_t SameCalls::hash() const {
  std::uint64_t hash = noted_.size();
  const auto add = [&hash](std::uint64_t word) { hash = fold_multiply(hash ^ word, 0x9e3779b97f4a7c15ull); };
  for (const Scheduled& call : noted_) {
    add(hash_text(call.event->event_name));
    add(call.type << 32 | call.index);
    add(std::bit_cast<std::uint64_t>(call.time + 0.0));  // no -0.0
    add(static_cast<std::uint64_t>(call.among.priority) << 1 | std::uint64_t{call.among.in_order});
  }
  return hash;
}

std::string SameCalls::text(const Scheduled& call) const {
  std::string order;
  if (call.among.priority != 0) order += fmt::format(", priority {}", call.among.priority);
  if (call.among.in_order) order += ", in order";
  return fmt::format("schedule({} {}, {}, {}{})", types_[call.type].name(), call.index,
                     format_real(call.time), call.event->event_name, order);
}

/// Each rank compares all with rank 0, so all find the same difference.
void SameCalls::throw_difference(const std::string& call) {
  std::vector<std::string> own;
  for (const Scheduled& scheduled : noted_) own.push_back(text(scheduled));
  own.push_back(call);
  const std::vector<Bytes> all = exchange_.gather_for_all(archived(own));
  const auto first = unarchived<std::vector<std::string>>(all.front());
  struct {
    std::size_t at = std::numeric_limits<std::size_t>::max(), rank = 0;
    std::string here, there;
  } found;
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const auto other = unarchived<std::vector<std::string>>(all[rank]);
    const auto [here, there] = std::mismatch(first.begin(), first.end(), other.begin(), other.end());
    const auto at = static_cast<std::size_t>(here - first.begin());
    if (all[rank] == all.front() || at >= found.at) continue;
    found = {at, rank, here != first.end() ? *here : "nothing", there != other.end() ? *there : "nothing"};
  }
  throw InputError(fmt::format("ranks 0 and {} make different calls of the session: {} and {}", found.rank,
                               found.here, found.there));
}

}  // namespace anachron::engine
