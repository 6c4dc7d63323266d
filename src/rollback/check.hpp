// What the rollback check and lazy cancellation compare: states and sent events.
#pragma once

#include <new>

#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::rollback {

/// A copy of an LP's state beside its history.
class StateCopy {
 public:
  StateCopy(const event::LpOps& ops, const void* state)
      : ops_(ops), at_(::operator new(ops.bytes, std::align_val_t{ops.alignment})) {
    ops_.copy(at_, state);
  }
  StateCopy(const StateCopy&) = delete;
  StateCopy& operator=(const StateCopy&) = delete;
  ~StateCopy() {
    ops_.destroy(at_);
    ::operator delete(at_, ops_.bytes, std::align_val_t{ops_.alignment});
  }
  bool equals(const void* state) const { return ops_.equal(at_, state); }

 private:
  const event::LpOps& ops_;
  void* at_;
};

/// Either event could be sent in the place of the other: both have the same key, receiver, type and payload,
/// and payloads of this type can be compared.
inline bool is_same_send(const event::EventHeader& a, const event::EventHeader& b) {
  return a.ops == b.ops && a.key() == b.key() && a.receiver == b.receiver && a.ops->equal &&
         a.ops->equal(a, b);
}

/// Both lists of sent events hold the same keys, receivers, types and payloads.
inline bool same_sends(const event::EventHeader* a, const event::EventHeader* b) {
  for (; a && b; a = a->next, b = b->next) {
    if (!(a->key() == b->key()) || a->receiver != b->receiver || a->ops != b->ops) return false;
    if (a->ops->equal && !a->ops->equal(*a, *b)) return false;
  }
  return !a && !b;
}

}  // namespace anachron::rollback
