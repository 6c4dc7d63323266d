#include "rollback/undo.hpp"

namespace anachron::rollback {

void commit_effects(event::Effect* newest) {
  // Turn the list around, walk it, leave it as it was for `release`.
  event::Effect* oldest = nullptr;
  for (event::Effect* e = newest; e;) {
    event::Effect* const next = e->next;
    e->next = oldest;
    oldest = e;
    e = next;
  }
  struct Restore {  // also when an action throws
    event::Effect* oldest;
    ~Restore() {
      event::Effect* newer = nullptr;
      for (event::Effect* e = oldest; e;) {
        event::Effect* const next = e->next;
        e->next = newer;
        newer = e;
        e = next;
      }
    }
  } restore{oldest};
  for (event::Effect* e = oldest; e; e = e->next)
    if (e->ops->commit) e->ops->commit(*e);
}

}  // namespace anachron::rollback
