// A queue of small values that is cheap to copy: an LP's state is copied often.
#pragma once

#include <cstddef>
#include <vector>

namespace anachron::models::queueing {

/// First in, first out; a vector of which the front is given back when it is most of it.
template <class T>
class Fifo {
 public:
  bool empty() const { return head_ == items_.size(); }
  std::size_t size() const { return items_.size() - head_; }
  void push(const T& item) { items_.push_back(item); }
  /// Ahead of all others: for who was sent back. Linear in the size.
  void push_front(const T& item) {
    if (head_ > 0)
      items_[--head_] = item;
    else
      items_.insert(items_.begin(), item);
  }
  /// Precondition: not empty.
  T pop() {
    const T item = items_[head_++];
    if (head_ == items_.size() || head_ > 16 + items_.size() / 2) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    return item;
  }

  friend bool operator==(const Fifo& a, const Fifo& b) {
    return std::vector<T>(a.items_.begin() + static_cast<std::ptrdiff_t>(a.head_), a.items_.end()) ==
           std::vector<T>(b.items_.begin() + static_cast<std::ptrdiff_t>(b.head_), b.items_.end());
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

}  // namespace anachron::models::queueing
