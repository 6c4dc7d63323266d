#include "pe/pe_of.hpp"
#include "queue/baselines/two_tier_ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::TwoTierLadder>;
