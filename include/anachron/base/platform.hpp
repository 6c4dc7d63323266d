// What the code assumes of the processor: line size, prefetch, pause.
#pragma once

#include <cstddef>
#include <thread>

namespace anachron {

/// Fields written by different threads are kept this far apart. Two lines, because the adjacent-line
/// prefetcher of common processors moves pairs.
inline constexpr std::size_t kNoSharing = 128;
inline constexpr std::size_t kCacheLine = 64;

inline void prefetch(const void* p) noexcept { __builtin_prefetch(p, 1, 3); }

/// One step of a spin loop.
inline void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits politely: spins for a while, then gives the core away, so that more workers than cores still
/// progress.
class Backoff {
 public:
  void wait() noexcept {
    if (++rounds_ < kSpins)
      pause();
    else
      std::this_thread::yield();
  }
  void reset() noexcept { rounds_ = 0; }

 private:
  static constexpr unsigned kSpins = 64;
  unsigned rounds_ = 0;
};

}  // namespace anachron
