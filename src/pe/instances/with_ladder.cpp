#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/baselines/ladder.hpp"

template class anachron::pe::PeOf<anachron::queue::LadderQueue>;
