// Independent pieces of work, done by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace anachron::models::traffic {

/// Threads that pay for so many pieces of `work` units each: one core's worth at least 2^20 units.
inline std::size_t threads_for(std::size_t pieces, std::size_t work) {
  constexpr std::size_t kWorthAThread = 1u << 20, kMost = 64;
  return std::clamp<std::size_t>(
      std::min<std::size_t>(std::thread::hardware_concurrency(), pieces * work / kWorthAThread), 1, kMost);
}

/// Calls do_piece(desk, piece) once for each piece below `pieces`, on as many threads as there are desks. A
/// desk belongs to one thread. What is done to a piece must not depend on the desk or on other pieces; then
/// the outcome does not depend on the number of threads. Pieces are handed out `chunk` at a time. Throws what
/// one of them threw.
template <class Desk, class DoPiece>
void share_out(std::size_t pieces, std::size_t chunk, std::vector<Desk>& desks, const DoPiece& do_piece) {
  std::atomic<std::size_t> unclaimed{0};  // relaxed: hands out numbers only; join() publishes what was done
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work_at = [&](Desk& desk) {
    try {
      for (;;) {
        const std::size_t first = unclaimed.fetch_add(chunk, std::memory_order_relaxed);
        if (first >= pieces) return;
        for (std::size_t k = first; k < std::min(pieces, first + chunk); ++k) do_piece(desk, k);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t k = 1; k < desks.size(); ++k)
      helpers.emplace_back([&work_at, &desk = desks[k]] { work_at(desk); });
    work_at(desks.front());
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace anachron::models::traffic
