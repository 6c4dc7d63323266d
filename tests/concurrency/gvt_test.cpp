// GVT against the truth: threads pass tokens with time stamps around; how many there are of each time, in a
// thread, in a channel or in between, is counted aside.
#include "gvt/gvt.hpp"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/channel/spsc_channel.hpp"
#include "scale.hpp"

namespace anachron::gvt {
namespace {

using test::scaled;

using Stamp = std::uint32_t;
constexpr Stamp kNone = std::numeric_limits<Stamp>::max();

struct Rules {
  unsigned threads = 3;
  unsigned members_per_thread = 1;
  unsigned tokens = 20;   // per member, at first
  Stamp end = 2000;       // tokens die there
  Stamp longest = 20;     // delay; 0 is possible, too
  unsigned batch = 8;     // tokens handled between two looks at GVT
  bool fans_out = false;  // tokens may die early, or become two
  anachron::Gvt algorithm = anachron::Gvt::epoch;
};

/// The members of a GVT, each with its tokens. One thread runs a member, in turn with its others.
class World {
 public:
  explicit World(const Rules& rules)
      : rules_(rules),
        count_(rules.threads * rules.members_per_thread),
        channels_(std::size_t{count_} * count_),
        alive_(rules.end + 1),
        members_(count_),
        gvt_(make_gvt(rules.algorithm, count_, [this](Gvt& gvt, std::span<const Summary> summaries) {
          gvt.open(conclude(summaries));
        })) {
    std::mt19937_64 random(1);
    for (Member& member : members_)
      for (unsigned i = 0; i < rules.tokens; ++i) {
        const auto stamp = static_cast<Stamp>(random() % (rules.longest + 1));
        member.tokens.push(stamp);
        ++alive_[stamp];
      }
  }

  void run() {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < rules_.threads; ++thread)
      threads.emplace_back([this, thread] {
        std::mt19937_64 random(thread);
        bool is_over = false;
        for (unsigned turn = 0; !is_over; ++turn)
          is_over = work(thread + rules_.threads * (turn % rules_.members_per_thread), random);
      });
  }

  void check() const {
    EXPECT_EQ(overtaken_, 0u) << "GVT was beyond a token";
    EXPECT_EQ(late_, 0u) << "a token came from before GVT";
    EXPECT_EQ(backwards_, 0u) << "GVT went back";
    EXPECT_GT(rounds_, 0u);
    for (const auto& alive : alive_) EXPECT_EQ(alive, 0);
  }
  std::uint64_t rounds() const { return rounds_; }

 private:
  struct alignas(128) Member {
    std::priority_queue<Stamp, std::vector<Stamp>, std::greater<>> tokens;
    Stamp earliest_sent = kNone;  // since the cut
    Stamp bound = 0;              // of the round adopted last
  };

  static std::optional<event::EventKey> key(Stamp stamp) {
    if (stamp == kNone) return {};
    return event::EventKey{.time = static_cast<Time>(stamp)};
  }

  /// Called by the last member to report, while the others run on.
  Round conclude(std::span<const Summary> summaries) {
    Round round;
    for (const Summary& summary : summaries)
      if (summary.earliest && (!round.bound || *summary.earliest < *round.bound))
        round.bound = summary.earliest;
    const Stamp bound = round.bound ? static_cast<Stamp>(round.bound->time) : rules_.end + 1;
    for (Stamp stamp = 0; stamp < bound; ++stamp) overtaken_ += alive_[stamp] != 0;
    backwards_ += bound < last_bound_;
    last_bound_ = bound;
    ++rounds_;
    round.verdict = round.bound ? Verdict::go_on : Verdict::finished;
    return round;
  }

  void take_in(unsigned self) {
    Member& member = members_[self];
    for (unsigned from = 0; from < count_; ++from)
      channels_[from * count_ + self].drain([&](Stamp stamp) {
        late_ += stamp < member.bound;
        member.tokens.push(stamp);
      });
  }

  void publish(unsigned self) {
    for (unsigned to = 0; to < count_; ++to) channels_[self * count_ + to].publish();
  }

