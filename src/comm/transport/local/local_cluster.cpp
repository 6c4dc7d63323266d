#include "comm/transport/local/local_cluster.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "comm/transport/spare_buffers.hpp"

namespace anachron::transport {
namespace {

using Clock = std::chrono::steady_clock;

struct Message {
  unsigned from = 0;
  Clock::time_point due;
  Buffer bytes;
};

/// What was sent to a rank and has not been looked at.
class Mailbox {
 public:
  void put(unsigned from, Clock::duration latency, Buffer bytes) {
    const std::lock_guard lock(mutex_);
    // The time is taken under the lock, so that what stands behind is due no earlier.
    messages_.push_back({from, latency.count() > 0 ? Clock::now() + latency : Clock::time_point(), {}});
    messages_.back().bytes = std::move(bytes);
  }

  /// Exchanges what is here for what is in `empty`, nothing.
  void take_all(std::deque<Message>& empty) {
    const std::lock_guard lock(mutex_);
    messages_.swap(empty);
  }

 private:
  std::mutex mutex_;
  std::deque<Message> messages_;
};

/// Lets nobody go before all have come; again and again.
class Barrier {
 public:
  explicit Barrier(unsigned members) : members_(members) {}

  void wait() {
    std::unique_lock lock(mutex_);
    const auto now = generation_;
    if (++here_ == members_) {
      here_ = 0;
      ++generation_;
      all_here_.notify_all();
    } else {
      all_here_.wait(lock, [&] { return generation_ != now; });
    }
  }

 private:
  const unsigned members_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  unsigned here_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace

struct LocalCluster::Shared {
  /// What belongs to a rank and is touched by others; on cache lines of its own.
  struct alignas(128) Rank {
    Mailbox mailbox;
    /// Messages that this rank has sent and whose receivers have not taken them. Only it adds, receivers
    /// subtract. Relaxed: a bound on a count, nothing is read because of it; messages are handed over by the
    /// mailbox's mutex.
    std::atomic<std::size_t> under_way{0};
  };

  Shared(unsigned count, const Options& given) : options(given), ranks(count), barrier(count) {}

  const Options options;
  std::vector<Rank> ranks;
  Barrier barrier;
};

class LocalCluster::End final : public Transport {
 public:
  End(Shared& shared, unsigned rank)
      : shared_(shared), rank_(rank), spare_(shared.options.most_bytes), own_(shared.ranks[rank]) {}

  unsigned rank() const override { return rank_; }
  unsigned ranks() const override { return static_cast<unsigned>(shared_.ranks.size()); }
  unsigned ranks_here() const override { return ranks(); }
  unsigned rank_here() const override { return rank(); }
  std::string description() const override { return "in one process"; }

  std::size_t most_bytes() const override { return spare_.capacity(); }
  Buffer buffer() override { return spare_.get(); }
  void recycle(Buffer buffer) override { spare_.put(std::move(buffer)); }
  std::uint64_t held_bytes() const override { return spare_.held_bytes(); }

  bool try_send(unsigned to, Buffer& message) override {
    if (to >= ranks() || to == rank_)
      throw std::runtime_error(fmt::format("rank {}: there is no way to rank {} of {}", rank_, to, ranks()));
    if (own_.under_way.load(std::memory_order_relaxed) >= shared_.options.most_under_way) return false;
    own_.under_way.fetch_add(1, std::memory_order_relaxed);
    spare_.went();
    shared_.ranks[to].mailbox.put(rank_, shared_.options.latency, std::exchange(message, Buffer()));
    return true;
  }

  std::size_t poll(std::size_t limit, const Receive& take) override {
    std::size_t taken = 0;
    for (; taken < limit; ++taken) {
      // What is in the mailbox is due no earlier than what was taken out of it before.
      if (arrived_.empty()) own_.mailbox.take_all(arrived_);
      if (arrived_.empty() || !is_due(arrived_.front())) break;
      Message message = std::move(arrived_.front());
      arrived_.pop_front();
      shared_.ranks[message.from].under_way.fetch_sub(1, std::memory_order_relaxed);
      spare_.came();
      take(message.from, std::move(message.bytes));
    }
    return taken;
  }

  void finish() override { shared_.barrier.wait(); }

  void abort(int status) noexcept override {
    std::fflush(nullptr);
    std::_Exit(status);
  }

 private:
  static bool is_due(const Message& message) {
    return message.due == Clock::time_point() || message.due <= Clock::now();
  }

  Shared& shared_;
  const unsigned rank_;
  SpareBuffers spare_;
  Shared::Rank& own_;
  std::deque<Message> arrived_;  ///< Taken out of the mailbox, not due yet or beyond the limit.
};

LocalCluster::LocalCluster(unsigned ranks, const Options& options)
    : shared_(std::make_unique<Shared>(ranks, options)) {
  for (unsigned rank = 0; rank < ranks; ++rank) ends_.push_back(std::make_unique<End>(*shared_, rank));
}
LocalCluster::~LocalCluster() = default;

Transport& LocalCluster::transport(unsigned rank) { return *ends_.at(rank); }

}  // namespace anachron::transport
