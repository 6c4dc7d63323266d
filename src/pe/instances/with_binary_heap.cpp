#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/baselines/dary_heap.hpp"

template class anachron::pe::PeOf<anachron::queue::BinaryHeap>;
