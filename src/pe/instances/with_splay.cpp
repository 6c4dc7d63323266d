#include "pe/pe_of.hpp"
#include "queue/baselines/splay_tree.hpp"

template class anachron::exec::PeOf<anachron::queue::SplayTree>;
