// Each PeOf is compiled in a file of its own, in src/pe/instances/, at the same time as the others and once:
// here only its constructor and destructor are called.
#include "pe/pe_of.hpp"
#include "queue/baselines/dary_heap.hpp"
#include "queue/baselines/ladder.hpp"
#include "queue/baselines/splay_tree.hpp"
#include "queue/baselines/three_tier_heap.hpp"
#include "queue/baselines/two_tier_ladder.hpp"
#include "queue/radix_ladder.hpp"

namespace anachron::pe {

std::unique_ptr<Pe> make_pe(const PeSetup& setup) {
  const auto make = [&]<class Pending>() -> std::unique_ptr<Pe> {
    return std::make_unique<PeOf<Pending>>(setup);
  };
  switch (setup.config.queue) {
    case Queue::radix:
      break;  // the default: see below
    case Queue::heap:
      return make.operator()<queue::BinaryHeap>();
    case Queue::heap4:
      return make.operator()<queue::QuaternaryHeap>();
    case Queue::three_tier_heap:
      return make.operator()<queue::ThreeTierHeap>();
    case Queue::ladder:
      return make.operator()<queue::LadderQueue>();
    case Queue::two_tier_ladder:
      return make.operator()<queue::TwoTierLadder>();
    case Queue::splay:
      return make.operator()<queue::SplayTree>();
  }
  return make.operator()<queue::RadixLadder>();
}

}  // namespace anachron::pe
