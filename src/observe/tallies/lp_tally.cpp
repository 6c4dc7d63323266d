#include "observe/tallies/lp_tally.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <anachron/base/bytes.hpp>

namespace anachron::observe {

std::vector<LpFigures> LpTally::most(std::size_t n, const lp::LpStore& lps) const {
  std::vector<LpId> all(lps_), chosen;
  std::iota(all.begin(), all.end(), LpId{0});
  const auto choose = [&](const auto& figure) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(n);
    std::partial_sort(all.begin(), end, all.end(), [&](LpId a, LpId b) {
      const std::uint64_t of_a = figure(rows_[a]), of_b = figure(rows_[b]);
      return of_a != of_b ? of_a > of_b : a < b;
    });
    std::copy_if(all.begin(), end, std::back_inserter(chosen),
                 [&](LpId lp) { return figure(rows_[lp]) > 0; });
  };
  if (n >= lps_) {
    chosen = std::move(all);
  } else {
    choose([](const Row& row) { return row.committed; });
    choose([](const Row& row) { return row.rollbacks; });
    choose([](const Row& row) { return row.caused.load(std::memory_order_relaxed); });
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }

  std::vector<LpFigures> out;
  out.reserve(chosen.size());
  for (const LpId id : chosen) {
    const event::LpTypeEntry& type = lps.type_of(id);
    const Row& row = rows_[id];
    out.push_back({.type = type.name(),
                   .index = id - type.first,
                   .pe = lps.owner(id),
                   .committed = row.committed,
                   .rolled_back = row.undone,
                   .rollbacks = row.rollbacks,
                   .rollbacks_caused = row.caused.load(std::memory_order_relaxed)});
  }
  return out;
}

LpTally LpTally::of_all_ranks(transport::Exchange& exchange) const {
  transport::Bytes own;
  ByteWriter out(own);
  for (LpId lp = 0; lp < lps_; ++lp) {
    const Row& row = rows_[lp];
    const std::uint64_t caused = row.caused.load(std::memory_order_relaxed);
    if (row.committed + row.undone + row.rollbacks + caused == 0) continue;
    out.number(lp);
    for (const std::uint64_t figure : {row.committed, row.undone, row.rollbacks, caused}) out.number(figure);
  }
  const std::vector<transport::Bytes> ranks = exchange.gather(std::move(own));
  LpTally sum(ranks.empty() ? 0 : lps_);
  for (const transport::Bytes& rank : ranks)
    for (ByteReader in(rank); in.remaining() > 0;) {
      Row& row = sum.rows_[in.number<LpId>()];
      row.committed += in.number<std::uint64_t>();
      row.undone += in.number<std::uint64_t>();
      row.rollbacks += in.number<std::uint64_t>();
      row.caused.fetch_add(in.number<std::uint64_t>(), std::memory_order_relaxed);
    }
  return sum;
}

}  // namespace anachron::observe
