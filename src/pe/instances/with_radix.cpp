#include "pe/pe_of.hpp"
#include "queue/radix_ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::RadixLadder>;
