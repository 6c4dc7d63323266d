// PHOLD by hand, without an engine: how fast could it be? Draws from the same random streams and throws the
// same balls as models/phold, so it executes the same number of events.
//   ByQueue    the obvious loop: std::priority_queue of 24-byte entries
//   ByBuckets  the best loop known for this work: unsorted buckets of hand-set width, each sorted when it is
//   reached,
//              the next LPs fetched ahead
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include <anachron/base/platform.hpp>
#include <anachron/event/key.hpp>
#include <anachron/model/rng.hpp>

#include "phold/ring.hpp"

namespace anachron::bench {

/// A PHOLD: uniform receivers with a share of `remote`, or Gaussian ones when `sigma` is above 0.
struct Workload {
  std::string name;
  std::uint32_t lps = 0, events_per_lp = 0;
  double remote = 1, sigma = 0;
  Time until = 0;
};

struct Rate {
  std::uint64_t events = 0;
  double seconds = 0;
  double millions_per_second() const { return static_cast<double>(events) / seconds / 1e6; }
};

struct Ball {
  Time time;
  LpId lp;
  std::uint32_t tie;
  event::Identity identity;
  friend bool operator>(const Ball& a, const Ball& b) {
    return a.time != b.time ? a.time > b.time : a.tie > b.tie;
  }
};
static_assert(sizeof(Ball) == 24);

class ByQueue {
 public:
  struct Lp {
    std::uint64_t received = 0;
  };
  explicit ByQueue(const Workload&) {}
  void insert(const Ball& ball) { queue_.push(ball); }
  bool next(Time until, Ball& ball) {
    if (queue_.empty() || queue_.top().time >= until) return false;
    ball = queue_.top();
    queue_.pop();
    return true;
  }
  void prefetch(const std::vector<Lp>&) const {}

 private:
  std::priority_queue<Ball, std::vector<Ball>, std::greater<>> queue_;
};

class ByBuckets {
 public:
  struct Lp {
    std::uint64_t received = 0;
  };
  explicit ByBuckets(const Workload& work)
      : per_unit_(static_cast<double>(work.lps) * work.events_per_lp / kPerBucket),
        ring_(static_cast<std::size_t>(per_unit_ * kSpan) + 2) {}

  void insert(const Ball& ball) {
    const auto bucket = static_cast<std::uint64_t>(ball.time * per_unit_);
    if (bucket <= reached_)
      current_.insert(std::upper_bound(current_.begin(), current_.end(), ball, std::greater<>()), ball);
    else if (bucket < reached_ + ring_.size())
      ring_[bucket % ring_.size()].push_back(ball);
    else
      far_.push_back(ball);
    ++size_;
  }
  bool next(Time until, Ball& ball) {
    while (current_.empty()) {
      if (size_ == 0) return false;
      advance();
    }
    if (current_.back().time >= until) return false;
    ball = current_.back();
    current_.pop_back();
    --size_;
    return true;
  }
  void prefetch(const std::vector<Lp>& lps) const {
    if (current_.size() > kAhead) anachron::prefetch(&lps[current_[current_.size() - 1 - kAhead].lp]);
  }

 private:
  static constexpr double kPerBucket = 16, kSpan = 16;  // balls per bucket, time covered by the ring
  static constexpr std::size_t kAhead = 4;

  void advance() {
    ++reached_;
    if (reached_ % ring_.size() == 0) {
      std::vector<Ball> far;
      far.swap(far_);
      size_ -= far.size();
      for (const Ball& ball : far) insert(ball);
    }
    std::swap(current_, ring_[reached_ % ring_.size()]);
    std::sort(current_.begin(), current_.end(), std::greater<>());
  }

  double per_unit_;
  std::vector<std::vector<Ball>> ring_;
  std::vector<Ball> current_, far_;
  std::uint64_t reached_ = 0;
  std::size_t size_ = 0;
};

/// The ball that an LP throws as number `k` when it has caught one that is called `caught`.
inline Ball throw_ball(const Workload& work, LpId self, Time now, event::Identity caught,
                       std::uint64_t k = 0) {
  std::uint64_t draws = 0;
  Rng rng(1, caught ^ self, draws);
  LpId to = self;
  if (work.sigma > 0) {
    to = models::phold::moved_on_ring(self, rng.normal(0, work.sigma), work.lps);
  } else if (rng.bernoulli(work.remote)) {
    to = rng.below(work.lps);
  }
  const Time time = now + rng.exponential(1.0);
  const event::Identity identity = event::child_identity(caught, k);
  return {time, to, event::make_tie(event::TieSeed(1), identity), identity};
}

template <class Loop>
Rate run_by_hand(const Workload& work) {
  std::vector<typename Loop::Lp> lps(work.lps);
  Loop loop(work);
  for (LpId lp = 0; lp < work.lps; ++lp)
    for (std::uint32_t i = 0; i < work.events_per_lp; ++i)
      loop.insert(throw_ball(work, lp, 0, event::start_identity(lp), i));
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t events = 0;
  for (Ball ball{}; loop.next(work.until, ball); ++events) {
    loop.prefetch(lps);
    ++lps[ball.lp].received;
    loop.insert(throw_ball(work, ball.lp, ball.time, ball.identity));
  }
  return {events, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()};
}

}  // namespace anachron::bench
