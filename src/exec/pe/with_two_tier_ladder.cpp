#include "exec/pe_of.hpp"
#include "queue/two_tier_ladder.hpp"

template class anachron::exec::PeOf<anachron::queue::TwoTierLadder>;
