// What fabric.hpp says that every fabric keeps to, with a thread for each PE.
#include "comm/fabric/fabric.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mem/budget.hpp"
#include "scale.hpp"
#include "support/stations.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;
using test::scaled;
using test::Station;

constexpr std::size_t kPes = 3;

/// When queues are full nearly always, each message costs a switch between threads where cores are few.
std::uint64_t messages(const test::FabricKind& kind) {
  const auto& narrow = test::narrow_fabric_kinds();
  const bool is_narrow = std::any_of(narrow.begin(), narrow.end(),
                                     [&](const test::FabricKind& other) { return other.name == kind.name; });
  return scaled(std::uint64_t{is_narrow ? 2'000u : 30'000u});
}

class FabricThreads : public testing::TestWithParam<test::FabricKind> {};

INSTANTIATE_TEST_SUITE_P(All, FabricThreads, testing::ValuesIn(test::fabric_kinds()),
                         [](const auto& kind) { return kind.param.name; });
INSTANTIATE_TEST_SUITE_P(Narrow, FabricThreads, testing::ValuesIn(test::narrow_fabric_kinds()),
                         [](const auto& kind) { return kind.param.name; });

/// Sends random messages to all others in random batches while it receives what they send.
class Sender {
 public:
  /// How many messages each PE has handed over to each other one so far, at least: [from * kPes + to].
  using Promises = std::vector<std::atomic<std::uint64_t>>;

  Sender(Station& station, std::size_t self, std::uint64_t messages, Promises& promises)
      : station_(station), self_(self), messages_(messages), promises_(promises), random_(self + 1) {}

  void run() {
    while (!has_sent_all() || !has_received_all()) {
      if (!has_sent_all()) fill();
      station_.outbox().publish();
      if (!station_.outbox().has_mail()) promise();
      if (random_() % 2) receive();
      if (random_() % 16 == 0) std::this_thread::yield();
    }
  }
  std::uint64_t broken_promises() const { return broken_; }

 private:
  struct Way {
    std::uint64_t sent = 0;
    std::deque<std::pair<EventHeader*, Time>> may_cancel;  // and the cause
  };

  bool has_sent_all() const {
    if (station_.outbox().has_mail()) return false;
    for (std::size_t to = 0; to < kPes; ++to)
      if (to != self_ && ways_[to].sent < messages_) return false;
    return true;
  }
  bool has_received_all() const {
    for (std::size_t from = 0; from < kPes; ++from)
      if (from != self_ && station_.received_from(static_cast<PeId>(from)) < messages_) return false;
    return true;
  }

  void fill() {
    for (auto batch = random_() % 60; batch > 0; --batch) {
      const std::size_t to = random_() % kPes;
      if (to == self_ || ways_[to].sent == messages_) continue;
      Way& way = ways_[to];
      ++way.sent;
      ++now_;
      if (!way.may_cancel.empty() && random_() % 4 == 0) {
        std::swap(way.may_cancel[random_() % way.may_cancel.size()], way.may_cancel.back());
        station_.cancel(*way.may_cancel.back().first);
        way.may_cancel.pop_back();
      } else {
        const auto lp = static_cast<LpId>(to * Station::kLps + random_() % Station::kLps);
        way.may_cancel.emplace_back(&station_.send(lp, now_ + 1, now_), now_);
      }
    }
    if (random_() % 8) return;
    const Time certain = now_ - 100;
    for (Way& way : ways_)
      std::erase_if(way.may_cancel, [&](const auto& sent) { return sent.second < certain; });
    station_.outbox().release_before(certain);
  }

  void promise() {
    // Release: pairs with the acquire in `receive`.
    for (std::size_t to = 0; to < kPes; ++to)
      promises_[self_ * kPes + to].store(ways_[to].sent, std::memory_order_release);
  }
  void receive() {
    std::vector<std::uint64_t> promised(kPes);
    for (std::size_t from = 0; from < kPes; ++from)
      promised[from] = promises_[from * kPes + self_].load(std::memory_order_acquire);
    station_.receive();
    for (std::size_t from = 0; from < kPes; ++from)
      broken_ += station_.received_from(static_cast<PeId>(from)) < promised[from];
  }

  Station& station_;
  const std::size_t self_;
  const std::uint64_t messages_;
  Promises& promises_;
  std::mt19937_64 random_;
  std::vector<Way> ways_ = std::vector<Way>(kPes);
  Time now_ = 0;
  std::uint64_t broken_ = 0;
};

TEST_P(FabricThreads, KeepTheOrderAndShowWhatWasAccepted) {
  const std::int64_t alive_before = test::Cargo::alive;
  mem::Budget budget(std::uint64_t{1} << 40, kPes, mem::Budget::Reserve::none);
  const auto fabric = GetParam().make(kPes, test::cargo_types(kPes * Station::kLps));
  std::vector<std::unique_ptr<Station>> stations;
  std::vector<std::unique_ptr<Sender>> senders;
  Sender::Promises promises(kPes * kPes);
  for (PeId pe = 0; pe < kPes; ++pe) {
    stations.push_back(std::make_unique<Station>(*fabric, pe, kPes, budget));
    senders.push_back(std::make_unique<Sender>(*stations[pe], pe, messages(GetParam()), promises));
  }
  {
    std::vector<std::jthread> threads;
    for (auto& sender : senders) threads.emplace_back([&sender] { sender->run(); });
  }
  for (std::size_t to = 0; to < kPes; ++to) {
    Station::Logs sent;
    for (const auto& station : stations)
      for (const auto& [way, log] : station->sent())
        if (Station::pe_of(way.second) == to) sent.emplace(way, log);
    EXPECT_TRUE(stations[to]->received() == sent) << "what PE " << to << " got";
    EXPECT_FALSE(stations[to]->was_overtaken());
    EXPECT_EQ(senders[to]->broken_promises(), 0u);
  }
  for (auto& station : stations) station->close();
  EXPECT_EQ(test::Cargo::alive, alive_before) << "cargo has leaked";
}

}  // namespace
}  // namespace anachron::fabric
