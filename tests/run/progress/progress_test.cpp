#include "run/progress/progress_line.hpp"

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

Progress at(double wall_s, Time gvt, std::uint64_t committed, Time until = 100) {
  return {gvt, until, committed, committed + committed / 9, wall_s};
}

TEST(ProgressText, ShowsWhatIsKnown) {
  RecentSpeed speed;
  speed.add(at(1, 10, 1'000'000));
  const Progress now = at(2, 25, 3'000'000);
  speed.add(now);
  EXPECT_EQ(progress_text(now, speed, 200),
            " 25.0%  time 25 of 100  2.00 M events/s  efficiency 90.0%  0:05 left");
}

TEST(ProgressText, HasNoEndWithoutOne) {
  RecentSpeed speed;
  const Progress now = at(2, 25, 3'000'000, kForever);
  speed.add(now);
  EXPECT_EQ(progress_text(now, speed, 200), "time 25  1.50 M events/s  efficiency 90.0%");
  EXPECT_EQ(progress_text({}, RecentSpeed(), 200), "time 0  0 events/s");
}

TEST(ProgressText, FitsTheTerminal) {
  RecentSpeed speed;
  speed.add(at(1, 10, 1'000'000));
  const Progress now = at(2, 25, 3'000'000);
  speed.add(now);
  EXPECT_EQ(progress_text(now, speed, 30), " 25.0%  0:05 left");
  EXPECT_EQ(progress_text(now, speed, 7), " 25.0%");
  EXPECT_EQ(progress_text(now, speed, 2), "");
  for (std::size_t width = 0; width < 120; ++width) EXPECT_LE(progress_text(now, speed, width).size(), width);
}

TEST(ProgressText, NamesWhatElseDoesNotEnd) {
  LongEvent what{.lp = "Player 17", .event = "Ball", .time = 25.5, .seconds = 12.2};
  EXPECT_EQ(text_of(what), "Player 17: event Ball at time 25.5, for 12 s");
  what.activity = Activity::commit;
  EXPECT_EQ(text_of(what), "Player 17: commit of event Ball at time 25.5, for 12 s");
  what.activity = Activity::undo;
  what.speculative = true;
  EXPECT_EQ(text_of(what), "Player 17: undoing event Ball at time 25.5, for 12 s, speculative");
  what = {.lp = "Player 17", .event = "start", .seconds = 3, .activity = Activity::start};
  EXPECT_EQ(text_of(what), "Player 17: start, for 3 s");
  what.activity = Activity::commit;
  EXPECT_EQ(text_of(what), "Player 17: commit of start at time 0, for 3 s");
}

TEST(ProgressText, NamesTheEventThatDoesNotEnd) {
  Progress now = at(2, 25, 0);
  now.long_event = {.lp = "Player 17", .event = "Ball", .time = 25.5, .seconds = 12.2, .speculative = true};
  const std::string event = "Player 17: event Ball at time 25.5, for 12 s, speculative";
  EXPECT_EQ(progress_text(now, RecentSpeed(), 200), event + "   25.0%  time 25 of 100  0 events/s");
  EXPECT_EQ(progress_text(now, RecentSpeed(), 50), event.substr(0, 50));
}

TEST(RecentSpeed, ForgetsThePast) {
  RecentSpeed speed;
  for (int i = 0; i <= 10; ++i) speed.add(at(i, i, 10ull * static_cast<std::uint64_t>(i)));
  for (int i = 1; i <= 10; ++i)
    speed.add(at(10 + i, 10 + 2 * i, 100 + 1000ull * static_cast<std::uint64_t>(i)));
  EXPECT_DOUBLE_EQ(speed.events_per_s(), 1000);
  ASSERT_TRUE(speed.seconds_left(100));
  EXPECT_DOUBLE_EQ(*speed.seconds_left(100), 35);
  EXPECT_FALSE(speed.seconds_left(kForever));
}

TEST(RecentSpeed, IsThatBeforeAPause) {
  RecentSpeed speed;
  speed.add(at(1, 10, 1000));
  speed.add(at(2, 20, 3000));
  Progress paused = at(2, 20, 3000);
  paused.is_paused = true;
  for (int i = 0; i < 1000; ++i) speed.add(paused);
  EXPECT_DOUBLE_EQ(speed.events_per_s(), 2000);
  EXPECT_EQ(progress_text(paused, speed, 20), "paused   20.0%");
  speed.add(at(3, 30, 5000));
  EXPECT_DOUBLE_EQ(speed.events_per_s(), 2000);
}

TEST(RecentSpeed, SaysNothingWhenStuck) {
  RecentSpeed speed;
  speed.add(at(1, 5, 10));
  speed.add(at(2, 5, 10));
  EXPECT_FALSE(speed.seconds_left(100));
}

}  // namespace
}  // namespace anachron::test
