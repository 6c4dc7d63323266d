#include "traffic/publication.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace anachron::models::traffic {

void Publication::grow(std::uint32_t index, TreePool& pool) const {
  const Routing& routing = pool.routing();
  const auto at_a_time = static_cast<std::uint32_t>(routing.zones_at_a_time());
  const Trees& grown = trees_[index];
  bool is_last = false;
  grown.once.make([&] {
    once_.make([&] { lengths_.emplace(routing.lengths(times_)); });
    lengths_->customise();
    const ZoneIndex first = index * at_a_time;
    std::vector<ZoneIndex> together(std::min(at_a_time, zones() - first));
    std::iota(together.begin(), together.end(), first);
    auto trees = pool.take();
    trees->grow(together, lengths_->all());
    grown.choices.resize(std::size_t{routing.network().nodes()} * at_a_time);
    trees->write_choices(grown.choices.data(), at_a_time);
    pool.put_back(std::move(trees));
    is_last = grown_.fetch_add(1, std::memory_order_acq_rel) + 1 == (zones() + at_a_time - 1) / at_a_time;
  });
  if (is_last) lengths_.reset();
}

}  // namespace anachron::models::traffic
