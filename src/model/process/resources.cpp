// Resources that processes use one at a time each. One with priorities deals when the instant ends. Then it
// is clear who wants it, and the most urgent gets it, in whatever order they came.
#include <bit>
#include <cstddef>
#include <cstring>
#include <tuple>

#include "model/process/node.hpp"

namespace anachron::process {
namespace {

bool is_full(const Resource& resource) { return resource.users.count >= resource.capacity; }

/// Smaller ones first: SimPy's order of requests.
auto rank_of(const Node& request) {
  double priority;
  std::memcpy(&priority, &request.bytes, sizeof priority);
  return std::tuple(priority, request.time, request.priority == 0);
}

void grant(Nodes& nodes, Resource& resource, Offset request) {
  nodes.remove(resource.waiting, request);
  nodes.append(resource.users, request);
  nodes.write_node(request).value = std::bit_cast<std::uint64_t>(nodes.now());  // used since
  nodes.trigger(request);
}

/// In front of all that rank behind it.
void insert_by_rank(Nodes& nodes, Queue& queue, Offset added) {
  Offset after = queue.last;
  while (after && rank_of(nodes.node(added)) < rank_of(nodes.node(after))) after = nodes.node(after).previous;
  if (after == queue.last) return nodes.append(queue, added);
  const Offset before = after ? nodes.node(after).next : queue.first;
  nodes.write_node(added).previous = after;
  nodes.write_node(added).next = before;
  nodes.write_node(before).previous = added;
  (after ? nodes.write_node(after).next : queue.first) = added;
  ++queue.count;
}

/// Asks for the end of this instant.
void ask_to_settle(Scope scope, Nodes& nodes, Offset place) {
  region::List waiting = nodes.agenda().settling;
  for (std::uint32_t i = 0; i < waiting.count; ++i)
    if (*reinterpret_cast<const Offset*>(region::element(scope.region, waiting, i, sizeof(Offset))) == place)
      return;
  if (std::byte* const at = region::push_back(scope.region, waiting, sizeof place))
    std::memcpy(at, &place, sizeof place);
  nodes.write_agenda().settling = waiting;
}

/// Takes the resource from its least urgent user for one that is more urgent.
bool preempt(Nodes& nodes, Resource& resource, Offset request) {
  Offset least = resource.users.first;
  for (Offset user = least; user; user = nodes.node(user).next)
    if (!(rank_of(nodes.node(user)) < rank_of(nodes.node(least)))) least = user;  // the last of equal ones
  if (!least || !(rank_of(nodes.node(request)) < rank_of(nodes.node(least)))) return false;
  nodes.remove(resource.users, least);
  const Offset victim = nodes.node(least).owner, by = nodes.node(request).owner;
  nodes.write_node(least).has_left = true;
  if (!victim) return true;
  const Offset interruption = nodes.make_unowned(Kind::interruption);
  if (!interruption) return true;
  name_process(nodes, interruption, victim);
  Node& made = nodes.write_node(interruption);
  made.priority = 1;
  made.time = std::bit_cast<double>(nodes.node(least).value);
  made.value = by ? nodes.handle(nodes.process(by).end) : 0;
  nodes.trigger_urgently(interruption);
  return true;
}

/// `release`: what is triggered by it; when it is processed, the next one gets the resource.
void give_back(Nodes& nodes, Offset release, Offset request) {
  if (!release) return;
  if (request) {
    Node& of = nodes.write_node(request);
    auto& resource = nodes.place<Resource>(of.place);
    if (!of.has_left) nodes.remove(of.status == Status::pending ? resource.waiting : resource.users, request);
    of.has_left = true;
    nodes.write_node(release).place = of.place;
  }
  nodes.trigger(release);
}

}  // namespace

Handle request(Scope scope, Resource& resource, double priority, bool preempts) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.make(Kind::request);
  if (!at) return 0;
  Node& made = nodes.write_node(at);
  made.place = nodes.offset_of(&resource);
  made.priority = preempts;
  static_assert(offsetof(Node, filter) == offsetof(Node, bytes) + sizeof made.bytes);
  std::memcpy(&made.bytes, &priority, sizeof priority);
  made.time = nodes.now();
  if (resource.discipline == Discipline::fifo) {
    nodes.append(resource.waiting, at);
    deal_resource(scope, nodes, made.place);
  } else {
    insert_by_rank(nodes, resource.waiting, at);
    ask_to_settle(scope, nodes, nodes.node(at).place);
  }
  return nodes.handle(at);
}

void deal_resource(Scope scope, Nodes& nodes, Offset place) {
  auto& resource = nodes.place<Resource>(place);
  if (resource.waiting.count == 0) return;
  if (resource.discipline != Discipline::fifo) return ask_to_settle(scope, nodes, place);
  if (is_full(resource)) return;
  grant(nodes, resource, resource.waiting.first);
}

void settle_resource(Nodes& nodes, Offset place) {
  auto& resource = nodes.place<Resource>(place);
  while (const Offset first = resource.waiting.first) {
    const bool may_preempt = resource.discipline == Discipline::preemptive && nodes.node(first).priority != 0;
    if (is_full(resource) && !(may_preempt && preempt(nodes, resource, first))) return;
    grant(nodes, resource, first);
  }
}

void set_capacity(Scope scope, Resource& resource, std::uint32_t capacity) noexcept {
  Nodes nodes(scope);
  resource.capacity = capacity;
  if (resource.discipline != Discipline::fifo && resource.waiting.count > 0)
    return ask_to_settle(scope, nodes, nodes.offset_of(&resource));
  while (resource.waiting.count > 0 && !is_full(resource)) grant(nodes, resource, resource.waiting.first);
}

void leave(Scope scope, Handle handle) noexcept {
  Nodes nodes(scope);
  const Offset at = nodes.find(handle);
  if (!at) return;
  const Node& of = nodes.node(at);
  if (of.kind == Kind::request) {
    give_back(nodes, nodes.make_unowned(Kind::release), at);
  } else if (of.kind == Kind::put || of.kind == Kind::get) {
    if (of.status == Status::pending && !of.has_left) leave_line(nodes, at);
    nodes.write_node(at).has_left = true;
  }
}

Handle release(Scope scope, Handle handle) noexcept {
  Nodes nodes(scope);
  const Offset made = nodes.make(Kind::release), at = nodes.find(handle);
  give_back(nodes, made, at && nodes.node(at).kind == Kind::request ? at : 0);
  return nodes.handle(made);
}

}  // namespace anachron::process
