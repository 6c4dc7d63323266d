// What requests wait in, and items of a store: elements in order, the first of which leaves first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <anachron/model/encodable.hpp>
#include <anachron/model/equal.hpp>

namespace anachron::detail {

/// No newcomer goes before what is there.
struct ByArrival {
  bool operator()(const auto&, const auto&) const { return false; }
};

/// Elements in the order of `Before`; those that it does not tell apart, in the order of their arrival.
/// Adding behind all and taking the first one take amortised constant time. All else is linear.
template <class T, class Before = ByArrival>
class Line {
 public:
  std::size_t size() const { return elements_.size() - head_; }
  bool empty() const { return size() == 0; }
  auto begin() { return elements_.begin() + offset(head_); }
  auto end() { return elements_.end(); }
  auto begin() const { return elements_.begin() + offset(head_); }
  auto end() const { return elements_.end(); }
  T& front() { return *begin(); }
  T& operator[](std::size_t i) { return elements_[head_ + i]; }

  void add(T x) {
    const bool is_last = empty() || !Before()(x, elements_.back());
    elements_.insert(is_last ? end() : std::upper_bound(begin(), end(), x, Before()), std::move(x));
  }
  /// Precondition: i < size().
  T take(std::size_t i) {
    T taken = std::move((*this)[i]);
    if (i > 0)
      elements_.erase(begin() + offset(i));
    else if (2 * ++head_ >= elements_.size())
      elements_.erase(elements_.begin(), elements_.begin() + offset(std::exchange(head_, 0)));
    return taken;
  }
  T take() { return take(0); }
  /// The place of the element with this token, if it has one.
  template <class Token>
  std::optional<std::size_t> find(Token token) const {
    const auto at = std::find_if(begin(), end(), [=](const T& x) { return x.token == token; });
    if (at == end()) return std::nullopt;
    return static_cast<std::size_t>(at - begin());
  }

  template <class Archive>
    requires Encodable<T>
  void serialize(Archive& ar) {
    if constexpr (Archive::kIsReading) {
      head_ = 0;
      ar(elements_);
    } else {
      ar(std::vector<T>(begin(), end()));
    }
  }
  friend bool operator==(const Line& a, const Line& b)
    requires HasEqualValues<T>
  {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal_values<T>);
  }

 private:
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  std::vector<T> elements_;
  std::size_t head_ = 0;  // what is before has been taken; at most half of all
};

}  // namespace anachron::detail
