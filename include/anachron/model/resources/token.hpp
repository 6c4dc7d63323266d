// The name of a request, and how an LP hears what became of it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <anachron/model/context.hpp>

namespace anachron {

/// Names a request to a resource, a container or a store. Each of these counts its own requests from 1, so
/// two of them may use the same token.
enum class Token : std::uint64_t { none };

/// Stands for an event that the LP does not want: no event is sent.
struct NoEvent {
  friend bool operator==(const NoEvent&, const NoEvent&) = default;
};

namespace detail {

/// Counts requests.
class Tokens {
 public:
  Token next() { return last_ = static_cast<Token>(static_cast<std::uint64_t>(last_) + 1); }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(last_);
  }
  friend bool operator==(const Tokens&, const Tokens&) = default;

 private:
  Token last_ = Token::none;
};

template <class Event>
concept HasToken = requires(Event& event) { event.token = Token::none; };

/// Sends the event to the LP itself without delay. It comes behind all else in its step, so that what is
/// asked for at the same instant is known by then. Several come in the order of sending.
template <class Lp, class Event>
EventHandle tell(Context<Lp>& cx, const Event& event) {
  if constexpr (std::is_same_v<Event, NoEvent>)
    return {};
  else
    return cx.send(cx.self(), 0, event, Order{.priority = Order::kGreatest, .in_order = true});
}

}  // namespace detail
}  // namespace anachron
