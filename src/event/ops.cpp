#include <anachron/event/ops.hpp>

#include <anachron/base/bytes.hpp>

namespace anachron::event {

Failure decode_state(const LpOps& ops, void* state, ByteReader& in) {
  if (ops.decode) return ops.decode(state, in);
  if (in.remaining() < ops.bytes) return "the bytes end too early";
  in.bytes(state, ops.bytes);
  return {};
}

}  // namespace anachron::event
