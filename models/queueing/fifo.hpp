// A queue in an LP's state of which an event logs what it takes and adds, so that undoing it costs no copy.
#pragma once

#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/model/logged.hpp>

namespace anachron::models::queueing {

/// First in, first out, of small values, in a ring that grows as it is needed. Handlers that log may not
/// change anything else, so these functions are const, too. Precondition: it stays where it is while events
/// can be undone.
template <class T>
class Fifo {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return size_ == 0; }

  template <class Lp>
  void push(Logged<Lp>& log, const T& item) const {
    make_room();  // first: where this fails, nothing is to be undone
    keep<Lp>(log, [](Lp&, std::span<const Fifo* const> from) { --from.front()->size_; });
    at(size_++) = item;
  }
  /// Ahead of all others: for who was sent back.
  template <class Lp>
  void push_front(Logged<Lp>& log, const T& item) const {
    make_room();
    keep<Lp>(log, [](Lp&, std::span<const Fifo* const> from) { from.front()->drop_front(); });
    put_front(item);
  }
  /// Precondition: not empty.
  template <class Lp>
  T pop(Logged<Lp>& log) const {
    const Taken taken{this, at(0)};
    log.keep(
        std::span(&taken, 1),
        +[](Lp&, std::span<const Taken> back) { back.front().from->put_front(back.front().item); });
    drop_front();
    return taken.item;
  }

  template <class Archive>
  void serialize(Archive& ar) {
    std::vector<T> items;
    if constexpr (!Archive::kIsReading)
      for (std::size_t k = 0; k < size_; ++k) items.push_back(at(k));
    ar(items);
    if constexpr (Archive::kIsReading) {
      head_ = 0;
      size_ = items.size();
      ring_ = std::move(items);
      if (size_ > 0) ring_.resize(std::bit_ceil(size_));
    }
  }
  friend bool operator==(const Fifo& a, const Fifo& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.at(i) == b.at(i))) return false;
    return true;
  }

 private:
  struct Taken {
    const Fifo* from;
    T item;
  };

  template <class Lp>
  void keep(Logged<Lp>& log, void (*undo)(Lp&, std::span<const Fifo* const>)) const {
    const Fifo* const self = this;
    log.keep(std::span(&self, 1), undo);
  }

  T& at(std::size_t place) const { return ring_[(head_ + place) & (ring_.size() - 1)]; }
  void make_room() const {
    if (size_ < ring_.size()) return;
    std::vector<T> larger(ring_.empty() ? 4 : 2 * ring_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = at(i);
    ring_.swap(larger);
    head_ = 0;
  }
  /// There is room: where an event is undone, that which it had taken has left some.
  void put_front(const T& item) const {
    head_ = (head_ + ring_.size() - 1) & (ring_.size() - 1);
    ++size_;
    at(0) = item;
  }
  void drop_front() const {
    head_ = (head_ + 1) & (ring_.size() - 1);
    --size_;
  }

  mutable std::vector<T> ring_;  // its size is a power of two
  mutable std::size_t head_ = 0, size_ = 0;
};

}  // namespace anachron::models::queueing
