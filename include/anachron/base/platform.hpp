// What the code assumes of the processor: line size, prefetch, pause.
#pragma once

#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

/// For what runs with every event: the compiler's own judgement leaves calls there that cost more than they
/// do.
#define ANACHRON_INLINE [[gnu::always_inline]] inline

namespace anachron {

/// Fields written by different threads are kept this far apart. Two lines, because the adjacent-line
/// prefetcher of common processors moves pairs.
inline constexpr std::size_t kNoSharing = 128;
inline constexpr std::size_t kCacheLine = 64;

/// Fetches a cache line to be written, away from other cores that have it.
// Inlined before anything else: GCC 12 finds that a function which only does this has no effect, and drops
// calls of it.
ANACHRON_INLINE void prefetch(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }
/// Fetches the cache line at `p` to be read: what a model's `foresee` calls. Any address is allowed; a bad
/// one has no effect.
ANACHRON_INLINE void prefetch_to_read(const void* p) noexcept { __builtin_prefetch(p, 0, 3); }

/// One step of a spin loop.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits politely: spins for a while, then gives the core away.
class Backoff {
 public:
  /// When there are more threads than cores: the thread that is waited for probably wants this core.
  static constexpr unsigned kFewSpins = 64;
  /// When there are cores for all, some 50 microseconds. Giving a core away to a foreign process costs its
  /// time slice, so it pays only when the thread that is waited for has lost its core as well.
  static constexpr unsigned kManySpins = 2000;

  explicit Backoff(unsigned spins = kFewSpins) : spins_(spins) {}

  void wait() noexcept {
    ++rounds_;
    if (rounds_ < spins_)
      pause();
    else
      give_away();
  }
  void reset() noexcept { rounds_ = 0; }

  /// How long others have had the core since the last call.
  std::chrono::nanoseconds take_away() noexcept { return std::exchange(away_, {}); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kSoon{100}, kSleep{50};

  /// When the core does not come back soon, another process is at work on it, so this thread sleeps for a
  /// while. Schedulers count a core given away as a time slice used up. So next to other processes a thread
  /// that only yields gets less and less. When it does, all threads wait for each other, and a sleeping one
  /// holds them up.
  void give_away() noexcept {
    const Clock::time_point now = Clock::now();
    const bool sleeps = now < wake_;
    sleeps ? std::this_thread::sleep_for(kSleep) : std::this_thread::yield();
    const Clock::time_point back = Clock::now();
    if (!sleeps && back - now <= kSoon) return;
    away_ += back - now;
    if (!sleeps) wake_ = back + 4 * (back - now);
  }

  unsigned spins_;
  unsigned rounds_ = 0;
  Clock::time_point wake_;  ///< until then it sleeps
  std::chrono::nanoseconds away_{0};
};

}  // namespace anachron
