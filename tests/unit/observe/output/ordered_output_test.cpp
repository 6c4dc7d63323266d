// Tasks of several PEs in one order: when they are done, in which order, and what happens to the rest.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>

#include "observe/output/ordered_output.hpp"

namespace anachron::test {
namespace {

using event::EventKey;
using observe::OrderedOutput;

struct Nothing {};
struct Quiet {
  void on(Context<Quiet>&, const Nothing&) {}
};

class Output : public testing::Test {
 protected:
  struct Note final : event::Task {
    std::vector<double>& done;
    double what;
    Note(std::vector<double>& d, double w) : done(d), what(w) {}
    void run() override { done.push_back(what); }
  };

  OrderedOutput::Items items(const std::vector<double>& times) {
    OrderedOutput::Items out;
    for (const double time : times)
      out.push_back({EventKey{.time = time}, 0, "Nothing", std::make_unique<Note>(done, time)});
    return out;
  }
  void hand_over(PeId pe, const std::vector<double>& times, std::optional<double> bound) {
    OrderedOutput::Items of_pe = items(times);
    output.hand_over(pe, of_pe, bound ? std::optional(EventKey{.time = *bound}) : std::nullopt);
    EXPECT_TRUE(of_pe.empty());
  }

  NoParams params;
  lp::LpStore lps{{{&detail::lp_ops<Quiet>(), 0, 1, &params, nullptr}}, Owners({0})};
  OrderedOutput output{2, lps};
  std::vector<double> done;
};

TEST_F(Output, IsDoneUpToTheSmallestBound) {
  hand_over(0, {3, 1, 6}, 5);
  EXPECT_TRUE(done.empty()) << "PE 1 may have what sorts before";
  hand_over(1, {2, 4}, 4);
  EXPECT_EQ(done, (std::vector<double>{1, 2, 3}));
  hand_over(1, {5}, 9);
  EXPECT_EQ(done, (std::vector<double>{1, 2, 3, 4}));
  hand_over(0, {}, std::nullopt);
  EXPECT_EQ(done, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST_F(Output, WaitsForOthersBesidesPes) {
  OrderedOutput of_both{1, lps, nullptr, 1};
  of_both.expect_only(1);
  OrderedOutput::Items of_pe = items({1, 4}), of_other = items({2, 5});
  of_both.hand_over(0, of_pe, EventKey{.time = 5});
  EXPECT_TRUE(done.empty()) << "the other has said nothing";
  of_both.hand_over_from(0, of_other, EventKey{.time = 3});
  EXPECT_EQ(done, (std::vector<double>{1, 2}));
  of_both.restart();
  of_both.hand_over(0, of_pe, std::nullopt);
  EXPECT_EQ(done, (std::vector<double>{1, 2})) << "the other has said nothing new";
  of_both.hand_over_from(0, of_other, OrderedOutput::kBehindAll);
  EXPECT_EQ(done, (std::vector<double>{1, 2, 4, 5}));
}

TEST_F(Output, TellsUpToWhichBoundAllIsDone) {
  std::vector<double> told;
  output.tell_when_passed([&](const EventKey& bound) {
    told.push_back(bound.time);
    EXPECT_TRUE(done.empty() || done.back() < bound.time);
  });
  hand_over(0, {1, 3}, 5);
  EXPECT_TRUE(told.empty()) << "PE 1 may have what sorts before";
  hand_over(1, {}, 2);
  hand_over(1, {}, 2);
  EXPECT_EQ(told, (std::vector<double>{2})) << "also where nothing is done, and once";
  hand_over(1, {4}, std::nullopt);
  EXPECT_EQ(told, (std::vector<double>{2, 5}));
  EXPECT_EQ(done, (std::vector<double>{1, 3, 4}));
}

TEST_F(Output, CountsAsMemoryWhileItWaits) {
  constexpr std::size_t kTask = 1000;
  mem::Budget budget(1 << 20, 2, mem::Budget::Reserve::some);
  OrderedOutput counted{2, lps, &budget};
  observe::OutputLane lane(&counted);
  for (const double time : {1.0, 2.0, 3.0}) {
    lane.begin(EventKey{.time = time}, 0, "Nothing");
    lane.add(std::make_unique<Note>(done, time), kTask);
  }
  EXPECT_GE(lane.bytes(), 3 * kTask);
  counted.hand_over(0, lane.take(), std::nullopt);
  EXPECT_LT(lane.bytes(), kTask);
  EXPECT_EQ(budget.taken(), 3 * (kTask + sizeof(OrderedOutput::Item)));
  OrderedOutput::Items none;
  counted.hand_over(1, none, EventKey{.time = 2.5});
  EXPECT_EQ(done, (std::vector<double>{1, 2}));
  EXPECT_EQ(budget.taken(), kTask + sizeof(OrderedOutput::Item));
  counted.finish(EventKey{.time = 1});
  EXPECT_EQ(budget.taken(), 0u);
}

TEST_F(Output, AStretchBeginsWithoutBounds) {
  hand_over(0, {1}, std::nullopt);
  hand_over(1, {}, std::nullopt);
  EXPECT_EQ(done.size(), 1u);
  output.restart();
  hand_over(0, {3}, std::nullopt);
  EXPECT_EQ(done.size(), 1u);
  hand_over(1, {2}, 4);
  EXPECT_EQ(done, (std::vector<double>{1, 2, 3}));
}

TEST_F(Output, NobodyWaitsForPesThatExecuteNothing) {
  output.restart();
  output.expect_only(1);
  hand_over(0, {2, 1}, 3);
  EXPECT_EQ(done, (std::vector<double>{1, 2}));
}

TEST_F(Output, WhatIsBehindAFailureIsForgotten) {
  hand_over(0, {3, 1, 2}, 1);
  output.finish(EventKey{.time = 3});
  EXPECT_EQ(done, (std::vector<double>{1, 2}));
  output.finish(std::nullopt);
  EXPECT_EQ(done.size(), 2u);
}

TEST_F(Output, TasksOfOneEventStayInTheirOrder) {
  OrderedOutput::Items of_pe;
  for (int i = 0; i < 50; ++i)
    of_pe.push_back({EventKey{.time = i % 2 ? 1.0 : 2.0}, 0, "Nothing", std::make_unique<Note>(done, i)});
  output.hand_over(0, of_pe, std::nullopt);
  output.finish(std::nullopt);
  ASSERT_EQ(done.size(), 50u);
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_EQ(done[i], 2.0 * double(i) + 1);
    EXPECT_EQ(done[25 + i], 2.0 * double(i));
  }
}

}  // namespace
}  // namespace anachron::test
