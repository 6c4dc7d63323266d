#include "lp/own_lps.hpp"

namespace anachron::lp {

void OwnLps::construct(unsigned lps_per_group) {
  store_.construct(self_, lps_per_group);
  look_again();
}

void OwnLps::look_again() {
  first_ = count_ = 0;
  std::uint32_t all = 0;
  LpId row = 0, end_of_row = 0;  // of several owners that it stands in for
  store_.owners().for_each_row([&](LpId first, LpId end, PeId owner) {
    if (store_.host_of(owner) != self_) return;
    all += end - first;
    if (first != end_of_row) row = first;
    end_of_row = end;
    if (end - row <= count_) return;
    first_ = row;
    count_ = end - row;
  });
  is_row_ = count_ == all;
  bytes_ = all > 0 ? store_.bytes() / store_.size() * all : 0;
}

}  // namespace anachron::lp
