// Containers of what can be divided, and stores of items. Puts and gets that cannot be served wait in line.
// As in SimPy a put that was processed lets gets try, and a get puts.
#include <algorithm>
#include <cstring>

#include "model/plain/plain_types.hpp"
#include "model/process/node.hpp"

namespace anachron::process {
namespace {

Queue& line_of(Nodes& nodes, const Node& of) {
  if (of.of_store) {
    auto& store = nodes.place<Store>(of.place);
    return of.kind == Kind::put ? store.puts : store.gets;
  }
  auto& container = nodes.place<Container>(of.place);
  return of.kind == Kind::put ? container.puts : container.gets;
}

void serve(Nodes& nodes, Queue& line, Offset at) {
  nodes.remove(line, at);
  nodes.trigger(at);
}

double amount_of(const Node& of) {
  double amount;
  std::memcpy(&amount, &of.value, sizeof amount);
  return amount;
}

void deal_container(Nodes& nodes, Container& of, bool puts) {
  Queue& line = puts ? of.puts : of.gets;
  while (line.first) {
    const double amount = amount_of(nodes.node(line.first));
    if (puts ? of.capacity - of.level < amount : of.level < amount) return;
    of.level += puts ? amount : -amount;
    serve(nodes, line, line.first);
  }
}

std::uint32_t items_in(const Store& store) {
  return store.is_ordered ? store.ordered.count : store.items.count;
}

void deal_puts_of(Scope scope, Nodes& nodes, Store& store) {
  const Offset first = store.puts.first;
  if (!first || items_in(store) >= store.capacity) return;
  const std::uint32_t bytes = nodes.node(first).bytes;
  std::byte* const to = store.is_ordered
                            ? region::push(scope.region, store.ordered, nodes.node(first).time, bytes)
                            : region::push_back(scope.region, store.items, bytes);
  if (!to) return;
  std::memcpy(to, nodes.item(nodes.node(first)), bytes);
  serve(nodes, store.puts, first);
}

/// The number of the item that a get takes; that of items: there is none.
std::uint32_t wanted(Scope scope, Nodes& nodes, const Store& store, const Node& get, std::uint32_t bytes) {
  if (get.filter == 0) return 0;
  const plain::Filter filter = plain::lp_type_of(scope.call).description.filters[get.filter - 1];
  const std::uint32_t count = store.items.count;
  for (std::uint32_t i = 0; i < count; ++i)
    if (filter(scope.state, region::element(scope.region, store.items, i, bytes), nodes.item(get),
               scope.call) > 0)
      return i;
  return count;
}

/// Returns whether the next one may try as well.
bool serve_get(Scope scope, Nodes& nodes, Store& store, Offset at) {
  const auto bytes = static_cast<std::uint32_t>(nodes.node(at).priority);
  const bool has_filter = nodes.node(at).filter != 0;
  const std::uint32_t i =
      items_in(store) > 0 ? wanted(scope, nodes, store, nodes.node(at), bytes) : items_in(store);
  if (i < items_in(store)) {
    nodes.free_item(nodes.write_node(at));  // what the filter got
    std::byte item[kMostItem];
    if (store.is_ordered) {
      std::memcpy(item, region::pop(scope.region, store.ordered, bytes), bytes);
    } else {
      std::memcpy(item, region::element(scope.region, store.items, i, bytes), bytes);
      region::erase(scope.region, store.items, i, bytes);
    }
    nodes.set_item(nodes.write_node(at), item, bytes);
    serve(nodes, store.gets, at);
  }
  return has_filter;
}

void deal_gets_of(Scope scope, Nodes& nodes, Store& store) {
  for (Offset at = store.gets.first; at;) {
    const Offset next = nodes.node(at).next;
    if (!serve_get(scope, nodes, store, at)) return;
    at = next;
  }
}

Offset make_in_line(Nodes& nodes, Kind kind, const void* place, bool of_store) {
  const Offset at = nodes.make(kind);
  if (!at) return 0;
  Node& made = nodes.write_node(at);
  made.place = nodes.offset_of(place);
  made.of_store = of_store;
  return at;
}

Handle move_amount(Scope scope, Container& container, Kind kind, double amount) {
  Nodes nodes(scope);
  const Offset at = make_in_line(nodes, kind, &container, false);
  if (!at) return 0;
  std::memcpy(&nodes.write_node(at).value, &amount, sizeof amount);
  nodes.append(kind == Kind::put ? container.puts : container.gets, at);
  deal_container(nodes, container, kind == Kind::put);
  return nodes.handle(at);
}

}  // namespace

Handle put_amount(Scope scope, Container& container, double amount) noexcept {
  return move_amount(scope, container, Kind::put, amount);
}

Handle get_amount(Scope scope, Container& container, double amount) noexcept {
  return move_amount(scope, container, Kind::get, amount);
}

Handle put_item(Scope scope, Store& store, const void* item, std::uint32_t bytes, double priority) noexcept {
  Nodes nodes(scope);
  const Offset at = make_in_line(nodes, Kind::put, &store, true);
  if (!at) return 0;
  nodes.write_node(at).time = priority;
  nodes.set_item(nodes.write_node(at), item, bytes);
  nodes.append(store.puts, at);
  deal_puts_of(scope, nodes, store);
  return nodes.handle(at);
}

Handle get_item(Scope scope, Store& store, std::uint32_t bytes) noexcept {
  return get_item_if(scope, store, bytes, 0, nullptr, 0);
}

Handle get_item_if(Scope scope, Store& store, std::uint32_t bytes, std::uint32_t filter, const void* with,
                   std::uint32_t with_bytes) noexcept {
  Nodes nodes(scope);
  const Offset at = make_in_line(nodes, Kind::get, &store, true);
  if (!at) return 0;
  nodes.write_node(at).filter = filter;
  nodes.write_node(at).priority = static_cast<std::int32_t>(bytes);
  if (filter) nodes.set_item(nodes.write_node(at), with, with_bytes);
  nodes.append(store.gets, at);
  deal_gets_of(scope, nodes, store);
  return nodes.handle(at);
}

void deal_puts(Scope scope, Nodes& nodes, Offset at) {
  const Node& of = nodes.node(at);
  if (of.of_store)
    deal_puts_of(scope, nodes, nodes.place<Store>(of.place));
  else
    deal_container(nodes, nodes.place<Container>(of.place), true);
}

void deal_gets(Scope scope, Nodes& nodes, Offset at) {
  const Node& of = nodes.node(at);
  if (of.of_store)
    deal_gets_of(scope, nodes, nodes.place<Store>(of.place));
  else
    deal_container(nodes, nodes.place<Container>(of.place), false);
}

void leave_line(Nodes& nodes, Offset at) { nodes.remove(line_of(nodes, nodes.node(at)), at); }

}  // namespace anachron::process
