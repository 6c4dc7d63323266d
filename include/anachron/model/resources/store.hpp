// Items that some bring and others fetch: parts between two machines, orders, messages.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include <anachron/model/context.hpp>
#include <anachron/model/resources/exchange.hpp>
#include <anachron/model/resources/line.hpp>
#include <anachron/model/resources/token.hpp>

namespace anachron {
namespace detail {
/// What a get asks for.
struct AnyItem {
  friend bool operator==(const AnyItem&, const AnyItem&) = default;
};
}  // namespace detail

/// Items up to a capacity, handed out in the order of `Before`; by default in that of their arrival. A
/// request for an item waits until there is one, and an item waits until there is room. Both lines are served
/// in the order of arrival.
///
/// When a request is served, its event goes to the LP without delay, behind all else in the next step. `Got`
/// has a public member `item`, which the store sets. It also sets the member `an::Token token` of both
/// events, where they have one. Leave `Stored` out when the LP need not hear that an item found room. Items
/// and events are copyable.
///
/// A function takes amortised constant time for each request that it serves. `cancel` looks through the
/// lines, and an item that goes before others moves these. A state that is copied before each event copies
/// all items.
template <class Item, class Got, class Stored = NoEvent, class Before = detail::ByArrival>
class Store {
  static_assert(
      requires(Got& got, Item item) { got.item = std::move(item); },
      "anachron: the event by which a store hands out an item needs a member `item` of its type");

 public:
  /// Room without limit.
  Store() : Store(std::numeric_limits<std::size_t>::max()) {}
  /// Throws std::invalid_argument for a capacity of 0.
  explicit Store(std::size_t capacity) : capacity_(capacity) {
    if (capacity == 0) throw std::invalid_argument("an::Store: a capacity of 0 items");
  }

  /// Brings an item. Returns the request's token.
  template <class Lp>
  Token put(Context<Lp>& cx, Item item, Stored event = {}) {
    const Token token = requests_.put(std::move(item), std::move(event));
    deal(cx);
    return token;
  }
  /// Asks for an item. Returns the request's token.
  template <class Lp>
  Token get(Context<Lp>& cx, Got event) {
    const Token token = requests_.get({}, std::move(event));
    deal(cx);
    return token;
  }
  /// Takes back a request that waits. Returns false, and does nothing, when it was served already, or there
  /// is no such request.
  template <class Lp>
  bool cancel(Context<Lp>&, Token token) {
    return requests_.remove(token);
  }

  /// The most items that there may be.
  std::size_t capacity() const { return capacity_; }
  /// How many items there are.
  std::size_t size() const { return items_.size(); }
  /// The items that are there, the next one first.
  auto begin() const { return items_.begin(); }
  /// Behind the last item.
  auto end() const { return items_.end(); }
  /// Requests that wait for room.
  std::size_t waiting_puts() const { return requests_.puts(); }
  /// Requests that wait for an item.
  std::size_t waiting_gets() const { return requests_.gets(); }

  template <class Archive>
    requires Encodable<detail::Line<Item, Before>> &&
             Encodable<detail::Exchange<Item, Stored, detail::AnyItem, Got>>
  void serialize(Archive& ar) {
    ar(capacity_, items_, requests_);
  }
  friend bool operator==(const Store&, const Store&) = default;

 private:
  template <class Lp>
  void deal(Context<Lp>& cx) {
    const auto serve_put = [this](auto& put) {
      if (items_.size() >= capacity_) return false;
      items_.add(std::move(put.what));
      return true;
    };
    const auto serve_get = [this](auto& get) {
      if (items_.empty()) return false;
      get.event.item = items_.take();
      return true;
    };
    requests_.deal(cx, serve_put, serve_get);
  }

  std::size_t capacity_;
  detail::Line<Item, Before> items_;
  detail::Exchange<Item, Stored, detail::AnyItem, Got> requests_;
};

/// A store that hands out the least item first, by `operator<`.
template <class Item, class Got, class Stored = NoEvent>
using PriorityStore = Store<Item, Got, Stored, std::less<Item>>;

}  // namespace anachron
