// Two events with the same key, which only a chance of one in 2^64 could bring: the second is the run's
// error.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Ping {};
struct Sink {
  int pings = 0;
  void on(Context<Sink>&, const Ping&) { ++pings; }
};

class Sinks : public PeBench {
 public:
  explicit Sinks(const Config& config)
      : PeBench({{&anachron::detail::lp_ops<Sink>(), 0, 2, nullptr, nullptr}}, {0, 0}, config) {}
  /// As the first from outside, each time: so all for one time have one key.
  void ping(LpId lp, Time time) {
    event::Outside none;
    event::EventHeader& e =
        pe(0).make_outside(anachron::detail::event_ops<Sink, Ping>(), lp, time, Order{}, none);
    std::construct_at(&event::payload<Ping>(e));
    pe(0).insert_outside(e);
  }
};

Config until_ten(Config config) {
  config.until = 10;
  return config;
}

TEST(EqualKeys, AtOneLpAreAnError) {
  Sinks sinks(until_ten(sequential()));
  sinks.ping(1, 3);
  sinks.ping(1, 3);
  sinks.run_sequentially();
  ASSERT_TRUE(sinks.halt());
  EXPECT_EQ(sinks.halt()->lp, 1u);
  EXPECT_EQ(sinks.halt()->key.time, 3);
  EXPECT_EQ(sinks.halt()->halt.cause,
            "has the same key as the event before it, by a chance of one in 2^64: another --seed helps");
}

TEST(EqualKeys, AreTheSameErrorInTimeWarp) {
  Sinks sinks(until_ten(optimistic(1)));
  sinks.ping(1, 3);
  sinks.ping(1, 3);
  sinks.begin();
  EXPECT_EQ(sinks.finish(), gvt::Verdict::halted);
  ASSERT_TRUE(sinks.halt());
  EXPECT_EQ(sinks.halt()->lp, 1u);
}

TEST(EqualKeys, OfDifferentTimesOrLpsAreNone) {
  Sinks sinks(until_ten(sequential()));
  sinks.ping(1, 3);
  sinks.ping(1, 4);
  sinks.ping(0, 3);
  sinks.run_sequentially();
  EXPECT_FALSE(sinks.halt());
  EXPECT_EQ(sinks.lp<Sink>(1).pings, 2);
}

}  // namespace
}  // namespace anachron::pe
