#include "exec/pe_of.hpp"
#include "queue/three_tier_heap.hpp"

template class anachron::exec::PeOf<anachron::queue::ThreeTierHeap>;
