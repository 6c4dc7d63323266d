#include "pe/pe_of.hpp"
#include "queue/baselines/ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::LadderQueue>;
