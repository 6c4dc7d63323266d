// The queues between threads in every order of what two producers and a consumer do to them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/channel/baselines/bounded_queue.hpp"
#include "comm/channel/baselines/mpsc_queue.hpp"
#include "comm/channel/chunk_stock.hpp"
#include "support/interleaver.hpp"

namespace anachron::channel {
namespace {

using test::Interleaver;
using test::SteppedAtomic;
using Values = std::vector<std::uint64_t>;

constexpr std::size_t kProducers = 2;

/// The nth value of a producer. Bit 1 is not set.
std::uint64_t value_of(std::size_t producer, std::uint64_t n) { return n << 8 | producer << 4; }
std::size_t producer_of(std::uint64_t value) { return value >> 4 & 15; }
std::uint64_t number_of(std::uint64_t value) { return value >> 8; }

/// MpscQueue as a queue of values.
class Unbounded {
 public:
  std::size_t push(std::size_t producer, std::span<const std::uint64_t> values) {
    ChunkChain<std::uint64_t> chain;
    stocks_[producer].append(chain, values);
    queue_.push(chain);
    return values.size();
  }
  void drain(Values& out) {
    arrived_.append(queue_.take_all());
    arrived_.read([&out](std::span<const std::uint64_t>& values) {
      out.insert(out.end(), values.begin(), values.end());
      values = {};
    });
  }

 private:
  std::array<ChunkStock<std::uint64_t>, kProducers> stocks_;
  MpscQueue<std::uint64_t, SteppedAtomic> queue_;
  ArrivedChunks<std::uint64_t> arrived_;
};

template <std::size_t kCapacity>
class Bounded {
 public:
  std::size_t push(std::size_t, std::span<const std::uint64_t> values) { return queue_.push(values); }
  void drain(Values& out) {
    queue_.drain([&out](std::span<const std::uint64_t>& values) {
      out.insert(out.end(), values.begin(), values.end());
      values = {};
    });
  }

 private:
  BoundedQueue<std::uint64_t, SteppedAtomic> queue_{kCapacity};
};

/// What BoundedQueue is not: a producer takes its place first and fills it then (D. Vyukov's bounded queue).
class Hiding {
 public:
  Hiding() {
    for (std::uint64_t i = 0; i < kCapacity; ++i) turns_[i].store(i, std::memory_order_relaxed);
  }
  std::size_t push(std::size_t, std::span<const std::uint64_t> values) {
    std::size_t accepted = 0;
    for (; accepted < values.size(); ++accepted) {
      std::uint64_t at = end_.load(std::memory_order_relaxed);
      do {
        if (turns_[at % kCapacity].load(std::memory_order_relaxed) != at) return accepted;
      } while (!end_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed, std::memory_order_relaxed));
      values_[at % kCapacity] = values[accepted];
      turns_[at % kCapacity].store(at + 1, std::memory_order_relaxed);
    }
    return accepted;
  }
  void drain(Values& out) {
    for (; turns_[begin_ % kCapacity].load(std::memory_order_relaxed) == begin_ + 1; ++begin_) {
      out.push_back(values_[begin_ % kCapacity]);
      turns_[begin_ % kCapacity].store(begin_ + kCapacity, std::memory_order_relaxed);
    }
  }

 private:
  static constexpr std::uint64_t kCapacity = 4;
  std::array<SteppedAtomic<std::uint64_t>, kCapacity> turns_;
  std::array<std::uint64_t, kCapacity> values_{};
  SteppedAtomic<std::uint64_t> end_;
  std::uint64_t begin_ = 0;
};

struct Verdict {
  std::uint64_t orders = 0;
  std::uint64_t hidden = 0;     ///< a drain that began when a push was over has not seen what that pushed
  std::uint64_t disorders = 0;  ///< what came was not the next of its producer
  std::uint64_t losses = 0;     ///< what was accepted never came
  std::uint64_t refusals = 0;   ///< something was not accepted
};

/// Each producer pushes `values` and, if not all are accepted, once more; the consumer drains twice.
template <class Queue>
Verdict explore(std::uint64_t values, unsigned most_interruptions) {
  struct State {
    Queue queue;
    std::array<std::uint64_t, kProducers> accepted{}, received{};
  };
  Verdict verdict;
  std::unique_ptr<State> state;
  const auto push = [&](std::size_t producer) {
    Values all;
    for (std::uint64_t n = 0; n < values; ++n) all.push_back(value_of(producer, n));
    std::uint64_t& accepted = state->accepted[producer];
    for (int attempt = 0; attempt < 2 && accepted < values; ++attempt) {
      const std::size_t now = state->queue.push(producer, std::span(all).subspan(accepted));
      accepted += now;
    }
  };
  const auto drain = [&] {
    const auto promised = state->accepted;
    Values drained;
    state->queue.drain(drained);
    for (const std::uint64_t value : drained)
      verdict.disorders += number_of(value) != state->received[producer_of(value)]++;
    for (std::size_t p = 0; p < kProducers; ++p) verdict.hidden += state->received[p] < promised[p];
  };
  verdict.orders = Interleaver::explore(
      [&]() -> std::vector<Interleaver::Thread> {
        state = std::make_unique<State>();
        return {[&] { push(0); }, [&] { push(1); }, [&] { drain(), drain(); }};
      },
      [&] {
        drain();
        verdict.losses += state->received != state->accepted;
        for (const std::uint64_t accepted : state->accepted) verdict.refusals += accepted < values;
      },
      most_interruptions);
  return verdict;
}

class QueueInterleavings : public testing::Test {
 protected:
  static void expect_right(const Verdict& verdict) {
    EXPECT_EQ(verdict.hidden, 0u);
    EXPECT_EQ(verdict.disorders, 0u);
    EXPECT_EQ(verdict.losses, 0u);
    RecordProperty("orders", std::to_string(verdict.orders));
  }
};

TEST_F(QueueInterleavings, OfAnUnboundedQueue) {
  const Verdict verdict = explore<Unbounded>(2, 1000);  // all that there are
  expect_right(verdict);
  EXPECT_EQ(verdict.refusals, 0u);
  EXPECT_GT(verdict.orders, 1000u);
}

TEST_F(QueueInterleavings, OfAQueueForOne) {
  const Verdict verdict = explore<Bounded<1>>(2, 4);
  expect_right(verdict);
  EXPECT_GT(verdict.refusals, 0u);
}

TEST_F(QueueInterleavings, OfAQueueForTwo) {
  const Verdict verdict = explore<Bounded<2>>(2, 4);
  expect_right(verdict);
  EXPECT_GT(verdict.refusals, 0u);
}

TEST_F(QueueInterleavings, OfAQueueWithRoom) {
  const Verdict verdict = explore<Bounded<4>>(2, 4);
  expect_right(verdict);
  EXPECT_EQ(verdict.refusals, 0u);
}

// The checker finds what it is for.
TEST_F(QueueInterleavings, FindsAQueueThatHidesWhatWasAccepted) {
  const Verdict verdict = explore<Hiding>(2, 2);
  EXPECT_GT(verdict.hidden, 0u);
  EXPECT_EQ(verdict.disorders, 0u);
  EXPECT_EQ(verdict.losses, 0u);
}

}  // namespace
}  // namespace anachron::channel
