#include "rollback/check.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>

namespace anachron::rollback {

std::string to_text(const Unchecked& unchecked) {
  switch (unchecked.what) {
    case Unchecked::What::states:
      return fmt::format("states of {} cannot be compared; make it copyable and give it operator==",
                         unchecked.type);
    case Unchecked::What::some_states:
      return fmt::format(
          "some states of {} are not equal to their copies, perhaps for a NaN, and were not compared",
          unchecked.type);
    case Unchecked::What::events:
      return fmt::format("events {} cannot be compared; give the type operator==", unchecked.type);
    case Unchecked::What::some_events:
      return fmt::format(
          "some events {} are not equal to themselves, perhaps for a NaN, and were not compared",
          unchecked.type);
  }
  return {};
}

namespace {

/// Memory for a state, which is constructed in it.
class Fresh {
 public:
  explicit Fresh(const event::LpOps& ops)
      : ops_(ops), at_(::operator new(ops.bytes, std::align_val_t{ops.alignment})) {
    event::construct_state(ops, at_);
  }
  Fresh(const Fresh&) = delete;
  Fresh& operator=(const Fresh&) = delete;
  ~Fresh() {
    event::destroy_state(ops_, at_);
    ::operator delete(at_, ops_.bytes, std::align_val_t{ops_.alignment});
  }
  void* get() const { return at_; }

 private:
  const event::LpOps& ops_;
  void* const at_;
};

}  // namespace

std::string encoding_fault(const event::LpOps& ops, const void* state) {
  if (!ops.is_encodable() || !ops.is_comparable() || !event::equal_states(ops, state, state)) return {};
  std::vector<std::byte> bytes;
  if (const Failure failed = event::encode_state(ops, state, bytes))
    return fmt::format("rollback check: the state cannot be encoded: {}", *failed);
  const Fresh decoded(ops);
  ByteReader in(bytes);
  if (const Failure failed = event::decode_state(ops, decoded.get(), in))
    return fmt::format("rollback check: the state cannot be decoded: {}", *failed);
  if (in.remaining() == 0 && event::equal_states(ops, state, decoded.get())) return {};
  return "rollback check: the state that was encoded and decoded is another one: its `serialize` leaves "
         "something out";
}

}  // namespace anachron::rollback
