#include "pe/pe_of.hpp"
#include "queue/baselines/three_tier_heap.hpp"

template class anachron::pe::PeOf<anachron::queue::ThreeTierHeap>;
