#include "pe/pe_of.hpp"
#include "queue/baselines/dary_heap.hpp"

template class anachron::pe::PeOf<anachron::queue::BinaryHeap>;
