#include "lp/own_lps.hpp"

namespace anachron::lp {

void OwnLps::construct(unsigned lps_per_group) {
  store_.construct(self_, lps_per_group);
  std::uint32_t owned = 0;
  for (LpId first = 0, id = 0; id < store_.size(); ++id) {
    if (store_.owner(id) != self_) {
      first = id + 1;
      continue;
    }
    ++owned;
    if (id + 1 - first > longest_.count) longest_ = {first, id + 1 - first};
  }
  is_row_ = longest_.count == owned;
  serve(extent_);
}

void OwnLps::serve(Extent extent) {
  extent_ = extent;
  const Row row = extent == Extent::all ? Row{0, store_.size()} : longest_;
  first_ = row.first;
  count_ = row.count;
}

}  // namespace anachron::lp
