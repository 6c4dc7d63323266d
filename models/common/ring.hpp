// A queue whose both ends can be undone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace anachron::models {

/// First in, first out, in a ring that grows. What was pushed behind can be taken back, and what was popped
/// in front can be put back: O(1) each. Empty ones own no memory until something is pushed, unlike a
/// std::deque.
template <class T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Precondition: not empty.
  const T& front() const { return ring_[first_]; }

  void push(const T& value) {
    make_room();
    ring_[at(size_++)] = value;
  }
  /// Preconditions of these two: not empty.
  T pop() {
    const T value = ring_[first_];
    first_ = at(1);
    --size_;
    return value;
  }
  T take_back() { return ring_[at(--size_)]; }
  void put_back(const T& value) {
    make_room();
    first_ = at(ring_.size() - 1);
    ring_[first_] = value;
    ++size_;
  }

  /// The next value that is pushed or put back takes no memory.
  void make_room() {
    if (size_ < ring_.size()) return;
    std::vector<T> larger(std::max<std::size_t>(4, 2 * ring_.size()));
    for (std::size_t k = 0; k < size_; ++k) larger[k] = ring_[at(k)];
    ring_.swap(larger);
    first_ = 0;
  }

  template <class Archive>
  void serialize(Archive& ar) {
    std::vector<T> items;
    if constexpr (!Archive::kIsReading)
      for (std::size_t k = 0; k < size_; ++k) items.push_back(ring_[at(k)]);
    ar(items);
    if constexpr (Archive::kIsReading) {
      first_ = 0;
      size_ = items.size();
      ring_ = std::move(items);
      if (size_ > 0) ring_.resize(std::bit_ceil(size_));
    }
  }
  friend bool operator==(const Ring& a, const Ring& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t k = 0; k < a.size_; ++k)
      if (!(a.ring_[a.at(k)] == b.ring_[b.at(k)])) return false;
    return true;
  }

 private:
  std::size_t at(std::size_t k) const { return (first_ + k) & (ring_.size() - 1); }

  std::vector<T> ring_;  // a power of two, or empty
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace anachron::models
