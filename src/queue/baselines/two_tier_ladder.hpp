// The two-tier ladder queue, 2tLadderQ (Higiro, Gebre, Rao 2017): each bucket of Top and of the rungs is
// divided by a hash of the sender. An engine that cancels events by searching the queue for those of one
// sender looks into a 32nd of it only. Anachron cancels by pointer and marks the event, which needs no search
// with any queue: it is here to compare with. The paper gives each bucket 32 lists. Here the first rung has
// 32 times fewer buckets for that, so that its memory stays in proportion to the events.
#pragma once

#include "queue/baselines/ladder.hpp"

namespace anachron::queue {

using TwoTierLadder = BasicLadder<32>;
static_assert(PendingSet<TwoTierLadder>);

}  // namespace anachron::queue
