#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/baselines/two_tier_ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::TwoTierLadder>;
