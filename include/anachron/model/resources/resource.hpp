// Places that customers use for a while: tellers, machines, beds.
//
// A resource deals with each request at once, and the LP hears of it by an event behind all else in the next
// step. Until the LP handles that event, the resource may take it back for a more urgent request. So the
// order of simultaneous requests and releases does not matter, as if the resource dealt when the instant
// ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/model/context.hpp>
#include <anachron/model/equal.hpp>
#include <anachron/model/resources/line.hpp>
#include <anachron/model/resources/token.hpp>

namespace anachron {
namespace detail {

/// A request that has no place, or one that it may lose.
///
///   has_place   news        the LP
///   false       none        waits for a place
///   true        Granted     has not heard yet of the place
///   true        none        uses the place
///   false       Preempted   has not heard yet that the place is lost
template <class Granted>
struct Claim {
  Token token = Token::none;
  std::int32_t priority = 0;
  bool has_place = false;
  EventHandle news;  ///< the event that is under way; names none when the LP has heard it
  Granted granted;

  /// The LP has not heard of a place.
  bool is_waiting() const { return has_place == static_cast<bool>(news); }
  bool has_or_had_place() const { return has_place || news; }
  bool is_leaving() const { return !has_place && news; }
  friend bool operator==(const Claim& a, const Claim& b)
    requires HasEqualValues<Granted>
  {
    return a.token == b.token && a.priority == b.priority && a.has_place == b.has_place && a.news == b.news &&
           equal_values(a.granted, b.granted);
  }
};

/// The smallest priority first.
struct MoreUrgent {
  bool operator()(const auto& a, const auto& b) const { return a.priority < b.priority; }
};

}  // namespace detail

/// Places, and a line of requests that wait for one: the smallest priority first, equal ones in the order in
/// which they came. When a request gets a place, the resource sends its `Granted` to the LP without delay,
/// behind all else in the next step. `Granted` is copyable and has a public member `an::Token token`, which
/// the resource sets.
///
/// With a `Preempted`, a more urgent request takes the place of the least urgent one, of equal ones the last.
/// The LP gets `Preempted{granted}` for the request that has lost its place, and the resource forgets it. If
/// a place becomes free at the same instant, no request loses one.
///
/// A function takes time in proportion to the places in use, and `cancel` also to the requests that wait;
/// with pre-emption or priorities, all do. A state that is copied before each event copies the requests.
template <class Granted, class Preempted = void>
class Resource {
  static constexpr bool kPreempts = !std::is_void_v<Preempted>;
  static_assert(detail::HasToken<Granted>,
                "anachron: the event by which a resource grants a place needs `an::Token token;`: the place "
                "is given back with it");
  static_assert(
      !kPreempts || requires(const Granted& granted) { Preempted{granted}; },
      "anachron: write the event of a pre-empted user as `struct Preempted { Granted granted; };`");

 public:
  Resource() = default;
  /// With so many places. Without an argument there is one.
  explicit Resource(std::uint32_t capacity) : capacity_(capacity) {}

  /// Asks for a place. Returns the request's token.
  template <class Lp>
  Token request(Context<Lp>& cx, Granted granted, std::int32_t priority = 0) {
    listen(cx);
    const Token token = granted.token = tokens_.next();
    line_.add({token, priority, false, {}, std::move(granted)});
    deal(cx);
    return token;
  }
  /// Gives a place back. Returns false, and does nothing, when the request has none: it waits, its
  /// `Preempted` has been handled, or there is no such request.
  template <class Lp>
  bool release(Context<Lp>& cx, Token token) {
    listen(cx);
    const bool had_place = std::erase(users_, token) > 0 ||
                           leave(cx, token, [](const auto& claim) { return claim.has_or_had_place(); });
    if (had_place) deal(cx);
    return had_place;
  }
  /// Takes a request back. Returns false, and does nothing, when its `Granted` has been handled already, or
  /// there is no such request. After true, no `Granted` comes for it any more.
  template <class Lp>
  bool cancel(Context<Lp>& cx, Token token) {
    listen(cx);
    const bool has_left = leave(cx, token, [](const auto& claim) { return claim.is_waiting(); });
    if (has_left) deal(cx);
    return has_left;
  }
  /// From now on there are this many places. Without pre-emption, users in excess stay until they give their
  /// places back.
  template <class Lp>
  void set_capacity(Context<Lp>& cx, std::uint32_t capacity) {
    listen(cx);
    capacity_ = capacity;
    deal(cx);
  }

