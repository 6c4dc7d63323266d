// Copies of LPs' states that belong to nobody's event.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::replay {

/// One, or none. Precondition of a copy: the LP type can be copied.
class State {
 public:
  State() = default;
  State(const event::LpOps& ops, const void* from)
      : ops_(&ops), at_(::operator new(ops.bytes, std::align_val_t{ops.alignment})) {
    try {
      event::copy_state(ops, at_, from);
    } catch (...) {
      free();
      throw;
    }
  }
  State(State&& from) noexcept : ops_(from.ops_), at_(std::exchange(from.at_, nullptr)) {}
  State& operator=(State&& from) noexcept {
    std::swap(ops_, from.ops_);
    std::swap(at_, from.at_);
    return *this;
  }
  ~State() { reset(); }

  explicit operator bool() const { return at_; }
  void* get() const { return at_; }
  State copy() const { return {*ops_, at_}; }
  /// Becomes a copy of another state of the same type, in the same memory.
  void become(const State& other) {
    if (!at_) {
      *this = other.copy();
    } else if (ops_->trivially_copyable) {
      std::memcpy(at_, other.at_, ops_->bytes);
    } else {
      State copy = other.copy();
      std::swap(at_, copy.at_);
    }
  }
  void reset() noexcept {
    if (!at_) return;
    event::destroy_state(*ops_, at_);
    free();
  }

 private:
  void free() noexcept {
    ::operator delete(std::exchange(at_, nullptr), ops_->bytes, std::align_val_t{ops_->alignment});
  }

  const event::LpOps* ops_ = nullptr;
  void* at_ = nullptr;
};

/// By `==` or bytes; of types that have neither, by the encoded form. False also where that cannot be told.
inline bool are_equal(const event::LpOps& ops, const void* a, const void* b) {
  if (ops.is_comparable()) return event::equal_states(ops, a, b);
  if (!ops.is_encodable()) return false;
  std::vector<std::byte> of_a, of_b;
  return !event::encode_state(ops, a, of_a) && !event::encode_state(ops, b, of_b) && of_a == of_b;
}

/// A state and what the engine keeps with it.
struct LpImage {
  State state;
  event::LpCounters counters;

  LpImage copy() const { return {state.copy(), counters}; }
  void become(const LpImage& other) {
    state.become(other.state);
    counters = other.counters;
  }
};

}  // namespace anachron::replay
