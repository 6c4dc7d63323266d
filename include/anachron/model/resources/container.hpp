// An amount of what can be divided: petrol in a tank, money in a till.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>

#include <anachron/model/context.hpp>
#include <anachron/model/resources/exchange.hpp>
#include <anachron/model/resources/token.hpp>

namespace anachron {

/// An amount between 0 and a capacity, in a unit of the model. A request for more than there is waits, and so
/// does one that brings more than there is room for. Each line is served in the order of arrival: a request
/// for little does not overtake.
///
/// When a request is served, its event goes to the LP without delay, behind all else in the next step. The
/// container sets the event's member `an::Token token`, if it has one. Leave `Put` out when the LP need not
/// hear that an amount found room.
///
/// A function takes amortised constant time for each request that it serves, and `cancel` looks through the
/// lines. A state that is copied before each event copies both lines.
template <class Got, class Put = NoEvent>
class Container {
 public:
  /// An empty one, with room without limit.
  Container() : Container(std::numeric_limits<double>::infinity()) {}
  /// Throws std::invalid_argument unless 0 <= level <= capacity, above 0.
  explicit Container(double capacity, double level = 0) : capacity_(capacity), level_(level) {
    if (!(capacity > 0 && level >= 0 && level <= capacity))
      throw std::invalid_argument("an::Container: the level is not between 0 and the capacity");
  }

  /// Brings an amount. Throws std::invalid_argument unless it is above 0, finite and at most the capacity.
  /// Returns the request's token.
  template <class Lp>
  Token put(Context<Lp>& cx, double amount, Put event = {}) {
    check(amount);
    const Token token = requests_.put(amount, std::move(event));
    deal(cx);
    return token;
  }
  /// Asks for an amount. Throws and returns the same as `put`.
  template <class Lp>
  Token get(Context<Lp>& cx, double amount, Got event) {
    check(amount);
    const Token token = requests_.get(amount, std::move(event));
    deal(cx);
    return token;
  }
  /// Takes back a request that waits. Returns false, and does nothing, when it was served already, or there
  /// is no such request.
  template <class Lp>
  bool cancel(Context<Lp>& cx, Token token) {
    if (!requests_.remove(token)) return false;
    deal(cx);  // a smaller one may have been behind it
    return true;
  }

  /// The most that there may be, in the model's unit.
  double capacity() const { return capacity_; }
  /// The amount that there is.
  double level() const { return level_; }
  /// Requests that wait for room.
  std::size_t waiting_puts() const { return requests_.puts(); }
  /// Requests that wait for an amount.
  std::size_t waiting_gets() const { return requests_.gets(); }

  template <class Archive>
    requires Encodable<detail::Exchange<double, Put, double, Got>>
  void serialize(Archive& ar) {
    ar(capacity_, level_, requests_);
  }
  friend bool operator==(const Container&, const Container&) = default;

 private:
  void check(double amount) const {
    if (!(amount > 0 && amount <= capacity_ && std::isfinite(amount)))
      throw std::invalid_argument(
          "an::Container: an amount is above 0, finite, and not more than the capacity");
  }
  template <class Lp>
  void deal(Context<Lp>& cx) {
    const auto serve_put = [this](const auto& put) {
      if (put.what > capacity_ - level_) return false;
      level_ += put.what;
      return true;
    };
    const auto serve_get = [this](const auto& get) {
      if (get.what > level_) return false;
      level_ -= get.what;
      return true;
    };
    requests_.deal(cx, serve_put, serve_get);
  }

  double capacity_, level_;
  detail::Exchange<double, Put, double, Got> requests_;
};

}  // namespace anachron
