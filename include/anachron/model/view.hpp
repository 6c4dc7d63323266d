// What an LP sees when two states of it are compared: see GoesOnAlike in model/lp_ops.hpp.
#pragma once

#include <anachron/model/context.hpp>

namespace anachron {

/// Passed to `bool goes_on_like(const Lp& other, const View<Lp>&) const`: now() is the time from which on
/// both states are to do the same, whatever events come.
template <class Lp>
class View : public detail::LpView<Lp> {
 public:
  using detail::LpView<Lp>::LpView;
};

}  // namespace anachron
