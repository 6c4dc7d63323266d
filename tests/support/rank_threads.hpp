// Ranks as threads of this process.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace anachron::test {

/// Does something for each rank at the same time. If one throws, that is the end of all: the others may wait
/// for it, where nobody wakes them.
inline void for_all_ranks(unsigned ranks, const std::function<void(unsigned)>& act) {
  std::vector<std::jthread> threads;
  for (unsigned rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&act, rank] {
      try {
        act(rank);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
        std::abort();
      }
    });
}

}  // namespace anachron::test
