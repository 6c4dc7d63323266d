// Runs small programs of several threads in every order of their accesses to atomics: a model checker for
// lock-free code, which takes its atomics from here instead of std::atomic. Accesses are sequentially
// consistent; whether weaker orders are enough is for ThreadSanitizer and the comments in the code.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace anachron::test {

class Interleaver {
 public:
  using Thread = std::function<void()>;

  /// Calls `begin`, which returns the threads, runs them in one order, and calls `end`; again for every order
  /// in which a thread that could go on is interrupted at most `most_interruptions` times. Returns how many
  /// orders that were. The threads must come to an end whatever the others do, and throw nothing.
  static std::uint64_t explore(const std::function<std::vector<Thread>()>& begin,
                               const std::function<void()>& end, unsigned most_interruptions);

  /// Before each access to an atomic: another thread may go on here.
  static void step();
};

/// What std::atomic has, as far as queues need it.
template <class T>
class SteppedAtomic {
 public:
  SteppedAtomic() = default;
  SteppedAtomic(T value) : value_(value) {}  // NOLINT: as std::atomic

  T load(std::memory_order) const {
    Interleaver::step();
    return value_;
  }
  void store(T value, std::memory_order) {
    Interleaver::step();
    value_ = value;
  }
  T exchange(T value, std::memory_order) {
    Interleaver::step();
    const T before = value_;
    value_ = value;
    return before;
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order, std::memory_order) {
    Interleaver::step();
    if (value_ == expected) {
      value_ = value;
      return true;
    }
    expected = value_;
    return false;
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order success, std::memory_order failure) {
    return compare_exchange_strong(expected, value, success, failure);
  }

 private:
  T value_{};
};

}  // namespace anachron::test
