#include "lp/own_lps.hpp"

namespace anachron::lp {

void OwnLps::construct(unsigned lps_per_group) {
  store_.construct(self_, lps_per_group);
  for (LpId first = 0, id = 0; id < store_.size(); ++id) {
    if (store_.owner(id) != self_)
      first = id + 1;
    else if (id + 1 - first > count_)
      first_ = first, count_ = id + 1 - first;
  }
}

}  // namespace anachron::lp
