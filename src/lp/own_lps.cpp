#include "lp/own_lps.hpp"

namespace anachron::lp {

void OwnLps::construct(unsigned lps_per_group) {
  store_.construct(self_, lps_per_group);
  look_again();
}

void OwnLps::look_again() {
  first_ = count_ = 0;
  std::uint32_t all = 0;
  for (LpId first = 0, id = 0; id < store_.size(); ++id) {
    if (store_.host(id) != self_) {
      first = id + 1;
      continue;
    }
    ++all;
    if (id + 1 - first <= count_) continue;
    first_ = first;
    count_ = id + 1 - first;
  }
  is_row_ = count_ == all;
  bytes_ = all > 0 ? store_.bytes() / store_.size() * all : 0;
}

}  // namespace anachron::lp
