// A bounded lock-free queue with many producers and one consumer: an array of slots, each of which is vacant
// for one position or holds the value of one. A slot tells for which position it is vacant. So a producer
// that was asleep for a whole turn of the array cannot fill it. MUSE, section 4.1, took one of Boost's for
// events between threads. The array is that of P. Tsigas and Y. Zhang ("A simple, fast and scalable
// non-blocking concurrent FIFO queue for shared memory multiprocessor systems", SPAA 2001). The number of the
// position is instead of their two kinds of null.
//
// Positions are filled in order: a producer goes on to the next when it has seen that one filled, by itself
// or by another. The consumer reads from the first on until one is vacant. So it sees all that was accepted,
// and a producer that stops anywhere holds up no other. It would where a producer first takes its place and
// then fills it, as in D. Vyukov's bounded queue.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include <anachron/base/platform.hpp>

namespace anachron::channel {

/// T is trivially copyable, has 8 bytes, and its bit 1 (of value 2) is never set. Atomic: for tests that want
/// to step through it.
template <class T, template <class> class Atomic = std::atomic>
class BoundedQueue {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(std::uint64_t));

 public:
  /// `capacity`: rounded up to a power of two.
  explicit BoundedQueue(std::size_t capacity)
      : capacity_(std::bit_ceil(capacity)), slots_(std::make_unique<Atomic<std::uint64_t>[]>(capacity_)) {
    for (std::uint64_t at = 0; at < capacity_; ++at) slot(at).store(vacant(at), std::memory_order_relaxed);
  }
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  std::size_t capacity() const { return capacity_; }
  std::size_t bytes() const { return capacity_ * sizeof(std::uint64_t); }

  /// Producers. Returns how many of the values, from the first on, it has accepted: all, or as many as there
  /// was room for. These are in the queue one behind the other, with those of others between them.
  std::size_t push(std::span<const T> values) noexcept {
    // Both are behind, if anything: all before them was filled. Acquire also what other producers have
    // filled: when the consumer knows of what is pushed here, it finds no gap before it.
    std::uint64_t drained = drained_.load(std::memory_order_acquire);
    std::uint64_t at = std::max(filled_.load(std::memory_order_acquire), drained);
    std::size_t accepted = 0;
    while (accepted < values.size()) {
      if (at - drained >= capacity_) {
        // Acquire: pairs with `drain`; where it is past, the slot is vacant for the next turn.
        drained = drained_.load(std::memory_order_acquire);
        at = std::max(at, drained);
        if (at - drained >= capacity_) break;
      }
      std::uint64_t seen = vacant(at);
      // Release: pairs with the acquire in `drain`; carries what the value points to.
      if (slot(at).compare_exchange_strong(seen, std::bit_cast<std::uint64_t>(values[accepted]),
                                           std::memory_order_release, std::memory_order_acquire)) {
        ++accepted;
        ++at;
      } else {
        // It is filled, or was and is vacant for a later turn.
        at = is_vacant(seen) ? position_of(seen) - capacity_ + 1 : at + 1;
      }
    }
    advance(at);
    return accepted;
  }

  /// Consumer: calls `take(values)` with arrays of what is in the queue, oldest first. `take` removes from
  /// the front of the span what it has taken; when it throws, the rest comes again. Returns how many there
  /// were: at most as many as fit, however fast others push.
  template <class Take>
  std::uint64_t drain(Take&& take) {
    const std::uint64_t begin = next_, end = begin + capacity_;
    std::array<T, kArray> values;
    while (next_ != end) {
      std::size_t n = 0;
      for (; n < kArray && next_ + n != end; ++n) {
        // Acquire: pairs with `push`.
        const std::uint64_t seen = slot(next_ + n).load(std::memory_order_acquire);
        if (is_vacant(seen)) break;
        values[n] = std::bit_cast<T>(seen);
      }
      if (n == 0) break;
      std::span<const T> left(values.data(), n);
      const struct Progress {  // also when `take` throws
        BoundedQueue& queue;
        const std::span<const T>& left;
        const std::size_t n;
        ~Progress() { queue.vacate(n - left.size()); }
      } progress{*this, left, n};
      while (!left.empty()) take(left);
    }
    return next_ - begin;
  }

 private:
  static constexpr std::size_t kArray = 64;
  static constexpr std::uint64_t kVacant = 2;

  static std::uint64_t vacant(std::uint64_t position) { return position << 2 | kVacant; }
  static bool is_vacant(std::uint64_t bits) { return bits & kVacant; }
  static std::uint64_t position_of(std::uint64_t bits) { return bits >> 2; }
  Atomic<std::uint64_t>& slot(std::uint64_t position) { return slots_[position & (capacity_ - 1)]; }

  /// All before `at` is filled.
  void advance(std::uint64_t at) noexcept {
    std::uint64_t filled = filled_.load(std::memory_order_relaxed);
    // Release: pairs with the acquire in `push`.
    while (filled < at &&
           !filled_.compare_exchange_weak(filled, at, std::memory_order_release, std::memory_order_relaxed))
      continue;
  }
  /// The next so many positions were read.
  void vacate(std::size_t count) noexcept {
    for (const std::uint64_t end = next_ + count; next_ != end; ++next_)
      slot(next_).store(vacant(next_ + capacity_), std::memory_order_relaxed);
    // Release: pairs with the acquire in `push`; the slots are vacant.
    drained_.store(next_, std::memory_order_release);
  }

  const std::size_t capacity_;
  const std::unique_ptr<Atomic<std::uint64_t>[]> slots_;
  // Where producers begin to look: written by them.
  alignas(kNoSharing) Atomic<std::uint64_t> filled_{0};
  // Written by the consumer, read by producers.
  alignas(kNoSharing) Atomic<std::uint64_t> drained_{0};
  // Of the consumer.
  alignas(kNoSharing) std::uint64_t next_ = 0;
};

}  // namespace anachron::channel
