#include "replay/difference.hpp"

#include <map>

#include <anachron/event/ops.hpp>

#include "replay/propagation.hpp"
#include "replay/recorded.hpp"
#include "rollback/check.hpp"

namespace anachron::replay {
namespace {

/// The executed events of a line, one after the other.
class Executed {
 public:
  explicit Executed(Line line) : line_(line) { skip(); }

  /// Null: there are no more.
  const event::EventHeader* get() const { return line_.empty() ? nullptr : line_.front().get(); }
  void next() {
    line_ = line_.subspan(1);
    skip();
  }

 private:
  void skip() {
    while (!line_.empty() && !line_.front().was_executed()) line_ = line_.subspan(1);
  }

  Line line_;
};

/// Adds to the counts of `all`, and notes the first event that differs.
void compare(Line of_run, Line of_variant, LpDifference& lp, Differences& all) {
  Executed run(of_run), variant(of_variant);
  while (run.get() || variant.get()) {
    const event::EventHeader *const a = run.get(), *const b = variant.get();
    const bool has_a = a && (!b || !(b->key() < a->key()));
    const bool has_b = b && (!a || !(a->key() < b->key()));
    if (has_a) run.next();
    if (has_b) variant.next();
    if (has_a && has_b && (a == b || rollback::is_same_send(*a, *b))) continue;
    all.removed += has_a;
    all.added += has_b;
    if (!lp.event.empty()) continue;
    lp.first = (has_b ? b : a)->key();
    lp.event = (has_b ? b : a)->ops->event_name;
  }
}

}  // namespace

bool states_differ(const lp::LpStore& lps, LpId lp, const void* a, const void* b) {
  const event::LpOps& ops = *lps.type_of(lp).ops;
  return a != b && !are_equal(ops, a, b);
}

Differences differences(const Recorded& run, const Recorded& variant,
                        std::span<const Propagation* const> chain) {
  std::map<LpId, std::uint64_t> executed;
  for (const Propagation* propagation : chain)
    for (const LpDifference& lp : propagation->differences()) executed[lp.lp] += lp.executed;
  Differences all;
  for (const auto& [lp, count] : executed) {
    LpDifference difference{.lp = lp, .first = {}, .event = {}, .executed = count};
    compare(run.line(lp), variant.line(lp), difference, all);
    if (difference.event.empty()) continue;
    difference.differs_at_end = states_differ(run.lps(), lp, run.state(lp), variant.state(lp));
    all.lps.push_back(difference);
  }
  return all;
}

}  // namespace anachron::replay
