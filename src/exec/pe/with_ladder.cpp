#include "exec/pe_of.hpp"
#include "queue/ladder.hpp"

template class anachron::exec::PeOf<anachron::queue::LadderQueue>;
