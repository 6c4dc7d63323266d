// Sorting the few entries of a bucket without branches that a processor would mispredict. The rank of an
// entry is the number of entries that are before it. The ranks of several entries are counted at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "queue/pending_set.hpp"

namespace anachron::queue {

template <class Entry>
class EntrySorter {
 public:
  /// Up to so many entries counting is faster than a sort that branches.
  static constexpr std::size_t kFew = 64;

  /// Sorts so that the next entry is at the back.
  static void sort(std::span<Entry> entries) {
    if (entries.size() < 2) return;
    if (entries.size() > kFew || !sort_few(entries)) std::sort(entries.begin(), entries.end(), after);
  }

 private:
#if defined(__AVX512F__)
  static constexpr std::size_t kLanes = 8;
#elif defined(__AVX__)
  static constexpr std::size_t kLanes = 4;
#else
  static constexpr std::size_t kLanes = 2;
#endif
  using Times = double __attribute__((vector_size(kLanes * sizeof(double))));
  using Counts = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

  /// False, and nothing done, when two entries have the same time: then the whole key must be compared.
  static bool sort_few(std::span<Entry> entries) {
    const std::size_t n = entries.size();
    alignas(64) std::array<double, kFew> times;
    alignas(64) std::array<std::int64_t, kFew> later;  // how many entries are after this one
    std::array<Entry, kFew> copies;
    const std::size_t whole = (n + kLanes - 1) / kLanes * kLanes;
    for (std::size_t i = 0; i < n; ++i) {
      copies[i] = entries[i];
      times[i] = std::bit_cast<double>(entries[i].bits);
    }
    for (std::size_t i = n; i < whole; ++i) times[i] = std::numeric_limits<double>::infinity();

    Counts all{};
    for (std::size_t block = 0; block < whole; block += kLanes) {
      const Times mine = *reinterpret_cast<const Times*>(&times[block]);
      Counts count{};
      for (std::size_t i = 0; i < n; ++i) count -= mine < (Times{} + times[i]);
      *reinterpret_cast<Counts*>(&later[block]) = count;
      all += count;
    }
    std::int64_t sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += all[lane];
    // Each two entries at different times were counted once.
    if (static_cast<std::size_t>(sum) != n * (n - 1) / 2) return false;
    for (std::size_t i = 0; i < n; ++i) entries[static_cast<std::size_t>(later[i])] = copies[i];
    return true;
  }
};

}  // namespace anachron::queue
