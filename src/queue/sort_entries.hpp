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
#include <utility>

#include "queue/pending_set.hpp"

namespace anachron::queue {

template <class Entry>
class EntrySorter {
 public:
  /// Up to so many entries counting is faster than a sort that branches.
  static constexpr std::size_t kFew = 64;
  /// A rollback leaves some: what it has cancelled, and what was sent in its place.
  static constexpr std::size_t kFewEqual = 8;  // pairs

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

  /// False, and nothing done, when more than a few have the same time: then the whole key must be compared.
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
    const std::size_t equal_pairs = n * (n - 1) / 2 - static_cast<std::size_t>(sum);
    if (equal_pairs == 0) [[likely]] {
      for (std::size_t i = 0; i < n; ++i) entries[static_cast<std::size_t>(later[i])] = copies[i];
      return true;
    }
    if (equal_pairs > kFewEqual) return false;
    std::uint64_t taken = 0;
    for (std::size_t i = 0; i < n; ++i) {
      auto at = static_cast<std::size_t>(later[i]);
      while (taken >> at & 1) ++at;
      taken |= std::uint64_t{1} << at;
      entries[at] = copies[i];
    }
    sort_equal(entries);
    return true;
  }

  /// Entries at the same time are together, and have few others to pass.
  static void sort_equal(std::span<Entry> entries) {
    for (std::size_t i = 1; i < entries.size(); ++i)
      for (std::size_t j = i;
           j > 0 && entries[j].bits == entries[j - 1].bits && after(entries[j], entries[j - 1]); --j)
        std::swap(entries[j], entries[j - 1]);
  }
};

}  // namespace anachron::queue
