#include "pe/pe_of.hpp"
#include "queue/baselines/splay_tree.hpp"

template class anachron::pe::PeOf<anachron::queue::SplayTree>;
