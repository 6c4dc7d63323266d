#include "exec/pe_of.hpp"
#include "queue/splay_tree.hpp"

template class anachron::exec::PeOf<anachron::queue::SplayTree>;
