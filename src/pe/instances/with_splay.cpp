#include "pe/phases/forward.ipp"
#include "pe/phases/route.ipp"
#include "queue/baselines/splay_tree.hpp"

template class anachron::pe::PeOf<anachron::queue::SplayTree>;
