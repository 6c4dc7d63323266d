// What one thread did lately, as records of 16 bytes. Its thread writes at a few nanoseconds each; another
// thread may read at any time. When the ring is full, the oldest records are lost.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/base/platform.hpp>
#include <anachron/base/time.hpp>

namespace anachron::topo {

/// Of two words: a value, and kind, place and count.
struct FlightRecord {
  enum class Kind : std::uint8_t {
    phase,    ///< the thread was in a phase (`what`) until tick `value`; `count` events were executed
    start,    ///< the thread begins to be timed at tick `value`
    reached,  ///< the PE has executed events up to the time `value`
    undone,   ///< in the rollback phase that ends next: `count` events, back to the time `value`
    culprit,  ///< that rollback's straggler: `value` has its receiver above its sender, `count` is the PE
              ///< that owned the sender, plus one; 0: it is from outside
    swap,     ///< in the phase that ended last the thread had given its core to another worker
    round,    ///< a GVT round ended at tick `value`
    figure,   ///< `value` is the figure `what` of that round
  };

  Kind kind = Kind::phase;
  std::uint8_t what = 0;
  std::uint16_t place = 0;  ///< the PE of this rank, plus one; 0: none
  std::uint32_t count = 0;
  std::uint64_t value = 0;

  Time time() const { return std::bit_cast<Time>(value); }
  std::uint64_t word() const {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} | std::uint64_t{what} << 8 |
           std::uint64_t{place} << 16 | std::uint64_t{count} << 32;
  }
  static FlightRecord of(std::uint64_t word, std::uint64_t value) {
    return {.kind = static_cast<Kind>(word & 0xff),
            .what = static_cast<std::uint8_t>(word >> 8),
            .place = static_cast<std::uint16_t>(word >> 16),
            .count = static_cast<std::uint32_t>(word >> 32),
            .value = value};
  }
};

class FlightRing {
 public:
  /// Memory is taken as it is used. Precondition: `records` is a power of two.
  explicit FlightRing(std::size_t records)
      : cells_(std::make_unique_for_overwrite<Cell[]>(records)), mask_(records - 1) {}

  /// For one thread at a time.
  void add(const FlightRecord& record) {
    const std::uint64_t at = written_.load(std::memory_order_relaxed);
    Cell& cell = cells_[at & mask_];
    // Relaxed: a reader finds out by `written_` which cells it may have read too late.
    cell.value.store(record.value, std::memory_order_relaxed);
    cell.word.store(record.word(), std::memory_order_relaxed);
    written_.store(at + 1, std::memory_order_release);
  }

  /// Appends what was written since `from`, as far as it is still there. Returns up to where that was.
  std::uint64_t read(std::uint64_t from, std::vector<FlightRecord>& out) const {
    const std::uint64_t end = written_.load(std::memory_order_acquire);
    const std::uint64_t kept = mask_ + 1;
    from = std::max(from, end > kept ? end - kept : 0);
    const std::size_t before = out.size();
    for (std::uint64_t at = from; at < end; ++at) {
      const Cell& cell = cells_[at & mask_];
      out.push_back(FlightRecord::of(cell.word.load(std::memory_order_relaxed),
                                     cell.value.load(std::memory_order_relaxed)));
    }
    // What the writer may have begun to overwrite meanwhile goes, and one more, which it may be writing.
    std::atomic_thread_fence(std::memory_order_acquire);
    const std::uint64_t now = written_.load(std::memory_order_relaxed) + 1;
    const std::uint64_t torn = now > from + kept ? std::min(now - kept - from, end - from) : 0;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(before),
              out.begin() + static_cast<std::ptrdiff_t>(before + torn));
    return end;
  }
  std::uint64_t written() const { return written_.load(std::memory_order_acquire); }

 private:
  struct Cell {
    std::atomic<std::uint64_t> word, value;
  };
  const std::unique_ptr<Cell[]> cells_;
  const std::size_t mask_;
  alignas(kNoSharing) std::atomic<std::uint64_t> written_{0};
};

}  // namespace anachron::topo
