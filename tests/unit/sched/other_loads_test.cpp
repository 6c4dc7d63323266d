#include "sched/trials/other_loads.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

OtherLoads room_by(CountedIdleCores::Seconds idle_s) {
  return OtherLoads(std::make_unique<CountedIdleCores>(std::move(idle_s)));
}

/// The answer after so many periods of 60 ms, in which one core was idle (.), none was (x), or half of one
/// (-).
bool after(const std::string& periods, bool (OtherLoads::*question)() const) {
  double wall_s = 0, idle_s = 0;
  OtherLoads room = room_by([&] { return std::optional(idle_s); });
  room.look(wall_s);
  for (const char period : periods) {
    wall_s += 60e-3;
    idle_s += period == '.' ? 60e-3 : period == '-' ? 36e-3 : 0;
    room.look(wall_s);
  }
  return (room.*question)();
}
bool has_come(const std::string& periods) { return after(periods, &OtherLoads::has_come); }
bool is_taken(const std::string& periods) { return after(periods, &OtherLoads::is_taken); }

TEST(OtherLoads, HasComeWhereACoreWasTakenAndNoLongerIs) {
  EXPECT_TRUE(has_come("x.."));
  EXPECT_TRUE(has_come("..xx....."));
  EXPECT_TRUE(has_come("x--.."));
}

TEST(OtherLoads, IsTakenUntilACoreIsFree) {
  EXPECT_FALSE(is_taken(""));
  EXPECT_TRUE(is_taken("x"));
  EXPECT_TRUE(is_taken(".x-"));
  EXPECT_FALSE(is_taken("x."));
  EXPECT_FALSE(is_taken("--.."));
}

TEST(OtherLoads, HasNotComeWhereItWasThereBefore) {
  EXPECT_FALSE(has_come(""));
  EXPECT_FALSE(has_come("......"));
  EXPECT_FALSE(has_come("--...."));
}

TEST(OtherLoads, HasNotComeWhereSomebodyIsStillThereNowAndThen) {
  EXPECT_FALSE(has_come("xxxxxx"));
  EXPECT_FALSE(has_come("x."));
  EXPECT_FALSE(has_come("x.xx"));
  EXPECT_FALSE(has_come("xxxx.xxx"));
  EXPECT_FALSE(has_come("x..x"));
}

TEST(OtherLoads, IsForgottenWhenMoreWorkersAreTried) {
  double wall_s = 0;
  OtherLoads room = room_by([&] { return std::optional(wall_s < 0.3 ? 0 : wall_s - 0.3); });
  for (; wall_s < 1; wall_s += 0.06) room.look(wall_s);
  EXPECT_TRUE(room.has_come());
  room.forget();
  for (; wall_s < 2; wall_s += 0.06) room.look(wall_s);
  EXPECT_FALSE(room.has_come()) << "nobody has left since";
}

TEST(OtherLoads, HasComeWhenOthersLeftBeforeTheFirstLook) {
  double wall_s = 0;
  OtherLoads room = room_by([&] { return std::optional(wall_s); });
  room.assume_taken();
  for (; wall_s < 0.2; wall_s += 0.06) room.look(wall_s);
  EXPECT_TRUE(room.has_come());
}

TEST(OtherLoads, IsTooLittleWhileThreadsWait) {
  unsigned threads = 2;
  OtherLoads room(std::make_unique<SampledIdleCores>([&] { return std::optional(threads); }, 2));
  double wall_s = 0;
  const auto look = [&] {
    for (const double end = wall_s + 0.05; wall_s < end; wall_s += 1e-3) room.look(wall_s);
    return room.is_too_little();
  };
  EXPECT_FALSE(look());
  threads = 3;
  EXPECT_TRUE(look());
  threads = 2;
  EXPECT_FALSE(look());
  EXPECT_TRUE(room.is_taken());
}

TEST(OtherLoads, HasComeWhereOthersWhoAreThereNowAndThenLeaveEnough) {
  EXPECT_FALSE(has_come("x.x.x.x")) << "so short a time says little";
  EXPECT_TRUE(has_come("x.x.x.x."));
  EXPECT_TRUE(has_come("x.-.x.-."));
}

// Two others who are there half of the time leave no core on average, and half of one.
TEST(OtherLoads, HasComeWhereOthersLeaveACoreAtTimes) {
  const auto has_come = [](unsigned gone_of_ten, double for_s) {
    unsigned looks = 0;
    OtherLoads room(std::make_unique<SampledIdleCores>(
        [&] { return std::optional(looks++ % 10 < gone_of_ten ? 1u : 3u); }, 2));
    for (double wall_s = 0; wall_s < for_s; wall_s += 1e-3) room.look(wall_s);
    EXPECT_NE(room.has_come(), room.is_taken());
    return room.has_come();
  };
  EXPECT_TRUE(has_come(5, 0.1));
  EXPECT_FALSE(has_come(5, 0.07)) << "so short a time says little";
  EXPECT_FALSE(has_come(1, 1));
}

TEST(OtherLoads, AtTimesIsForgottenWhenMoreWorkersAreTried) {
  unsigned looks = 0;
  OtherLoads room(
      std::make_unique<SampledIdleCores>([&] { return std::optional(looks++ % 10 < 5 ? 1u : 3u); }, 2));
  double wall_s = 0;
  for (; wall_s < 0.1; wall_s += 1e-3) room.look(wall_s);
  EXPECT_TRUE(room.has_come());
  room.forget();
  for (; wall_s < 0.15; wall_s += 1e-3) room.look(wall_s);
  EXPECT_FALSE(room.has_come());
}

TEST(OtherLoads, NeedsASystemThatTells) {
  OtherLoads unknown = room_by([] { return std::optional<double>(); }), none(nullptr);
  for (double wall_s = 0; wall_s < 1; wall_s += 0.06) {
    unknown.look(wall_s);
    none.look(wall_s);
  }
  EXPECT_FALSE(unknown.has_come());
  EXPECT_FALSE(none.has_come());
}

}  // namespace
}  // namespace anachron::sched