  void send(unsigned self, Stamp stamp, std::mt19937_64& random) {
    if (stamp > rules_.end) return;
    ++alive_[stamp];
    const auto to = static_cast<unsigned>(random() % count_);
    if (to == self) return members_[self].tokens.push(stamp);
    channels_[self * count_ + to].push(stamp);
    members_[self].earliest_sent = std::min(members_[self].earliest_sent, stamp);
  }

  void handle(unsigned self, std::mt19937_64& random) {
    Member& member = members_[self];
    const Stamp stamp = member.tokens.top();
    member.tokens.pop();
    const auto children = rules_.fans_out ? (random() % 8 == 0 ? 0u : random() % 7 == 0 ? 2u : 1u) : 1u;
    for (auto n = children; n > 0; --n)
      send(self, stamp + static_cast<Stamp>(random() % (rules_.longest + 1)), random);
    --alive_[stamp];  // after its children were counted: never none in between
  }

  /// One turn of a worker, as in sched/worker.hpp. True when the run is over.
  bool work(unsigned self, std::mt19937_64& random) {
    Member& member = members_[self];
    unsigned handled = 0;
    if (!gvt_->must_wait(self)) {
      if (random() % 2) take_in(self);
      for (; handled < rules_.batch && !member.tokens.empty(); ++handled) handle(self, random);
      publish(self);
    }
    if (random() % 8 == 0) std::this_thread::yield();
    switch (gvt_->due(self)) {
      case Duty::none:
        break;
      case Duty::adopt:
        gvt_->adopted(self);
        if (gvt_->round().verdict != Verdict::go_on) return true;
        member.bound = static_cast<Stamp>(gvt_->round().bound->time);
        break;
      case Duty::cut:
        if (handled == 0 || gvt_->is_called() || random() % 4 == 0) {
          publish(self);
          member.earliest_sent = kNone;
          gvt_->cut(self);
        }
        break;
      case Duty::report: {
        take_in(self);
        Stamp earliest = member.earliest_sent;
        if (!member.tokens.empty()) earliest = std::min(earliest, member.tokens.top());
        Summary summary;
        summary.earliest = key(earliest);
        publish(self);
        gvt_->ready(self, summary);
        break;
      }
    }
    return false;
  }

  Rules rules_;
  unsigned count_;
  std::vector<channel::SpscChannel<Stamp>> channels_;
  std::vector<std::atomic<int>> alive_;  // by time stamp
  std::vector<Member> members_;
  std::atomic<std::uint64_t> overtaken_ = 0, late_ = 0;
  Stamp last_bound_ = 0;  // this and the next: by `conclude` only
  std::uint64_t backwards_ = 0, rounds_ = 0;
  std::unique_ptr<Gvt> gvt_;
};

void run_and_check(Rules rules) {
  for (const auto algorithm : {anachron::Gvt::epoch, anachron::Gvt::barrier}) {
    SCOPED_TRACE(to_string(algorithm));
    rules.algorithm = algorithm;
    World world(rules);
    world.run();
    world.check();
  }
}

TEST(GvtThreads, NeverPassesAToken) {
  for (const unsigned threads : {1u, 2u, 3u, 4u, 8u}) {
    SCOPED_TRACE(threads);
    run_and_check({.threads = threads, .end = scaled(Stamp{8000})});
  }
}

TEST(GvtThreads, NeverPassesATokenWithManyMembersPerThread) {
  run_and_check({.threads = 2, .members_per_thread = 5, .end = scaled(Stamp{4000})});
}

TEST(GvtThreads, NeverPassesATokenThatStandsStill) {
  run_and_check({.threads = 3, .tokens = 200, .end = scaled(Stamp{400}), .longest = 1, .batch = 64});
}

TEST(GvtThreads, FollowsAFewTokens) {
  for (int i = 0; i < scaled(20); ++i) run_and_check({.threads = 4, .tokens = 1, .end = 300, .batch = 1});
}

TEST(GvtThreads, EndsWhenTokensDieOut) {
  for (int i = 0; i < scaled(20); ++i)
    run_and_check({.threads = 3, .tokens = 5, .end = 1000, .longest = 10, .fans_out = true});
}

TEST(GvtThreads, EndsWithoutTokens) {
  World world({.threads = 4, .tokens = 0});
  world.run();
  EXPECT_EQ(world.rounds(), 1u);
}

}  // namespace
}  // namespace anachron::gvt
