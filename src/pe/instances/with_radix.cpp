#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/radix_ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::RadixLadder>;
