#include "pe/pe_of.hpp"
#include "queue/baselines/ladder.hpp"

template class anachron::exec::PeOf<anachron::queue::LadderQueue>;
