// When two workers take turns, and where.
#include "sched/time_slicing.hpp"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

using namespace std::chrono_literals;

/// Two workers with a clock that each look moves on. The log, of whose turn it is: a and b look, ! keep both
/// here, ~ let both go.
class World {
 public:
  explicit World(TimeSlicing::Clock::duration look)
      : turns({.now = [this, look] { return now += look; },
               .gather = [this] { log += '!'; },
               .roam = [this] { log += '~'; }}) {}

  /// Until so many looks, or until `worker` has no more; the turns are wanted in those of `wanted`.
  void run(const std::string& wanted) {
    log.clear();
    turns.begin();
    std::size_t looks = 0;
    const auto work = [&](unsigned worker) {
      bool is_over = worker > 0 && !turns.wait_for_first(worker);
      while (!is_over) {
        EXPECT_FALSE(is_busy.exchange(true)) << "both at a time";
        log += worker == 0 ? 'a' : 'b';
        is_busy = false;
        if (looks == wanted.size()) return turns.end();
        is_over = !turns.go_on(worker, wanted[looks++] == 'x');
      }
    };
    std::thread second(work, 1);
    work(0);
    second.join();
  }

  TimeSlicing::Clock::time_point now;
  std::string log;
  std::atomic<bool> is_busy = false;
  TimeSlicing turns;
};

TEST(TimeSlicing, NobodyElseHasASliceUnlessItIsWanted) {
  World world(1s);
  world.run("......");
  EXPECT_EQ(world.log, "aaaaaaa");
  EXPECT_EQ(world.turns.given_by(0), 0u);
}

TEST(TimeSlicing, EachGoesOnForTwoMilliseconds) {
  World world(700us);
  world.run("xxxxxxxxxx");
  EXPECT_EQ(world.log, "aaa~!bbbaaabb");
  EXPECT_EQ(world.turns.given_by(0), 2u);
  EXPECT_EQ(world.turns.given_by(1), 1u);
}

TEST(TimeSlicing, NowAndThenTheNextOneBeginsWhereTheSystemFindsBest) {
  World world(2ms);
  world.run(std::string(18, 'x'));
  EXPECT_EQ(world.log, "a~!babababababababa~!ba");
}

TEST(TimeSlicing, BothMayGoAnywhereWhenSlicesAreNoLongerWanted) {
  World world(2ms);
  world.run("xx..x.");
  EXPECT_EQ(world.log, "a~!ba~aa~!b~b");
}

TEST(TimeSlicing, BeginAnew) {
  World world(2ms);
  world.run("xxx");
  EXPECT_EQ(world.log, "a~!bab");
  world.run("xxx");
  EXPECT_EQ(world.log, "a~!bab");
}

TEST(TimeSlicing, WorkThatIsOverBeforeTheFirstSliceHasNone) {
  World world(2ms);
  world.turns.begin();
  world.turns.end();
  EXPECT_FALSE(world.turns.wait_for_first(1));
}

}  // namespace
}  // namespace anachron::sched