  /// Places, in use or free.
  std::uint32_t capacity() const { return capacity_; }
  /// Places in use, including those whose `Granted` is under way.
  std::size_t count() const { return users_.size() + in_front(); }
  /// Requests without a place.
  std::size_t waiting() const { return line_.size() - in_front() - leaving_; }

  template <class Archive>
    requires Encodable<detail::Line<detail::Claim<Granted>, detail::MoreUrgent>>
  void serialize(Archive& ar) {
    ar(capacity_, tokens_, users_, line_, leaving_);
  }
  friend bool operator==(const Resource&, const Resource&) = default;

 private:
  using Claim = detail::Claim<Granted>;

  // Invariant: of the line, so many of the first ones have a place as `users_` leaves free.
  std::size_t free_places() const { return capacity_ - std::min<std::size_t>(capacity_, users_.size()); }
  std::size_t in_front() const { return std::min(line_.size(), free_places()); }

  /// Notes which news the LP has heard. Without pre-emption, who has heard of a place keeps it for good.
  template <class Lp>
  void listen(const Context<Lp>& cx) {
    for (std::size_t i = 0; i < line_.size();) {
      Claim& claim = line_[i];
      if (!claim.has_place && leaving_ == 0) return;
      const bool has_heard = !cx.is_to_come(claim.news);
      const bool leaves_line = has_heard && (claim.is_leaving() || (claim.has_place && !kPreempts));
      if (has_heard) claim.news = {};
      if (!leaves_line) {
        ++i;
        continue;
      }
      if (claim.has_place)
        users_.push_back(claim.token);
      else
        --leaving_;
      line_.take(i);
    }
  }
  /// Brings the invariant back after one of the line has come or left, or the number of places has changed.
  template <class Lp>
  void deal(Context<Lp>& cx) {
    for (std::size_t i = 0; i < line_.size(); ++i) {
      const bool gets_place = i < free_places();
      if (line_[i].has_place != gets_place)
        turn(cx, line_[i]);
      else if (!gets_place)
        return;
    }
  }
  /// Gives a place to a request, or takes its place. The LP hears of neither if the opposite was still news.
  template <class Lp>
  void turn(Context<Lp>& cx, Claim& claim) {
    claim.has_place = !claim.has_place;
    if (claim.news) {
      take_back(cx, claim);
      if (claim.has_place) --leaving_;
    } else if (claim.has_place) {
      claim.news = detail::tell(cx, claim.granted);
    } else if constexpr (kPreempts) {
      claim.news = detail::tell(cx, Preempted{claim.granted});
      ++leaving_;
    }
  }
  template <class Lp>
  static void take_back(Context<Lp>& cx, Claim& claim) {
    cx.cancel(std::exchange(claim.news, {}));
  }
  /// Removes a request from the line.
  template <class Lp>
  bool leave(Context<Lp>& cx, Token token, auto may_leave) {
    const auto at = line_.find(token);
    if (!at || !may_leave(line_[*at])) return false;
    Claim claim = line_.take(*at);
    if (claim.is_leaving()) --leaving_;
    take_back(cx, claim);
    return true;
  }

  std::uint32_t capacity_ = 1;
  detail::Tokens tokens_;
  std::vector<Token> users_;  // have a place for good; none with pre-emption
  detail::Line<Claim, detail::MoreUrgent> line_;
  std::uint32_t leaving_ = 0;  // how many of the line are
};

/// A resource whose users may lose their places to more urgent requests.
template <class Granted, class Preempted>
using PreemptiveResource = Resource<Granted, Preempted>;

}  // namespace anachron
