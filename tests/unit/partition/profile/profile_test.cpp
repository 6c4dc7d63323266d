// What a partition is made of: as LP types declare it, and as it is counted in a run.
#include "partition/profile/profile.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "partition/profile/survey.hpp"
#include "support/error_of.hpp"

namespace anachron::partition {
namespace {

struct Parcel {};
struct Office;

/// Sends to the next hub and now and then to an office.
struct Hub {
  struct Params {
    std::uint32_t hubs = 4;
    double weight = 2;
    std::uint32_t beyond = 0, among = 0;
  };
  static std::uint64_t count(const Params& params) { return params.hubs; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to);
  static double load(const Params&, std::uint32_t index) { return index + 1; }
  void start(Context<Hub>& cx) {
    if (cx.self().index() == 0) cx.send(cx.self(), 1, Parcel{});
  }
  void on(Context<Hub>& cx, const Parcel&);
};
struct Map {
  Map() = default;
  explicit Map(const Hub::Params&) {}
};
struct Office {
  using Params = Hub::Params;
  using Shared = Map;
  static std::uint64_t count(const Params&) { return 2; }
  static void neighbours(const Params&, const Map&, std::uint32_t, Neighbours& to) { to.anywhere(3); }
  void on(Context<Office>&, const Parcel&) {}
};
struct Elsewhere {
  void on(Context<Elsewhere>&, const Parcel&) {}
};

void Hub::neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
  to.add(AnyId<Office, Hub>(Id<Hub>((index + 1) % params.hubs + params.beyond)), params.weight);
  to.add(Id<Office>(index % 2));
  if (params.weight == 77) to.add(Id<Elsewhere>(0));
  if (index > 0) to.among(Id<Hub>(index), params.among, 9);
}
void Hub::on(Context<Hub>& cx, const Parcel&) {
  const std::uint32_t index = cx.self().index();
  cx.send(cx.id((index + 1) % cx.params().hubs), 1, Parcel{});
  if (index == 2) cx.send(cx.id<Office>(1), 1, Parcel{});
}

std::vector<event::LpTypeEntry> types(const Hub::Params& params) {
  static const Map shared;
  return {{&detail::lp_ops<Hub>(), 0, params.hubs, &params, nullptr},
          {&detail::lp_ops<Office>(), params.hubs, 2, &params, &shared}};
}

TEST(DeclaredProfile, IsWhatTheTypesTell) {
  const Hub::Params params;
  const Profile profile = declared_profile(types(params));
  EXPECT_EQ(profile.work, (std::vector<double>{1, 2, 3, 4, 2.5, 2.5}));
  EXPECT_EQ(profile.sent,
            (std::vector<Sent>{
                {0, 1, 2}, {0, 4, 1}, {1, 2, 2}, {1, 5, 1}, {2, 3, 2}, {2, 4, 1}, {3, 0, 2}, {3, 5, 1}}));
  EXPECT_EQ(profile.spread, (std::vector<Spread>{{4, 0, 6, 3}, {5, 0, 6, 3}}));
}

TEST(DeclaredProfile, HasRanges) {
  EXPECT_EQ(declared_profile(types({.among = 1})).spread,
            (std::vector<Spread>{{1, 1, 1, 9}, {2, 2, 1, 9}, {3, 3, 1, 9}, {4, 0, 6, 3}, {5, 0, 6, 3}}));
  EXPECT_EQ(test::error_of([&] { declared_profile(types({.among = 2})); }),
            "neighbours of Hub 3: there is no Hub 4; there are 4");
  EXPECT_EQ(test::error_of([&] { declared_profile(types({.among = 0xffffffff})); }),
            "neighbours of Hub 1: there is no Hub 4294967295; there are 4");
}

// Two links of a hub, one of an office, and what is drawn from a range. What goes anywhere is not drawn.
TEST(DeclaredProfile, IsNoneOfManyLinks) {
  const Hub::Params params{.among = 1};
  EXPECT_TRUE(declared_profile(types(params), 4 * 2 + 3));
  EXPECT_FALSE(declared_profile(types(params), 4 * 2 + 3 - 1));
}

TEST(DeclaredProfile, SaysWhatIsWrong) {
  const auto complaint = [](const Hub::Params& params) -> std::string {
    return test::error_of([&] { declared_profile(types(params)); });
  };
  EXPECT_EQ(complaint({.weight = -1}),
            "neighbours of Hub 0: a weight is -1; weights are finite and not negative");
  EXPECT_EQ(complaint({.weight = std::numeric_limits<double>::infinity()}),
            "neighbours of Hub 0: a weight is inf; weights are finite and not negative");
  EXPECT_EQ(complaint({.beyond = 3}), "neighbours of Hub 0: there is no Hub 4; there are 4");
  EXPECT_EQ(complaint({.weight = 77}), "neighbours of Hub 0: LP type Elsewhere is not in the simulation");
}

TEST(DeclaredProfile, NeedsATypeThatTells) {
  const std::vector<event::LpTypeEntry> silent{{&detail::lp_ops<Elsewhere>(), 0, 5, nullptr, nullptr}};
  try {
    declared_profile(silent);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("neighbours"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--profile-until"), std::string::npos) << error.what();
  }
}

std::optional<Profile> counted(Sync sync) {
  Simulation<Hub, Office> simulation;
  simulation.config.sync = sync;
  simulation.config.workers = 1;
  simulation.config.until = 9.5;
  std::optional<Profile> profile;
  const auto survey = std::make_shared<Survey>();
  survey->counted = [&profile](Profile all) { profile = std::move(all); };
  simulation.config.survey = survey;
  const Report report = simulation.run();
  double work = 0;
  for (const double one : profile->work) work += one;
  EXPECT_EQ(work, static_cast<double>(report.committed));
  return profile;
}

TEST(CountedProfile, IsWhatWasSentAndExecuted) {
  // One parcel goes round: hub 0 at 1, 5, 9, .. and to the office from hub 2 at 3, 7.
  const auto profile = counted(Sync::sequential);
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->work, (std::vector<double>{3, 2, 2, 2, 0, 2}));
  EXPECT_EQ(profile->sent,
            (std::vector<Sent>{{0, 0, 1}, {0, 1, 2}, {1, 2, 2}, {2, 3, 2}, {2, 5, 2}, {3, 0, 2}}));
  EXPECT_TRUE(profile->spread.empty());
}

TEST(CountedProfile, IsOfSequentialRunsOnly) { EXPECT_THROW(counted(Sync::optimistic), std::logic_error); }

}  // namespace
}  // namespace anachron::partition
