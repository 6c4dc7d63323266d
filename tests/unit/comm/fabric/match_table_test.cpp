// Events by match id.
#include "comm/fabric/match_table.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;

/// A table, and what must be in it.
class MatchTables : public testing::Test {
 protected:
  void insert(std::uint64_t match) {
    EventHeader& e = events_.emplace_back();
    e.match.value = match;
    table_.insert(e, probes_);
    expected_[match] = &e;
    ids_.push_back(match);
  }
  void erase(std::uint64_t match) {
    table_.erase(match, probes_);
    expected_.erase(match);
  }
  void check() const {
    ASSERT_EQ(table_.size(), expected_.size());
    std::uint64_t probes = 0;
    for (const std::uint64_t match : ids_) {
      const auto at = expected_.find(match);
      ASSERT_EQ(table_.find(match, probes), at == expected_.end() ? nullptr : at->second) << match;
    }
  }

  MatchTable table_;
  std::uint64_t probes_ = 0;
  std::unordered_map<std::uint64_t, EventHeader*> expected_;
  std::vector<std::uint64_t> ids_;  // all that there ever were
  std::deque<EventHeader> events_;
};

TEST_F(MatchTables, FindsNothingWhereNothingIs) {
  EXPECT_EQ(table_.find(0, probes_), nullptr);
  table_.erase(0, probes_);
  EXPECT_EQ(table_.bytes(), 0u);
  insert(7);
  EXPECT_EQ(table_.find(7 + 64, probes_), nullptr) << "another one that would have its place";
  erase(7 + 64);
  check();
}

TEST_F(MatchTables, RefuseAnIdThatIsThere) {
  insert(3);
  EXPECT_THROW(insert(3), std::logic_error);
  EXPECT_EQ(table_.size(), 1u);
}

TEST_F(MatchTables, KeepWhatWasProbedPastTheEnd) {
  // Of a table of 64: all of them want one of the last two places, and go on at the front.
  const std::vector<std::uint64_t> ids{62, 63, 62 + 64, 63 + 64, 62 + 2 * 64, 0, 1, 63 + 3 * 64, 61};
  for (std::size_t first = 0; first < ids.size(); ++first) {
    for (const std::uint64_t id : ids) insert(id);
    check();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      erase(ids[(first + i * 2) % ids.size()]);  // an odd number of them: each once
      check();
    }
  }
}

TEST_F(MatchTables, CountWhatASearchLooksAt) {
  for (const std::uint64_t id : {62, 62 + 64, 62 + 2 * 64}) insert(id);
  EXPECT_EQ(probes_, 1u + 2u + 3u) << "all want the same place";
  const auto probes_of = [this](std::uint64_t id) {
    std::uint64_t probes = 0;
    table_.find(id, probes);
    return probes;
  };
  EXPECT_EQ(probes_of(62 + 2 * 64), 3u);
  EXPECT_EQ(probes_of(62 + 3 * 64), 4u) << "the empty place behind them";
  EXPECT_EQ(probes_of(5), 1u);
}

TEST_F(MatchTables, ShrinkWhenLittleIsLeft) {
  for (std::uint64_t id = 0; id < 10'000; ++id) insert(id);
  const std::uint64_t most = table_.bytes();
  EXPECT_GE(most, 2 * 10'000 * sizeof(void*));
  for (std::uint64_t id = 0; id < 10'000; ++id) erase(id);
  check();
  EXPECT_LE(table_.bytes(), most / 100);
}

// Ids count up and go in about the order in which they came, as those of a PE do; or they are any.
TEST_F(MatchTables, DoWhatAMapDoes) {
  for (const bool counts_up : {true, false}) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> here;
    std::uint64_t next = 1'000'000;
    for (int turn = 0; turn < test::scaled(60'000); ++turn) {
      const bool grows = turn / 4096 % 2 == 0;
      if (here.empty() || random() % 5 < (grows ? 3u : 2u)) {
        const std::uint64_t id = counts_up ? next++ : random() % 1'000'000;
        if (expected_.contains(id)) continue;
        insert(id);
        here.push_back(id);
      } else {
        const std::size_t oldest = here.size() - std::min<std::size_t>(here.size(), 5000);
        const std::size_t at = oldest + random() % (here.size() - oldest);
        erase(here[at]);
        here.erase(here.begin() + static_cast<std::ptrdiff_t>(at));
      }
      if (turn % 2000 == 0) check();
      ASSERT_EQ(table_.size(), expected_.size());
    }
    check();
    for (const std::uint64_t id : here) erase(id);
    check();
  }
}

}  // namespace
}  // namespace anachron::fabric
