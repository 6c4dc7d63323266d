// Processes and the events that they trigger themselves.
#include <bit>
#include <cstring>

#include "model/plain/plain_types.hpp"
#include "model/process/node.hpp"

namespace anachron::process {
namespace {

Offset running(const Nodes& nodes) { return nodes.agenda().running; }

/// Null: the handle names no process that is alive.
Offset alive(const Nodes& nodes, Handle handle) {
  const Offset end = nodes.find(handle);
  if (!end || nodes.node(end).kind != Kind::process || nodes.node(end).status != Status::pending) return 0;
  return nodes.node(end).place;
}

bool trigger_once(Nodes& nodes, Handle event, bool has_failed, std::uint64_t value) {
  const Offset at = nodes.find(event);
  if (!at || nodes.node(at).kind != Kind::event || nodes.node(at).status != Status::pending) return false;
  nodes.write_node(at).has_failed = has_failed;
  nodes.write_node(at).value = value;
  nodes.trigger(at);
  return true;
}

}  // namespace

void name_process(Nodes& nodes, Offset interruption, Offset process) {
  const Offset end = nodes.process(process).end;
  Node& of = nodes.write_node(interruption);
  of.place = end;
  of.filter = nodes.node(end).generation;
}

Handle timeout(Scope scope, double delay, std::uint64_t value) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.make(Kind::timeout);
  if (!at) return 0;
  nodes.write_node(at).value = value;
  const double time = nodes.now() + delay;
  if (time == nodes.now()) {
    nodes.trigger(at);
    return nodes.handle(at);
  }
  region::PriorityQueue timeouts = nodes.agenda().timeouts;
  const Due due{at, nodes.node(at).generation};
  if (std::byte* const to = region::push(scope.region, timeouts, time, sizeof due))
    std::memcpy(to, &due, sizeof due);
  nodes.write_agenda().timeouts = timeouts;
  return nodes.handle(at);
}

Handle make_event(Scope scope) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.make_unowned(Kind::event);
  return at ? nodes.handle(at) : 0;
}

bool succeed(Scope scope, Handle event, std::uint64_t value) noexcept {
  Nodes nodes(scope);
  return trigger_once(nodes, event, false, value);
}

bool fail_event(Scope scope, Handle event, double cause) noexcept {
  Nodes nodes(scope);
  return trigger_once(nodes, event, true, std::bit_cast<std::uint64_t>(cause));
}

Status status_of(Scope scope, Handle handle) noexcept {
  const Nodes nodes(scope);
  const Offset at = nodes.find(handle);
  if (!at) return Status::gone;
  const Node& of = nodes.node(at);
  return of.kind == Kind::timeout && of.status == Status::pending ? Status::triggered
                                                                  : of.status;  // as in SimPy
}

std::uint64_t value_of(Scope scope, Handle handle) noexcept {
  const Nodes nodes(scope);
  const Offset at = nodes.find(handle);
  return at ? nodes.node(at).value : 0;
}

const void* item_of(Scope scope, Handle handle) noexcept {
  const Nodes nodes(scope);
  const Offset at = nodes.find(handle);
  return at && nodes.node(at).kind == Kind::get ? nodes.item(nodes.node(at)) : nullptr;
}

Handle begin(Scope scope, std::uint32_t type, const void* arguments, std::uint32_t argument_bytes) noexcept {
  Nodes nodes(scope);
  const std::uint32_t frame_bytes = plain::lp_type_of(scope.call).description.processes[type].frame_bytes;
  const Offset end = nodes.make(Kind::process), first = end ? nodes.make_unowned(Kind::beginning) : 0;
  const Offset at = first ? scope.region.allocate(kFrame + frame_bytes) : 0;
  if (!at) return 0;
  std::memcpy(scope.region.write(at + kFrame, argument_bytes), arguments, argument_bytes);
  Process& made = nodes.write_process(at);
  made.end = end;
  made.type = type;
  made.frame_bytes = frame_bytes;
  nodes.write_node(end).place = at;
  nodes.write_node(first).place = at;
  made.waits_for = first;
  nodes.trigger_urgently(first);
  return nodes.handle(end);
}

bool interrupt(Scope scope, Handle handle, double cause) noexcept {
  Nodes nodes(scope);
  const Offset at = alive(nodes, handle);
  if (!at || at == running(nodes)) return false;
  const Offset made = nodes.make_unowned(Kind::interruption);
  if (!made) return true;  // there was no memory
  name_process(nodes, made, at);
  nodes.write_node(made).time = cause;
  nodes.trigger_urgently(made);
  return true;
}

Handle passivate(Scope scope) noexcept {
  Nodes nodes(scope);
  const Handle made = make_event(scope);
  if (made && running(nodes)) nodes.write_process(running(nodes)).passive = made;
  return made;
}

bool activate(Scope scope, Handle handle) noexcept {
  Nodes nodes(scope);
  const Offset at = alive(nodes, handle);
  const Offset passive = at ? nodes.find(nodes.process(at).passive) : 0;
  if (!passive || nodes.node(passive).status != Status::pending) return false;
  nodes.trigger(passive);
  return true;
}

bool is_alive(Scope scope, Handle handle) noexcept { return alive(Nodes(scope), handle) != 0; }

Handle active(Scope scope) noexcept {
  const Nodes nodes(scope);
  const Offset at = running(nodes);
  return at ? nodes.handle(nodes.process(at).end) : 0;
}

bool wait(Scope scope, Handle what) noexcept {
  Nodes nodes(scope);
  const Offset at = running(nodes), node = nodes.find(what);
  Process& process = nodes.write_process(at);
  process.got = what;
  if (scope.call.frame->halt) return true;  // it is over
  if (!node || nodes.node(node).status == Status::processed) {
    process.outcome = node && nodes.node(node).has_failed ? Outcome::failed : Outcome::value;
    process.value = node ? nodes.node(node).value : 0;
    process.cause =
        process.outcome == Outcome::failed ? std::bit_cast<double>(failure_of(nodes.node(node))) : 0;
    return false;
  }
  process.waits_for = node;
  nodes.link(node, at);
  return true;
}

Outcome outcome(Scope scope) noexcept {
  const Nodes nodes(scope);
  return nodes.process(running(nodes)).outcome;
}
std::uint64_t got_value(Scope scope) noexcept {
  const Nodes nodes(scope);
  return nodes.process(running(nodes)).value;
}
const void* got_item(Scope scope) noexcept {
  const Nodes nodes(scope);
  return item_of(scope, nodes.process(running(nodes)).got);
}
double cause(Scope scope) noexcept {
  const Nodes nodes(scope);
  return nodes.process(running(nodes)).cause;
}
double usage_since(Scope scope) noexcept {
  const Nodes nodes(scope);
  return nodes.process(running(nodes)).usage_since;
}
Handle interrupted_by(Scope scope) noexcept {
  const Nodes nodes(scope);
  return nodes.process(running(nodes)).by;
}

void* frame(Scope scope) noexcept {
  const Nodes nodes(scope);
  return const_cast<std::byte*>(scope.region.data(running(nodes) + kFrame));
}

void* write_frame(Scope scope) noexcept {
  const Nodes nodes(scope);
  const Offset at = running(nodes);
  return scope.region.write(at + kFrame, nodes.process(at).frame_bytes);
}

void end(Scope scope, std::uint64_t value) noexcept {
  Nodes nodes(scope);
  Process& process = nodes.write_process(running(nodes));
  process.has_ended = 1;
  process.value = value;
}

}  // namespace anachron::process
