#include "exec/pe_of.hpp"
#include "queue/dary_heap.hpp"

template class anachron::exec::PeOf<anachron::queue::QuaternaryHeap>;
