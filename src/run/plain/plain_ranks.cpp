#include "run/plain/plain_ranks.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <anachron/base/bytes.hpp>
#include <anachron/model/region/region.hpp>
#include <anachron/run/simulation.hpp>

#include "comm/transport/cluster.hpp"
#include "run/plain/plain_rows.hpp"
#include "run/rank.hpp"

namespace anachron::plain {
namespace {

void write_states(ByteWriter& out, const Setup& setup, std::uint32_t type, const FinishedRun& finished) {
  std::vector<std::uint32_t> here;
  for (std::uint32_t i = 0; i < setup.types()[type].count; ++i)
    if (detail::has_final_state(finished, type, i)) here.push_back(i);
  out.length(here.size());
  for (const std::uint32_t i : here) {
    out.number(i);
    const void* const state = detail::final_state(&finished, type, i);
    out.bytes(state, setup.model().state_bytes(type));
    if (!setup.model().has_region(type)) continue;
    const std::span<const std::byte> region = region::Region::of(state).bytes();
    out.length(region.size());
    out.bytes(region.data(), region.size());
  }
}

void read_states(ByteReader& in, std::size_t bytes, StatesOfType& into) {
  for (std::size_t n = in.length_of(sizeof(std::uint32_t) + bytes); n > 0; --n) {
    const std::size_t number = in.number<std::uint32_t>(), at = number * bytes;
    if (at + bytes > into.states.size())
      throw InputError("a rank has told the state of an LP that is not there");
    in.bytes(into.states.data() + at, bytes);
    if (into.regions.empty()) continue;
    std::vector<std::byte>& region = into.regions[number];
    region.resize(in.length_of(1));
    in.bytes(region.data(), region.size());
  }
}

}  // namespace

std::vector<StatesOfType> share_with_ranks(const Setup& setup, const FinishedRun& finished,
                                           const Config& config) {
  RanksAtWork ranks(config);
  const Model& model = setup.model();
  transport::Bytes own;
  ByteWriter out(own);
  for (std::uint32_t type = 0; type < model.lp_types(); ++type) write_states(out, setup, type, finished);
  for (std::uint32_t table = 0; table < model.tables(); ++table) write_rows(out, setup.table(table));

  std::vector<StatesOfType> states(model.lp_types());
  for (std::uint32_t type = 0; type < model.lp_types(); ++type) {
    const std::uint64_t count = setup.types()[type].count;
    states[type].states.resize(count * model.state_bytes(type));
    if (model.has_region(type)) states[type].regions.resize(count);
  }
  const std::vector<transport::Bytes> all = config.cluster->exchange().gather_for_all(std::move(own));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    ByteReader in(all[rank]);
    for (std::uint32_t type = 0; type < model.lp_types(); ++type)
      read_states(in, model.state_bytes(type), states[type]);
    if (rank == own_rank()) continue;  // its rows are there
    for (std::uint32_t table = 0; table < model.tables(); ++table) read_rows(in, setup.table(table));
  }
  ranks.succeeded();
  return states;
}

}  // namespace anachron::plain
