// Waiting for any or for all of several things. A condition knows its parts, and each part that has not been
// processed yet knows that it waits.
#include <bit>
#include <cstddef>
#include <cstring>

#include "model/process/node.hpp"

namespace anachron::process {
namespace {

constexpr std::uint32_t kTwo = 2;  // parts of `a | b`, which lie in the node; those of a list are its item
constexpr Handle kDone = 1;        // the lowest bit of a part in a list, which no handle has

bool is_condition(Kind kind) { return kind == Kind::any || kind == Kind::all; }

std::uint32_t parts_of(const Node& condition) {
  return condition.bytes ? static_cast<std::uint32_t>(condition.bytes / sizeof(Handle)) : kTwo;
}

/// As it lies in a list.
Handle listed(const Nodes& nodes, const Node& condition, std::uint32_t i) {
  Handle found;
  std::memcpy(&found, static_cast<const std::byte*>(nodes.item(condition)) + i * sizeof found, sizeof found);
  return found;
}
Handle& write_listed(Nodes& nodes, Offset at, std::uint32_t i) {
  const Node& of = nodes.node(at);
  const bool is_inside = of.bytes <= sizeof of.value;
  const auto first = static_cast<Offset>(is_inside ? at + offsetof(Node, value) : of.value);
  return nodes.write_handle(static_cast<Offset>(first + i * sizeof(Handle)));
}

/// Two parts are the condition's `value` and its `time`, as bits, and `priority` says which of them were
/// done.
Handle part(const Nodes& nodes, const Node& condition, std::uint32_t i) {
  if (condition.bytes) return listed(nodes, condition, i) & ~kDone;
  return i == 0 ? condition.value : std::bit_cast<Handle>(condition.time);
}
bool is_done(const Nodes& nodes, const Node& condition, std::uint32_t i) {
  if (condition.bytes) return (listed(nodes, condition, i) & kDone) != 0;
  return (condition.priority >> i & 1) != 0;
}
void set_done(Nodes& nodes, Offset at, std::uint32_t i) {
  if (nodes.node(at).bytes)
    write_listed(nodes, at, i) |= kDone;
  else
    nodes.write_node(at).priority |= 1 << i;
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
  if (part && nodes.node(part).owner && nodes.node(part).owner == nodes.agenda().running)
    nodes.write_node(part).is_kept = true;
  if (!part || nodes.node(part).status == Status::processed)
    return check_condition(nodes, at, part && nodes.node(part).has_failed, part ? nodes.node(part).value : 0);
  nodes.link(part, at | kCondition);
}

bool contains_in(const Nodes& nodes, const Node& condition, Handle wanted) {
  for (std::uint32_t i = 0; i < parts_of(condition); ++i) {
    const Handle handle = part(nodes, condition, i);
    if (handle == wanted) return is_done(nodes, condition, i);
    const Offset nested = nodes.find(handle);
    if (nested && is_condition(nodes.node(nested).kind) && contains_in(nodes, nodes.node(nested), wanted))
      return true;
  }
  return false;
}

}  // namespace

Handle condition(Scope scope, Kind any_or_all, Handle a, Handle b) noexcept {
  const Handle made = condition_of(scope, any_or_all, kTwo);
  set_part(scope, made, 0, a);
  set_part(scope, made, 1, b);
  return made;
}

Handle condition_of(Scope scope, Kind any_or_all, std::uint32_t parts) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.make(any_or_all);
  if (!at) return 0;
  if (parts == 0)
    nodes.trigger(at);
  else if (parts != kTwo)
    nodes.set_item(nodes.write_node(at), nullptr, static_cast<std::uint32_t>(parts * sizeof(Handle)));
  return nodes.handle(at);
}

void set_part(Scope scope, Handle condition, std::uint32_t i, Handle part) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.find(condition);
  if (!at || i >= parts_of(nodes.node(at))) return;  // there was no memory
  if (nodes.node(at).bytes)
    write_listed(nodes, at, i) = part;
  else if (i == 0)
    nodes.write_node(at).value = part;
  else
    nodes.write_node(at).time = std::bit_cast<double>(part);
  add_part(nodes, at, part);
}

void check_condition(Nodes& nodes, Offset at, bool has_failed, std::uint64_t value) {
  if (nodes.node(at).status != Status::pending) return;
  Node& of = nodes.write_node(at);
  ++of.filter;
  if (has_failed) {
    of.has_failed = true;
    std::memcpy(&of.next, &value, sizeof value);  // and `previous`: a condition stands in no line
  } else if (of.kind == Kind::all && of.filter < parts_of(of)) {
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
  for (std::uint32_t i = 0; i < parts_of(nodes.node(at)); ++i) {
    const Offset of = nodes.find(part(nodes, nodes.node(at), i));
    if (!of || nodes.node(of).status == Status::processed) {
      set_done(nodes, at, i);
      continue;
    }
    if (is_condition(nodes.node(of).kind)) close_condition(nodes, of);
    nodes.unlink(of, at | kCondition);
  }
}

void free_condition(Nodes& nodes, Offset at) {
  for (std::uint32_t i = 0; i < parts_of(nodes.node(at)); ++i) {
    const Offset of = nodes.find(part(nodes, nodes.node(at), i));
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
