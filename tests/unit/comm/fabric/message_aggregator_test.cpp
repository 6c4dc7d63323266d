// The message aggregator of a rank: several of them here, served one after the other by one thread.
#include "comm/fabric/ranks/message_aggregator.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/transport/dispatcher.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "scale.hpp"

namespace anachron::fabric {
namespace {

using transport::LocalCluster;
using Texts = std::vector<std::string>;

/// Ranks with two PEs each, so PE n is on rank n / 2. A batch is a text here.
class AggregatedRanks {
 public:
  AggregatedRanks(unsigned ranks, const LocalCluster::Options& links,
                  const MessageAggregator::Options& options)
      : cluster_(ranks, links) {
    for (unsigned rank = 0; rank < ranks; ++rank)
      ranks_.push_back(
          std::make_unique<Rank>(cluster_.transport(rank), std::vector<unsigned>(ranks, 2u), options));
  }

  MessageAggregator& aggregator(unsigned rank) { return ranks_[rank]->aggregator; }
  MessageAggregator::Counter& counter(PeId pe) { return aggregator(pe / 2u).counter(pe); }
  PeId pes() const { return static_cast<PeId>(2 * ranks_.size()); }

  void hand_in(PeId from, PeId to, const std::string& text, std::uint32_t events = 1) {
    Batch* const batch = counter(from).open(to);
    const auto bytes = std::as_bytes(std::span(text));
    batch->bytes.assign(bytes.begin(), bytes.end());
    batch->count = events;
    counter(from).hand_in(batch);
  }
  Texts fetch(PeId pe) {
    Texts texts;
    counter(pe).fetch([&](PeId, std::span<const std::byte> bytes, std::uint32_t) {
      texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return texts;
  }
  /// Until nothing is on its way.
  void serve_all() {
    for (bool any = true; any;) {
      any = false;
      for (auto& rank : ranks_) any |= rank->aggregator.serve(true);
    }
  }

 private:
  struct Rank {
    Rank(transport::Transport& transport, std::vector<unsigned> pes,
         const MessageAggregator::Options& options)
        : dispatcher(transport),
          layout(transport.rank(), std::move(pes)),
          aggregator(dispatcher, layout, options) {}
    transport::Dispatcher dispatcher;
    RankLayout layout;
    MessageAggregator aggregator;
  };

  LocalCluster cluster_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

constexpr LocalCluster::Options kLinks{.most_bytes = 1024, .most_under_way = 64};

TEST(MessageAggregator, BringsEachParcelToItsPe) {
  AggregatedRanks ranks(3, kLinks, {});
  ranks.hand_in(0, 2, "a");
  ranks.hand_in(0, 3, "b");
  ranks.hand_in(1, 2, "c");
  ranks.hand_in(5, 2, "d");
  ranks.hand_in(0, 4, "");
  ranks.hand_in(0, 2, "e");
  ranks.serve_all();
  EXPECT_EQ(ranks.fetch(2), (Texts{"a", "e", "c", "d"}));
  EXPECT_EQ(ranks.fetch(3), Texts{"b"});
  EXPECT_EQ(ranks.fetch(4), Texts{""});
  EXPECT_EQ(ranks.fetch(5), Texts{});
  EXPECT_EQ(ranks.fetch(2), Texts{});
}

TEST(MessageAggregator, PutsTogetherWhatGoesToOneRank) {
  AggregatedRanks ranks(3, kLinks, {});
  for (const PeId from : {PeId{0}, PeId{1}})
    for (const PeId to : {PeId{2}, PeId{3}, PeId{4}}) ranks.hand_in(from, to, "text", 7);
  ranks.serve_all();
  const AggregatorFigures& figures = ranks.aggregator(0).figures();
  EXPECT_EQ(figures.messages_sent, 2u) << "one for each rank";
  EXPECT_EQ(figures.events_sent, 42u);
  EXPECT_EQ(ranks.aggregator(1).figures().messages_received, 1u);
  EXPECT_GT(figures.bytes_sent, 6 * 4u);
  EXPECT_EQ(ranks.fetch(3), (Texts{"text", "text"}));
}

TEST(MessageAggregator, SendsEachEventAloneWhereNothingIsPutTogether) {
  AggregatedRanks ranks(2, kLinks, {.consolidates = false});
  EXPECT_EQ(ranks.counter(0).most_bytes(), 1u) << "so that each event gets a batch of its own";
  for (int n = 0; n < 5; ++n) ranks.hand_in(static_cast<PeId>(n % 2), 2, std::to_string(n));
  ranks.serve_all();
  EXPECT_EQ(ranks.aggregator(0).figures().messages_sent, 5u);
  EXPECT_EQ(ranks.fetch(2), (Texts{"0", "2", "4", "1", "3"}));
}

TEST(MessageAggregator, WhatGathersWhileAMessageCannotLeaveGoesWithIt) {
  AggregatedRanks ranks(3, {.most_bytes = 1024, .most_under_way = 1}, {});
  ranks.hand_in(0, 4, "in the way");
  ranks.aggregator(0).serve(true);
  for (int n = 0; n < 8; ++n) {
    ranks.hand_in(0, 2, std::to_string(n));
    ranks.aggregator(0).serve(true);
    EXPECT_FALSE(ranks.aggregator(0).is_flushed());
  }
  ranks.serve_all();
  EXPECT_TRUE(ranks.aggregator(0).is_flushed());
  EXPECT_EQ(ranks.aggregator(1).figures().messages_received, 1u);
  EXPECT_EQ(ranks.fetch(2), (Texts{"0", "1", "2", "3", "4", "5", "6", "7"}));
}

TEST(MessageAggregator, TakesParcelsThatAreLargerThanAMessage) {
  AggregatedRanks ranks(2, kLinks, {});
  const std::size_t most = ranks.counter(0).most_bytes();
  Texts sent;
  for (const std::size_t size : {most, std::size_t{3}, most + 1, std::size_t{0}, 10 * most, most + 16,
                                 most + 23, 2 * most, std::size_t{5}}) {
    std::string text(size, ' ');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 23);
    ranks.hand_in(0, 2, text);
    sent.push_back(std::move(text));
  }
  ranks.serve_all();
  EXPECT_EQ(ranks.fetch(2), sent);
  EXPECT_EQ(ranks.aggregator(0).figures().events_sent, sent.size());
}

// Any sizes between any PEs, over links that hold little: each pair's batches arrive in order, each once.
TEST(MessageAggregator, KeepsTheOrderBetweenTwoPes) {
  for (const std::size_t under_way : {1u, 3u, 64u}) {
    for (const bool consolidates : {true, false}) {
      AggregatedRanks ranks(
          3, {.most_bytes = 256, .most_under_way = under_way},
          {.window = 4096, .consolidates = consolidates, .polling_period = under_way == 3 ? 7u : 0u});
      std::mt19937_64 random(under_way);
      std::map<std::pair<PeId, PeId>, Texts> sent, received;
      const auto receive = [&](PeId pe) {
        for (std::string& text : ranks.fetch(pe)) {
          const auto from = static_cast<PeId>(text.at(0) - '0');
          received[{from, pe}].push_back(std::move(text));
        }
      };
      for (int turn = 0; turn < test::scaled(4000); ++turn) {
        const auto pe = static_cast<PeId>(random() % ranks.pes());
        switch (random() % 6) {
          case 0:
            ranks.aggregator(pe / 2u).serve(random() % 2);
            break;
          case 1:
            receive(pe);
            break;
          default: {
            const auto to = static_cast<PeId>(random() % ranks.pes());
            if (to / 2 == pe / 2 || ranks.counter(pe).refuses(to)) break;
            std::string text = std::to_string(pe) + ' ' + std::to_string(turn);
            if (random() % 8 == 0) text.append(random() % 2000, 'x');
            ranks.hand_in(pe, to, text);
            sent[{pe, to}].push_back(std::move(text));
          }
        }
      }
      ranks.serve_all();
      for (PeId pe = 0; pe < ranks.pes(); ++pe) receive(pe);
      EXPECT_EQ(received, sent);
      std::int64_t in_transit = 0;
      for (unsigned rank = 0; rank < 3; ++rank) in_transit += ranks.aggregator(rank).in_transit();
      EXPECT_EQ(in_transit, 0);
    }
  }
}

// --- Flow control
// ----------------------------------------------------------------------------------------------

/// Hands in as much as is accepted, being served all the time. Returns how many batches that was.
std::size_t flood(AggregatedRanks& ranks, PeId from, PeId to, const std::string& text, std::size_t at_most) {
  std::size_t count = 0;
  for (; count < at_most && !ranks.counter(from).refuses(to); ++count) {
    ranks.hand_in(from, to, text);
    ranks.serve_all();
  }
  return count;
}

TEST(MessageAggregator, ASenderWaitsForAReceiverThatDoesNotRead) {
  constexpr std::uint64_t kWindow = 4096;
  AggregatedRanks ranks(3, kLinks, {.window = kWindow});
  const std::string text(100, 'x');
  const std::size_t accepted = flood(ranks, 0, 2, text, 1000);
  EXPECT_GE(accepted, kWindow / (text.size() + 32));
  EXPECT_LE(accepted, kWindow / text.size() + 1);
  EXPECT_TRUE(ranks.counter(1).refuses(3)) << "from any PE to any on that rank";
  EXPECT_FALSE(ranks.counter(0).refuses(4)) << "another rank";
  EXPECT_FALSE(ranks.counter(2).refuses(0)) << "the other way";
  for (int n = 0; n < 100; ++n) ranks.serve_all();
  EXPECT_TRUE(ranks.counter(0).refuses(2));

  EXPECT_EQ(ranks.fetch(2).size(), accepted);
  ranks.serve_all();
  EXPECT_FALSE(ranks.counter(0).refuses(2)) << "it was told without having been sent anything";
  EXPECT_EQ(flood(ranks, 0, 2, text, 1000), accepted);
}

TEST(MessageAggregator, LessIsOnItsWayWhereMemoryIsScarce) {
  AggregatedRanks ranks(2, kLinks, {.window = 4096});
  const std::string text(100, 'x');
  ranks.aggregator(0).note_memory(true);
  for (int n = 0; n < 3; ++n) {
    const std::size_t accepted = flood(ranks, 0, 2, text, 1000);
    EXPECT_GE(accepted, 4096 / 8 / (text.size() + 32));
    EXPECT_LE(accepted, 4096 / 8 / text.size() + 1);
    EXPECT_EQ(ranks.fetch(2).size(), accepted);
    ranks.serve_all();  // and the sender hears of it, whatever its window is
  }
  ranks.aggregator(0).note_memory(false);
  EXPECT_GE(flood(ranks, 0, 2, text, 1000), 4096 / (text.size() + 32));
}

TEST(MessageAggregator, ASenderWaitsForALinkThatIsFull) {
  for (const bool consolidates : {true, false}) {
    AggregatedRanks ranks(3, {.most_bytes = 1024, .most_under_way = 1}, {.consolidates = consolidates});
    std::size_t sent = 0;
    for (; !ranks.counter(0).refuses(2); ++sent) {
      ASSERT_LT(sent, 100u);
      ranks.hand_in(0, 2, std::string(200, 'x'));
      ranks.aggregator(0).serve(true);
    }
    EXPECT_GT(sent, 4u);
    EXPECT_TRUE(ranks.counter(1).refuses(3));
    EXPECT_FALSE(ranks.counter(0).refuses(4));
    ranks.serve_all();
    EXPECT_FALSE(ranks.counter(0).refuses(2)) << "all has left, read or not";
    EXPECT_EQ(ranks.fetch(2).size(), sent);
  }
}

TEST(MessageAggregator, AParcelLargerThanTheWindowGetsThroughAlone) {
  AggregatedRanks ranks(2, kLinks, {.window = 100});
  const std::string text(5000, 'x');
  for (int n = 0; n < 3; ++n) {
    EXPECT_EQ(flood(ranks, 0, 2, text, 10), 1u);
    EXPECT_EQ(ranks.fetch(2), Texts{text});
    ranks.serve_all();
  }
}

TEST(MessageAggregator, ALetterCountsUntilAllOfItsPesHaveRead) {
  AggregatedRanks ranks(2, kLinks, {.window = 300});
  ranks.hand_in(0, 2, std::string(100, 'a'));
  ranks.hand_in(0, 3, std::string(100, 'b'));
  ranks.hand_in(0, 3, std::string(100, 'c'));
  ranks.serve_all();
  EXPECT_EQ(ranks.aggregator(1).figures().messages_received, 1u);
  EXPECT_TRUE(ranks.counter(0).refuses(2));
  ranks.fetch(3);
  ranks.serve_all();
  EXPECT_TRUE(ranks.counter(0).refuses(2));
  ranks.fetch(2);
  ranks.serve_all();
  EXPECT_FALSE(ranks.counter(0).refuses(2));
}

/// A message that was less than half full is copied, so that the transport has its buffer back.
TEST(MessageAggregator, WhatWasNotReadTakesAtMostTwiceItsBytes) {
  AggregatedRanks ranks(2, kLinks, {.window = std::uint64_t{1} << 24});
  mem::Budget budget(std::uint64_t{1} << 30, 1, mem::Budget::Reserve::none);
  ranks.aggregator(1).count_in(&budget);
  ranks.serve_all();
  const std::uint64_t before = budget.taken();
  constexpr std::size_t kMessages = 2000, kSpare = 300 * kLinks.most_bytes;  // what the transport keeps
  for (const std::size_t size : {8u, 100u, 400u, 900u}) {
    const std::size_t accepted = flood(ranks, 0, 2, std::string(size, 'x'), kMessages);  // a message each
    ASSERT_EQ(accepted, kMessages);
    const std::uint64_t bytes = accepted * (size + 16);  // with the header of each
    EXPECT_GE(budget.taken(), before + bytes);
    EXPECT_LE(budget.taken(), before + 2 * bytes + kSpare) << size;
    EXPECT_EQ(ranks.fetch(2).size(), accepted);
    ranks.serve_all();
  }
  EXPECT_LE(budget.taken(), before + kSpare);
  ranks.aggregator(1).count_in(nullptr);
}

/// The last words of a run come when the next one has begun.
TEST(MessageAggregator, AWordOfTheRunBeforeSaysNothing) {
  LocalCluster cluster(2, kLinks);
  transport::Dispatcher here(cluster.transport(0)), there(cluster.transport(1));
  const RankLayout of_here(0, {1, 1}), of_there(1, {1, 1});
  const MessageAggregator::Options options{.window = 4096};
  const std::string text(500, 'x');
  const auto flood = [&](MessageAggregator& from, MessageAggregator& to) {
    std::size_t count = 0;
    for (; count < 100 && !from.counter(0).refuses(1); ++count) {
      Batch* const batch = from.counter(0).open(1);
      const auto bytes = std::as_bytes(std::span(text));
      batch->bytes.assign(bytes.begin(), bytes.end());
      batch->count = 1;
      from.counter(0).hand_in(batch);
      from.serve(true);
      to.serve(true);
    }
    return count;
  };
  std::size_t accepted = 0;
  for (std::uint64_t run = 1; run <= 3; ++run) {
    MessageAggregator first(here, of_here, options, run), second(there, of_there, options, run);
    const std::size_t now = flood(first, second);
    if (run == 1) accepted = now;
    EXPECT_EQ(now, accepted) << "run " << run;
    second.counter(1).fetch([](auto, auto, auto) {});
    second.serve(true);  // sends how much was read, which nobody here looks at any more
  }
}

TEST(BatchHeader, TellsTheBytesOfParcelsOfMoreThanFourGibibytes) {
  Batch batch{.from = 3, .to = 65'000, .colour = 1, .count = 7, .bytes = {}};
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{0xffffffff},
                                    std::uint64_t{5} << 30, BatchHeader::kTooMany - 1}) {
    const BatchHeader sent(batch, bytes);
    const BatchHeader header(std::as_bytes(std::span(&sent, 1)));
    EXPECT_EQ(header.bytes(), bytes);
    EXPECT_EQ(header.count(), 7u);
    EXPECT_EQ(header.from(), 3);
    EXPECT_EQ(header.to(), 65'000);
    EXPECT_EQ(header.colour(), 1);
  }
  EXPECT_THROW(BatchHeader(std::span<const std::byte>()), std::logic_error);
}

TEST(MessageAggregator, WhatWasReadInVainWasReadAllTheSame) {
  AggregatedRanks ranks(2, kLinks, {.window = 100});
  ranks.hand_in(0, 2, std::string(200, 'a'));
  ranks.serve_all();
  EXPECT_THROW(ranks.counter(2).fetch([](auto, auto, auto) { throw std::runtime_error("no"); }),
               std::runtime_error);
  ranks.serve_all();
  EXPECT_FALSE(ranks.counter(0).refuses(2));
}

// --- Colours
// ---------------------------------------------------------------------------------------------------

TEST(MessageAggregator, CountsWhatIsInTransitByColour) {
  AggregatedRanks ranks(2, kLinks, {});
  MessageAggregator &here = ranks.aggregator(0), &there = ranks.aggregator(1);
  ranks.hand_in(0, 2, "a");
  ranks.hand_in(1, 2, "b");
  ranks.counter(0).cut();
  ranks.hand_in(0, 2, "c");
  ranks.hand_in(1, 3, "d");  // which has not cut yet
  EXPECT_EQ(here.in_transit(0), 3);
  EXPECT_EQ(here.in_transit(1), 1);
  EXPECT_EQ(here.in_transit(), 4);
  EXPECT_EQ(there.in_transit(), 0);
  ranks.serve_all();
  EXPECT_EQ(there.in_transit(0), -3) << "read or not";
  EXPECT_EQ(there.in_transit(1), -1);
  ranks.hand_in(2, 1, "e");
  EXPECT_EQ(there.in_transit(0), -2);
  ranks.counter(0).cut();
  ranks.hand_in(0, 2, "f");
  EXPECT_EQ(here.in_transit(0), 4) << "the first colour again";
}

TEST(MessageAggregator, APartOfALargeParcelHasNotArrived) {
  AggregatedRanks ranks(2, {.most_bytes = 256, .most_under_way = 1}, {});
  ranks.hand_in(0, 2, std::string(2000, 'a'));
  int rounds = 0;
  for (; ranks.aggregator(1).in_transit() == 0; ++rounds) {
    ASSERT_LT(rounds, 100);
    EXPECT_EQ(ranks.fetch(2), Texts{});
    ranks.aggregator(0).serve(true);
    ranks.aggregator(1).serve(true);
  }
  EXPECT_GE(rounds, 2000 / 256);
  EXPECT_EQ(ranks.fetch(2).size(), 1u);
}

// --- Polling
// ---------------------------------------------------------------------------------------------------

TEST(MessageAggregator, LooksEverySoManyRounds) {
  AggregatedRanks ranks(2, kLinks, {.polling_period = 4});
  for (int n = 0; n < 12; ++n) ranks.aggregator(0).serve(false);
  EXPECT_EQ(ranks.aggregator(0).figures().probes, 3u);
  for (int n = 0; n < 5; ++n) ranks.aggregator(0).serve(true);
  EXPECT_EQ(ranks.aggregator(0).figures().probes, 8u) << "a waiting thread looks at once";
  EXPECT_EQ(ranks.aggregator(0).figures().successful_probes, 0u);
}

TEST(MessageAggregator, LooksLessOftenTheLongerThereIsNothing) {
  AggregatedRanks ranks(2, kLinks, {.polling_period = 0});
  const auto probes = [&] { return ranks.aggregator(1).figures().probes; };
  for (int n = 0; n < 1000; ++n) ranks.aggregator(1).serve(false);
  EXPECT_GE(probes(), 1000 / 64u);
  EXPECT_LE(probes(), 1000 / 64u + 8);
  ranks.hand_in(0, 2, "a");
  ranks.aggregator(0).serve(true);
  ranks.aggregator(1).serve(true);
  EXPECT_EQ(ranks.aggregator(1).figures().successful_probes, 1u);
  const std::uint64_t before = probes();
  ranks.aggregator(1).serve(false);
  EXPECT_EQ(probes(), before + 1) << "where one was there may be more";
}

TEST(MessageAggregator, LooksOftenWhileAGvtRoundIsUnderWay) {
  for (const unsigned period : {0u, 16u}) {
    AggregatedRanks ranks(2, kLinks, {.polling_period = period});
    const auto probes_in_400 = [&] {
      const std::uint64_t before = ranks.aggregator(0).figures().probes;
      for (int n = 0; n < 400; ++n) ranks.aggregator(0).serve(false);
      return ranks.aggregator(0).figures().probes - before;
    };
    probes_in_400();  // at last once in 64
    ranks.aggregator(0).note_round(true);
    EXPECT_EQ(probes_in_400(), period == 0 ? 100u : 25u) << "but as often as was asked for";
    ranks.aggregator(0).note_round(false);
    EXPECT_LE(probes_in_400(), 400 / 16u);
  }
}

}  // namespace
}  // namespace anachron::fabric
