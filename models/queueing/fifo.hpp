// A queue in an LP's state of which an event logs what it takes and adds, so that undoing it costs no copy.
#pragma once

#include <span>
#include <type_traits>

#include <anachron/model/logged.hpp>

#include "common/ring.hpp"

namespace anachron::models::queueing {

/// First in, first out, of small values, in a ring that grows as it is needed. Handlers that log may not
/// change anything else, so these functions are const, too. Precondition: it stays where it is while events
/// can be undone.
template <class T>
class Fifo {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return ring_.empty(); }

  template <class Lp>
  void push(Logged<Lp>& log, const T& item) const {
    ring_.make_room();  // first: where this fails, nothing is to be undone
    keep<Lp>(log, [](Lp&, std::span<const Fifo* const> from) { from.front()->ring_.take_back(); });
    ring_.push(item);
  }
  /// Ahead of all others: for who was sent back.
  template <class Lp>
  void push_front(Logged<Lp>& log, const T& item) const {
    ring_.make_room();
    keep<Lp>(log, [](Lp&, std::span<const Fifo* const> from) { from.front()->ring_.pop(); });
    ring_.put_back(item);
  }
  /// Precondition: not empty.
  template <class Lp>
  T pop(Logged<Lp>& log) const {
    const Taken taken{this, ring_.front()};
    // There is room: where an event is undone, that which it had taken has left some.
    log.keep(
        std::span(&taken, 1),
        +[](Lp&, std::span<const Taken> back) { back.front().from->ring_.put_back(back.front().item); });
    return ring_.pop();
  }

  template <class Archive>
  void serialize(Archive& ar) {
    ring_.serialize(ar);
  }
  friend bool operator==(const Fifo&, const Fifo&) = default;

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

  mutable Ring<T> ring_;
};

}  // namespace anachron::models::queueing
