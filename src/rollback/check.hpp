// What the rollback check and lazy cancellation compare: states and sent events.
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::rollback {

/// What the rollback check could not compare.
struct Unchecked {
  enum class What : std::uint8_t {
    states,       ///< of an LP type that cannot be copied and compared
    some_states,  ///< not equal to their copies
    events,       ///< of a type that cannot be compared
    some_events,  ///< not equal to themselves
  };
  What what;
  std::string_view type;

  friend bool operator==(const Unchecked&, const Unchecked&) = default;
};
/// For the report.
std::string to_text(const Unchecked& unchecked);

/// What an LP's state is at some moment, to compare with later.
class Witness {
 public:
  /// Copies the state. A type that cannot be copied and compared has no witness. Nor has a state that is not
  /// equal to its own copy, as with a NaN in it: equality would say nothing.
  Witness(const event::LpOps& ops, const void* state) : ops_(ops) {
    if (!ops.is_copyable() || !ops.is_comparable()) return;
    copy_ = ::operator new(ops.bytes, std::align_val_t{ops.alignment});
    event::copy_state(ops, copy_, state);
    is_sound_ = event::equal_states(ops, copy_, state);
  }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() {
    if (!copy_) return;
    event::destroy_state(ops_, copy_);
    ::operator delete(copy_, ops_.bytes, std::align_val_t{ops_.alignment});
  }

  bool contradicts(const void* state) const { return is_sound_ && !event::equal_states(ops_, copy_, state); }
  /// Why it contradicts nothing.
  std::optional<Unchecked> gap() const {
    if (is_sound_) return std::nullopt;
    return Unchecked{copy_ ? Unchecked::What::some_states : Unchecked::What::states, ops_.name};
  }

 private:
  const event::LpOps& ops_;
  void* copy_ = nullptr;
  bool is_sound_ = false;
};

/// Encodes the state, decodes it, and compares: why it does not come back; empty: it does, or nothing is
/// known.
std::string encoding_fault(const event::LpOps& ops, const void* state);

/// Either event could be sent in the place of the other: both have the same key, receiver, type and payload,
/// and payloads of this type can be compared. Retractions could not: what they take back may have been sent
/// anew between them.
inline bool is_same_send(const event::EventHeader& a, const event::EventHeader& b) {
  return !a.retracts() && a.ops == b.ops && a.key() == b.key() && a.receiver == b.receiver && a.ops->equal &&
         a.ops->equal(a, b);
}

/// Both lists of sent events hold the same keys, receivers, types and payloads, as far as these can be
/// compared; `note` is called with each Unchecked.
template <class Note>
bool same_sends(const event::EventHeader* a, const event::EventHeader* b, const Note& note) {
  for (; a && b; a = a->next, b = b->next) {
    if (!(a->key() == b->key()) || a->receiver != b->receiver || a->ops != b->ops) return false;
    if (!a->ops->equal)
      note(Unchecked{Unchecked::What::events, a->ops->event_name});
    else if (!a->ops->equal(*a, *a))
      note(Unchecked{Unchecked::What::some_events, a->ops->event_name});
    else if (!a->ops->equal(*a, *b))
      return false;
  }
  return !a && !b;
}

}  // namespace anachron::rollback
