// The LPs as one PE sees them: which are its own.
#pragma once

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

#include "lp/lp_store.hpp"

namespace anachron::lp {

class OwnLps {
 public:
  OwnLps(LpStore& store, PeId self) : store_(store), self_(self) {}

  PeId self() const { return self_; }
  LpStore& store() const { return store_; }
  const LpStore* operator->() const { return &store_; }

  /// Whether the LP is this PE's. Mostly without a look at the table of owners, which is large.
  bool own(LpId id) const { return id - first_ < count_ || store_.owner(id) == self_; }

  /// Constructs them, see LpStore::construct.
  void construct(unsigned lps_per_group);
  /// Calls `visit(id)` for each, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (LpId id = 0; id < store_.size(); ++id)
      if (store_.owner(id) == self_) visit(id);
  }

 private:
  LpStore& store_;
  const PeId self_;
  LpId first_ = 0;  // the longest row of them
  std::uint32_t count_ = 0;
};

}  // namespace anachron::lp
