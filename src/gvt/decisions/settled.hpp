// Finds the time before which no retraction is cancelled any more.
//
// GVT does not tell: the cancellation of a retraction has the time of its event, which may be far ahead. The
// handler call that sent the retraction can be undone, executed again and committed while the cancellation is
// still under way. But it was made before its PE reported to the round whose bound passed that call. If it
// was handed over before the cut of the next round, it has arrived when that round is concluded. If not, its
// sender says then that it still holds one.
#pragma once

#include <algorithm>

#include <anachron/base/time.hpp>

namespace anachron::gvt {

/// Of a run. Rounds come in order; after a rewind a new one is needed.
class Settled {
 public:
  /// Takes note of a round. `held_retraction`: at its cut some PE held the cancellation of a retraction.
  /// Returns the time before which none is cancelled any more.
  Time pass(Time bound, bool held_retraction) {
    if (!held_retraction) settled_ = std::max(settled_, bound_);
    bound_ = bound;
    return settled_;
  }

 private:
  Time bound_ = 0;    // of the last round
  Time settled_ = 0;  // what it returned
};

}  // namespace anachron::gvt
