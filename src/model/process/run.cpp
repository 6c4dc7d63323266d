// The loop that processes what an LP's agenda has.
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "model/plain/plain_types.hpp"
#include "model/process/node.hpp"

namespace anachron::process {
namespace {

/// Takes the first node of a list.
Offset take(Nodes& nodes, Scope scope, region::List Agenda::* list) {
  if ((nodes.agenda().*list).count == 0) return 0;
  region::List& of = nodes.write_agenda().*list;
  const Offset first = *reinterpret_cast<const Offset*>(region::element(scope.region, of, 0, sizeof(Offset)));
  region::pop_front(of);
  return first;
}

Offset find_due(const Nodes& nodes, const Due& due) {
  return nodes.node(due.node).generation == due.generation ? due.node : 0;
}

/// Takes timeouts that nobody waits for any more, and one that is due, if there is one.
Offset take_due(Nodes& nodes, Scope scope) {
  for (;;) {
    const region::PriorityQueue& waiting = nodes.agenda().timeouts;
    if (waiting.count == 0) return 0;
    Due due;
    std::memcpy(&due, region::top(scope.region, waiting), sizeof due);
    const Offset node = find_due(nodes, due);
    if (node && region::top_priority(scope.region, waiting) > nodes.now()) return 0;
    region::pop(scope.region, nodes.write_agenda().timeouts, sizeof due);
    if (node) return node;
  }
}

/// What was triggered urgently comes first, then timeouts that are due, which are older than what is left.
/// None becomes due meanwhile: `may_be_due` tells whether there may be one.
Offset next_node(Nodes& nodes, Scope scope, bool& may_be_due) {
  if (const Offset urgent = take(nodes, scope, &Agenda::urgent)) return urgent;
  if (may_be_due) {
    if (const Offset due = take_due(nodes, scope)) return due;
    may_be_due = false;
  }
  return take(nodes, scope, &Agenda::normal);
}

bool is_named_in(Scope scope, Offset process, const plain::ProcessDescription& type, Handle handle) {
  const std::byte* const frame = scope.region.data(process + kFrame);
  const auto is_at = [&](std::size_t offset) {
    Handle named;
    std::memcpy(&named, frame + offset, sizeof named);
    return named == handle;
  };
  if (type.has_loose_frame) {  // a count, and handles
    std::uint64_t count;
    std::memcpy(&count, frame, sizeof count);
    for (std::uint64_t i = 1; i <= count; ++i)
      if (is_at(i * sizeof(Handle))) return true;
    return false;
  }
  for (const std::uint32_t offset : type.handles)
    if (is_at(offset)) return true;
  return false;
}

/// Whether a node has to stay though its owner does not know it any more.
bool is_used(const Node& node) {
  switch (node.kind) {
    case Kind::request:
      return !node.has_left || node.status == Status::triggered;  // in line, in use, or on the agenda
    case Kind::put:
    case Kind::get:
      return node.status != Status::processed && !(node.has_left && node.status == Status::pending);
    case Kind::timeout:
    case Kind::any:
    case Kind::all:
    case Kind::event:
      return node.waiter != 0 || node.status == Status::triggered;
    default:
      return node.status != Status::processed;
  }
}

void free_any(Nodes& nodes, Offset at) {
  const Kind kind = nodes.node(at).kind;
  if (kind == Kind::any || kind == Kind::all) return free_condition(nodes, at);
  nodes.free(at);
}

/// Frees what the process has made and cannot name any more. The parts of what it waits for stay until it
/// waits again.
void sweep(Scope scope, Nodes& nodes, Offset process, const plain::ProcessDescription& type) {
  Offset next = nodes.process(process).first_owned;
  while (const Offset at = next) {
    next = nodes.node(at).next_owned;
    if (at == nodes.process(process).waits_for || is_named_in(scope, process, type, nodes.handle(at)))
      continue;
    if (nodes.node(at).is_kept) {
      nodes.write_node(at).is_kept = false;
      continue;
    }
    const bool stays = is_used(nodes.node(at));
    if (stays && nodes.node(at).kind != Kind::process) continue;
    nodes.disown(at);
    if (!stays) free_any(nodes, at);
  }
}

/// Frees what a process has made that has ended, or leaves it to itself.
void disown_all(Nodes& nodes, Offset process) {
  Offset next = nodes.process(process).first_owned;
  nodes.write_process(process).first_owned = 0;
  while (const Offset at = next) {
    next = nodes.node(at).next_owned;
    nodes.write_node(at).owner = 0;
    if (!is_used(nodes.node(at))) free_any(nodes, at);
  }
}

void finish(Scope scope, Nodes& nodes, Offset at) {
  disown_all(nodes, at);
  const Process& ended = nodes.process(at);
  const Offset end = ended.end;
  nodes.write_node(end).place = 0;
  nodes.write_node(end).value = ended.value;
  scope.region.release(at, kFrame + ended.frame_bytes);
  nodes.trigger(end);
}

/// Runs a process until it waits. Returns its status.
int resume(Scope scope, Nodes& nodes, const plain::LpType& type, Offset at) {
  const plain::ProcessDescription& of = type.description.processes[nodes.process(at).type];
  nodes.write_process(at).waits_for = 0;
  nodes.write_agenda().running = at;
  const int status = of.resume(scope.state, &at, scope.call);
  nodes.write_agenda().running = 0;
  if (status != 0) return status;
  if (nodes.process(at).has_ended)
    finish(scope, nodes, at);
  else
    sweep(scope, nodes, at, of);
  return 0;
}

void give(Nodes& nodes, Offset process, Outcome outcome, std::uint64_t value, double cause) {
  Process& to = nodes.write_process(process);
  to.outcome = outcome;
  to.value = value;
  to.cause = cause;
}

int deliver_interruption(Scope scope, Nodes& nodes, const plain::LpType& type, Offset at) {
  const Node& of = nodes.node(at);
  const Handle of_process = of.place | Handle{of.filter} << 32, by = of.value;
  const double cause = of.time;
  const bool preempts = of.priority != 0;
  nodes.free(at);
  const Offset end = nodes.find(of_process);
  if (!end || nodes.node(end).status != Status::pending) return 0;  // it has ended since
  const Offset process = nodes.node(end).place;
  if (const Offset waits_for = nodes.process(process).waits_for) nodes.unlink(waits_for, process);
  Process& to = nodes.write_process(process);
  to.outcome = preempts ? Outcome::preempted : Outcome::interrupted;
  to.cause = preempts ? 0 : cause;
  to.usage_since = cause;
  to.by = preempts ? by : 0;
  return resume(scope, nodes, type, process);
}

/// Lets those go on that wait for a node.
int wake_waiters(Scope scope, Nodes& nodes, const plain::LpType& type, Offset at) {
  const std::uint32_t generation = nodes.node(at).generation;
  while (nodes.node(at).generation == generation) {
    const Waiter waiter = nodes.take_waiter(at);
    if (!waiter) return 0;
    const Node& of = nodes.node(at);
    const std::uint64_t value = of.value;
    if (waiter & kCondition) {
      check_condition(nodes, waiter & ~kCondition, of.has_failed, of.has_failed ? failure_of(of) : value);
      continue;
    }
    give(nodes, waiter, of.has_failed ? Outcome::failed : Outcome::value, value,
         of.has_failed ? std::bit_cast<double>(failure_of(of)) : 0);
    if (of.kind == Kind::event && !of.owner && !of.waiter) nodes.own(waiter, at);
    if (const int status = resume(scope, nodes, type, waiter); status != 0) return status;
  }
  return 0;
}

int begin_process(Scope scope, Nodes& nodes, const plain::LpType& type, Offset at) {
  const Offset process = nodes.node(at).place;
  nodes.free(at);
  give(nodes, process, Outcome::value, 0, 0);
  return resume(scope, nodes, type, process);
}

// Nodes are not copied here as a whole: their members were written one by one just before.
int process_node(Scope scope, Nodes& nodes, const plain::LpType& type, Offset at) {
  const Kind kind = nodes.node(at).kind;
  if (kind == Kind::beginning) return begin_process(scope, nodes, type, at);
  if (kind == Kind::interruption) return deliver_interruption(scope, nodes, type, at);
  nodes.write_node(at).status = Status::processed;
  if (kind == Kind::any || kind == Kind::all) close_condition(nodes, at);
  if (kind == Kind::release && nodes.node(at).place) deal_resource(scope, nodes, nodes.node(at).place);
  if (kind == Kind::put) deal_gets(scope, nodes, at);
  if (kind == Kind::get) deal_puts(scope, nodes, at);
  if (kind == Kind::event && nodes.node(at).has_failed && !nodes.node(at).waiter)
    nodes.fail("an event has failed for which nothing waits");
  const std::uint32_t generation = nodes.node(at).generation;
  if (const int status = wake_waiters(scope, nodes, type, at); status != 0) return status;
  const Node& left = nodes.node(at);
  if (left.generation == generation && !left.owner && !left.is_nested && !is_used(left)) free_any(nodes, at);
  return 0;
}

/// Sends the LP what wakes it when its first timeout is due, unless something does before.
void arrange_wake(Scope scope, Nodes& nodes, const plain::LpType& type) {
  const Agenda& agenda = nodes.agenda();
  if (agenda.settling.count > 0 && !agenda.is_to_settle) {
    nodes.write_agenda().is_to_settle = true;
    plain::send(scope.call, type.settle_event, scope.call.self, 0.0, nullptr);
  }
  take_due(nodes, scope);  // none is, but those go that nobody waits for any more
  if (agenda.timeouts.count == 0) return;
  const double due = region::top_priority(scope.region, agenda.timeouts);
  region::List wakes = agenda.wakes;
  if (wakes.count > 0) {
    double first;
    std::memcpy(&first, region::element(scope.region, wakes, wakes.count - 1, sizeof first), sizeof first);
    if (first <= due) return;
  }
  if (std::isinf(due)) return;
  if (std::byte* const to = region::push_back(scope.region, wakes, sizeof due))
    std::memcpy(to, &due, sizeof due);
  nodes.write_agenda().wakes = wakes;
  plain::send(scope.call, type.wake_event, scope.call.self, due, nullptr, {.at_time = true});
}

}  // namespace

bool prepare(Region& region) noexcept {
  return !region.is_empty() || region.allocate(sizeof(Agenda)) == Region::kFirst;
}

int run(Scope scope, const plain::LpType& type) noexcept {
  Nodes nodes(scope);
  bool may_be_due = true;
  while (const Offset at = next_node(nodes, scope, may_be_due)) {
    if (const int status = process_node(scope, nodes, type, at); status != 0) return status;
    if (scope.call.frame->halt) return 0;
  }
  arrange_wake(scope, nodes, type);
  return 0;
}

int wake(void* state, const void*, plain::Call&) {
  Nodes nodes{Scope(state)};
  region::List wakes = nodes.agenda().wakes;
  region::pop_back(wakes);
  nodes.write_agenda().wakes = wakes;
  return 0;
}

int settle(void* state, const void*, plain::Call&) {
  const Scope scope(state);
  Nodes nodes(scope);
  nodes.write_agenda().is_to_settle = false;
  for (region::List waiting = nodes.agenda().settling; waiting.count > 0;) {
    const Offset place =
        *reinterpret_cast<const Offset*>(region::element(scope.region, waiting, 0, sizeof(Offset)));
    region::pop_front(waiting);
    nodes.write_agenda().settling = waiting;
    settle_resource(nodes, place);
  }
  return 0;
}

}  // namespace anachron::process
