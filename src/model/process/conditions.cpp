// Waiting for any or for both of two things. A condition knows its parts, and each part that has not been
// processed yet knows that it waits.
#include <bit>
#include <cstring>

#include "model/process/node.hpp"

namespace anachron::process {
namespace {

constexpr int kParts = 2;  // more of them are conditions of conditions

bool is_condition(Kind kind) { return kind == Kind::any || kind == Kind::all; }

/// The parts of a condition are its `value` and its `time`, as bits; `priority` says which of them were done.
Handle part(const Node& condition, int i) {
  return i == 0 ? condition.value : std::bit_cast<Handle>(condition.time);
}

/// A condition of conditions frees these.
void adopt(Nodes& nodes, Offset part) {
  if (!is_condition(nodes.node(part).kind)) return;
  nodes.disown(part);
  nodes.write_node(part).is_nested = true;
}

void add_part(Nodes& nodes, Offset at, Handle handle) {
  const Offset part = nodes.find(handle);
  if (part) adopt(nodes, part);
  if (!part || nodes.node(part).status == Status::processed)
    return check_condition(nodes, at, part && nodes.node(part).has_failed, part ? nodes.node(part).value : 0);
  nodes.link(part, at | kCondition);
}

bool contains_in(const Nodes& nodes, const Node& condition, Handle wanted) {
  for (int i = 0; i < kParts; ++i) {
    const Handle handle = part(condition, i);
    if (handle == wanted) return (condition.priority >> i & 1) != 0;
    const Offset nested = nodes.find(handle);
    if (nested && is_condition(nodes.node(nested).kind) && contains_in(nodes, nodes.node(nested), wanted))
      return true;
  }
  return false;
}

}  // namespace

Handle condition(Scope scope, Kind any_or_all, Handle a, Handle b) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.make(any_or_all);
  if (!at) return 0;
  if (!a || !b) nodes.fail("a process waits for an an.Wait that names nothing");
  Node& made = nodes.write_node(at);
  made.value = a;
  made.time = std::bit_cast<double>(b);
  add_part(nodes, at, a);
  add_part(nodes, at, b);
  return nodes.handle(at);
}

void check_condition(Nodes& nodes, Offset at, bool has_failed, std::uint64_t value) {
  if (nodes.node(at).status != Status::pending) return;
  Node& of = nodes.write_node(at);
  ++of.filter;
  if (has_failed) {
    of.has_failed = true;
    std::memcpy(&of.next, &value, sizeof value);  // and `previous`: a condition stands in no line
  } else if (of.kind == Kind::all && of.filter < kParts) {
    return;
  }
  nodes.trigger(at);
}

std::uint64_t failure_of(const Node& of) {
  if (!is_condition(of.kind)) return of.value;
  std::uint64_t cause;
  std::memcpy(&cause, &of.next, sizeof cause);
  return cause;
}

void close_condition(Nodes& nodes, Offset at) {
  for (int i = 0; i < kParts; ++i) {
    const Offset of = nodes.find(part(nodes.node(at), i));
    if (!of || nodes.node(of).status == Status::processed) {
      nodes.write_node(at).priority |= 1 << i;
      continue;
    }
    if (is_condition(nodes.node(of).kind)) close_condition(nodes, of);
    nodes.unlink(of, at | kCondition);
  }
}

void free_condition(Nodes& nodes, Offset at) {
  for (int i = 0; i < kParts; ++i) {
    const Offset of = nodes.find(part(nodes.node(at), i));
    if (!of) continue;
    if (nodes.node(of).status != Status::processed) nodes.unlink(of, at | kCondition);
    if (nodes.node(of).is_nested) free_condition(nodes, of);
  }
  nodes.free(at);
}

bool contains(Scope scope, Handle condition, Handle part) noexcept {
  const Nodes nodes(scope);
  const Offset at = nodes.find(condition);
  if (at && is_condition(nodes.node(at).kind)) return contains_in(nodes, nodes.node(at), part);
  return condition == part;  // what was waited for alone
}

}  // namespace anachron::process
