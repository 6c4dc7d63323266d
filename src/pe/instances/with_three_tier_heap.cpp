#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/baselines/three_tier_heap.hpp"

template class anachron::pe::PeOf<anachron::queue::ThreeTierHeap>;
