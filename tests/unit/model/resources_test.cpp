// Resources, containers and stores: which request gets what and when, and that simultaneous requests are
// dealt with in the same way whatever their order.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Seat {
  std::string who;
  Token token{};
  bool operator==(const Seat&) const = default;
};
struct Bed {
  std::string who;
  Token token{};
  bool operator==(const Bed&) const = default;
};
struct OutOfBed {
  Bed lost;
  bool operator==(const OutOfBed&) const = default;
};
struct Fuel {
  std::string who;
  bool operator==(const Fuel&) const = default;
};
struct Filled {
  std::string who;
  bool operator==(const Filled&) const = default;
};
struct Fetched {
  std::string who;
  int item = 0;
  Token token{};
  bool operator==(const Fetched&) const = default;
};
struct Put {
  Token token{};
};
struct Urgent {
  int item = 0;
};
struct Act {
  std::size_t number;
};
struct House;
struct Rooms {};
struct Script {
  struct Line {
    Time time;
    std::function<void(Context<House>&, House&)> action;
  };
  std::vector<Line> lines;
  explicit Script(const Rooms&) {}
  explicit Script(std::vector<Line> what) : lines(std::move(what)) {}
};

/// Does what the script says, and writes down what it hears.
struct House {
  using Params = Rooms;
  using Shared = Script;
  Resource<Seat> seats;
  PreemptiveResource<Bed, OutOfBed> beds;
  Container<Fuel, Filled> tank{10, 2};
  Store<int, Fetched, Put> shelf{2};
  PriorityStore<int, Urgent> urgent;
  EventHandle timer;
  std::vector<Token> tokens = std::vector<Token>(26);  // by letter
  std::string log;

  void start(Context<House>& cx) {
    for (std::size_t i = 0; i < cx.shared().lines.size(); ++i)
      cx.send_at(cx.self(), cx.shared().lines[i].time, Act{i});
  }
  void on(Context<House>& cx, const Act& act) { cx.shared().lines[act.number].action(cx, *this); }
  void on(Context<House>& cx, const Seat& seat) { note(cx, seat.who); }
  void on(Context<House>& cx, const Bed& bed) { note(cx, bed.who); }
  void on(Context<House>& cx, const OutOfBed& out) { note(cx, "no " + out.lost.who); }
  void on(Context<House>& cx, const Fuel& fuel) { note(cx, fuel.who); }
  void on(Context<House>& cx, const Filled& filled) { note(cx, filled.who); }
  void on(Context<House>& cx, const Fetched& fetched) {
    note(cx, fetched.who + "=" + std::to_string(fetched.item));
  }
  void on(Context<House>& cx, const Put&) { note(cx, "put"); }
  void on(Context<House>& cx, const Urgent& urgent_item) { note(cx, std::to_string(urgent_item.item)); }
  void note(Context<House>& cx, const std::string& what) {
    log += std::to_string(static_cast<int>(cx.now())) + " " + what + "; ";
  }
  friend bool operator==(const House&, const House&) = default;
};

std::string play(const std::vector<Script::Line>& lines, std::uint64_t tie_seed = 1) {
  Simulation<House> simulation;
  simulation.lps<House>(1);
  simulation.shared<Script>(std::make_shared<const Script>(lines));
  simulation.config.sync = Sync::sequential;
  simulation.config.tie_seed = tie_seed;
  simulation.config.check_rollback = true;
  const Report report = simulation.run();
  EXPECT_TRUE(report.notes.empty()) << report.notes.front();
  return simulation.lp<House>(0).log;
}
/// Whatever the order of simultaneous events.
void expect_always(const std::string& log, const std::vector<Script::Line>& lines) {
  for (std::uint64_t tie_seed = 1; tie_seed <= 20; ++tie_seed) ASSERT_EQ(play(lines, tie_seed), log);
}

Script::Line sit(Time time, const std::string& who, int priority = 0) {
  return {time, [=](auto& cx, House& h) {
            h.tokens[static_cast<std::size_t>(who[0] - 'a')] = h.seats.request(cx, {who}, priority);
          }};
}
Script::Line rise(Time time, const std::string& who, bool sat = true) {
  return {time, [=](auto& cx, House& h) {
            EXPECT_EQ(h.seats.release(cx, h.tokens[static_cast<std::size_t>(who[0] - 'a')]), sat) << who;
          }};
}
Script::Line give_up(Time time, const std::string& who, bool waited = true) {
  return {time, [=](auto& cx, House& h) {
            EXPECT_EQ(h.seats.cancel(cx, h.tokens[static_cast<std::size_t>(who[0] - 'a')]), waited) << who;
          }};
}

TEST(Resource, IsGivenInTheOrderOfRequests) {
  expect_always("1 a; 4 b; 5 c; ", {sit(1, "a"), sit(2, "b"), sit(3, "c"), rise(4, "a"), rise(5, "b")});
}

TEST(Resource, GivesAFreedPlaceToTheSmallestPriority) {
  expect_always("1 a; 4 c; 5 b; ", {sit(1, "a"), sit(2, "b", 1), sit(3, "c"), rise(4, "a"), rise(5, "c")});
}

TEST(Resource, GivesAFreePlaceToTheSmallestPriorityOfAnInstant) {
  expect_always("1 c; 2 b; 3 a; ",
                {sit(1, "a", 3), sit(1, "b", 2), sit(1, "c", 1), rise(2, "c"), rise(3, "b")});
}

TEST(Resource, IsNotTakenFromItsUser) {
  expect_always("1 a; 3 b; ", {sit(1, "a", 9), sit(2, "b", 1), rise(3, "a")});
}

TEST(Resource, CountsPlacesAndRequests) {
  play({{0,
         [](auto& cx, House& h) {
           h.seats.set_capacity(cx, 2);
           const Token a = h.seats.request(cx, {"a"});
           for (const auto* who : {"b", "c", "d"}) h.seats.request(cx, {who});
           EXPECT_EQ(h.seats.capacity(), 2u);
           EXPECT_EQ(h.seats.count(), 2u);
           EXPECT_EQ(h.seats.waiting(), 2u);
           EXPECT_TRUE(h.seats.release(cx, a));
           EXPECT_FALSE(h.seats.release(cx, a));
           EXPECT_EQ(h.seats.count(), 2u);
           EXPECT_EQ(h.seats.waiting(), 1u);
         }},
        {1, [](auto&, House& h) {
           EXPECT_EQ(h.seats.count(), 2u);
           EXPECT_EQ(h.seats.waiting(), 1u);
           EXPECT_EQ(h.log, "0 b; 0 c; ");
         }}});
}

TEST(Resource, CanBeGivenUpWhileOneWaits) {
  expect_always("1 a; 4 c; ", {sit(1, "a"), sit(2, "b"), sit(2.5, "c"), give_up(3, "b"), rise(4, "a"),
                               give_up(5, "c", false)});
}

// Either way `b` has left for good, and nobody tells it of a place.
TEST(Resource, CanBeGivenUpAtTheInstantInWhichItIsGranted) {
  expect_always("1 a; 3 c; ", {sit(1, "a"), sit(2, "b"), sit(2.5, "c"), give_up(3, "b"), rise(3, "a")});
}

TEST(Resource, KnowsNoRequestThatIsGone) {
  expect_always("1 a; ", {sit(1, "a"), rise(2, "a"), rise(3, "a", false), give_up(3, "a", false),
                          rise(3, "z", false), give_up(3, "z", false)});
}

TEST(Resource, MayGetMorePlacesOrFewer) {
  const auto places = [](Time time, std::uint32_t n) -> Script::Line {
    return {time, [n](auto& cx, House& h) { h.seats.set_capacity(cx, n); }};
  };
  expect_always("1 a; 4 b; 4 c; 7 d; ", {sit(1, "a"), sit(2, "b"), sit(3, "c"), places(4, 3), places(5, 1),
                                         rise(6, "a"), sit(6, "d"), rise(6.5, "b"), rise(7, "c")});
}

Script::Line lie(Time time, const std::string& who, int priority) {
  return {time, [=](auto& cx, House& h) {
            h.tokens[static_cast<std::size_t>(who[0] - 'a')] = h.beds.request(cx, {who}, priority);
          }};
}
Script::Line get_up(Time time, const std::string& who, bool lay = true) {
  return {time, [=](auto& cx, House& h) {
            EXPECT_EQ(h.beds.release(cx, h.tokens[static_cast<std::size_t>(who[0] - 'a')]), lay) << who;
          }};
}
Script::Line beds(std::uint32_t n) {
  return {0, [n](auto& cx, House& h) { h.beds.set_capacity(cx, n); }};
}

TEST(PreemptiveResource, IsTakenFromTheLeastUrgentUser) {
  expect_always(
      "1 a; 2 b; 3 c; 3 no a; 4 d; 4 no b; ",
      {beds(2), lie(1, "a", 5), lie(2, "b", 4), lie(3, "c", 1), lie(4, "d", 1), get_up(5, "a", false)});
}

TEST(PreemptiveResource, IsNotTakenByAnEquallyUrgentRequest) {
  expect_always("1 a; 3 b; ", {lie(1, "a", 1), lie(2, "b", 1), get_up(3, "a")});
}

// Of equally urgent users it is the last one.
TEST(PreemptiveResource, IsTakenFromTheUserThatCameLast) {
  expect_always("1 a; 2 b; 3 c; 3 no b; ", {beds(2), lie(1, "a", 5), lie(2, "b", 5), lie(3, "c", 1)});
}

TEST(PreemptiveResource, PreemptsNobodyWhenAPlaceGetsFreeAtTheSameInstant) {
  expect_always("1 a; 2 b; 3 c; ", {beds(2), lie(1, "a", 5), lie(2, "b", 4), lie(3, "c", 1), get_up(3, "b")});
  expect_always("1 a; 2 b; 3 c; ", {beds(2), lie(1, "a", 5), lie(2, "b", 4), lie(3, "c", 1), get_up(3, "a")});
}

TEST(PreemptiveResource, GivesAFreePlaceToTheSmallestPriorityOfAnInstant) {
  expect_always("1 c; 2 b; 3 a; ",
                {lie(1, "a", 3), lie(1, "b", 2), lie(1, "c", 1), get_up(2, "c"), get_up(3, "b")});
}

TEST(PreemptiveResource, DoesNotCountWhoIsLeaving) {
  play({lie(1, "a", 5),
        {2,
         [](auto& cx, House& h) {
           h.beds.request(cx, {"b"}, 1);
           const Token c = h.beds.request(cx, {"c"}, 3);
           EXPECT_EQ(h.beds.count(), 1u);
           EXPECT_EQ(h.beds.waiting(), 1u);
           EXPECT_TRUE(h.beds.cancel(cx, c));
           EXPECT_FALSE(h.beds.cancel(cx, h.tokens[0]));
           EXPECT_EQ(h.beds.waiting(), 0u);
         }},
        {3, [](auto&, House& h) {
           EXPECT_EQ(h.beds.count(), 1u);
           EXPECT_EQ(h.beds.waiting(), 0u);
           EXPECT_EQ(h.log, "1 a; 2 b; 2 no a; ");
         }}});
}

TEST(PreemptiveResource, PreemptsUsersWhenPlacesAreTakenAway) {
  expect_always(
      "1 a; 2 b; 3 no a; ",
      {beds(2), lie(1, "a", 5), lie(2, "b", 4), {3, [](auto& cx, House& h) { h.beds.set_capacity(cx, 1); }}});
}

Script::Line fill(Time time, const std::string& who, double amount) {
  return {time, [=](auto& cx, House& h) { h.tokens[0] = h.tank.put(cx, amount, {who}); }};
}
Script::Line draw(Time time, const std::string& who, double amount) {
  return {time, [=](auto& cx, House& h) { h.tokens[1] = h.tank.get(cx, amount, {who}); }};
}

TEST(Container, ServesBothLinesInTheOrderOfArrival) {
  expect_always(
      "3 fill; 3 big; 3 small; ",
      {draw(1, "big", 5), draw(2, "small", 1), fill(3, "fill", 8), {4, [](auto&, House& h) {
                                                                      EXPECT_EQ(h.tank.level(), 4);
                                                                      EXPECT_EQ(h.tank.waiting_gets(), 0u);
                                                                    }}});
}

TEST(Container, LetsAPutWaitForRoom) {
  expect_always("2 draw; 2 fill; ", {fill(1, "fill", 9), draw(2, "draw", 1)});
}

TEST(Container, ServesThoseBehindARequestThatIsTakenBack) {
  expect_always("3 small; ", {draw(1, "big", 5),
                              {2, [](auto& cx, House& h) { h.tank.get(cx, 1, {"small"}); }},
                              {3, [](auto& cx, House& h) {
                                 EXPECT_TRUE(h.tank.cancel(cx, h.tokens[1]));
                                 EXPECT_FALSE(h.tank.cancel(cx, h.tokens[1]));
                               }}});
}

TEST(Container, RefusesAmountsThatItCannotServe) {
  play({{0, [](auto& cx, House& h) {
           for (const double amount : {0.0, -1.0, 11.0, std::numeric_limits<double>::quiet_NaN()}) {
             EXPECT_THROW(h.tank.put(cx, amount), std::invalid_argument);
             EXPECT_THROW(h.tank.get(cx, amount, {}), std::invalid_argument);
           }
           Container<Fuel> endless;
           EXPECT_THROW(endless.put(cx, std::numeric_limits<double>::infinity()), std::invalid_argument);
         }}});
  EXPECT_THROW(Container<Fuel>(0), std::invalid_argument);
  EXPECT_THROW(Container<Fuel>(2, 3), std::invalid_argument);
  EXPECT_THROW(Container<Fuel>(2, -1), std::invalid_argument);
}

Script::Line put_on_shelf(Time time, int item) {
  return {time, [=](auto& cx, House& h) { h.tokens[0] = h.shelf.put(cx, item); }};
}
Script::Line fetch(Time time, const std::string& who) {
  return {time, [=](auto& cx, House& h) { h.tokens[1] = h.shelf.get(cx, {who}); }};
}

TEST(Store, HandsOutItemsInTheOrderOfArrival) {
  expect_always("1 put; 2 put; 4 a=7; 4 put; 5 b=8; 6 c=9; ",
                {put_on_shelf(1, 7), put_on_shelf(2, 8), put_on_shelf(3, 9), fetch(4, "a"), fetch(5, "b"),
                 fetch(6, "c"), fetch(7, "d")});
}

TEST(Store, LetsAGetWaitForAnItem) {
  expect_always("3 put; 3 a=7; 4 put; 4 b=8; ",
                {fetch(1, "a"), fetch(2, "b"), put_on_shelf(3, 7), put_on_shelf(4, 8)});
}

TEST(Store, ForgetsRequestsThatAreTakenBack) {
  expect_always("3 put; ", {fetch(1, "a"),
                            {2,
                             [](auto& cx, House& h) {
                               EXPECT_TRUE(h.shelf.cancel(cx, h.tokens[1]));
                               EXPECT_FALSE(h.shelf.cancel(cx, h.tokens[1]));
                               EXPECT_EQ(h.shelf.waiting_gets(), 0u);
                             }},
                            put_on_shelf(3, 7)});
  EXPECT_THROW((Store<int, Fetched>(0)), std::invalid_argument);
}

TEST(Store, CanBeLookedThrough) {
  play({put_on_shelf(1, 7), put_on_shelf(2, 8), put_on_shelf(3, 9), {4, [](auto&, House& h) {
                                                                       EXPECT_EQ(
                                                                           std::vector<int>(h.shelf.begin(),
                                                                                            h.shelf.end()),
                                                                           (std::vector{7, 8}));
                                                                       EXPECT_EQ(h.shelf.size(), 2u);
                                                                       EXPECT_EQ(h.shelf.waiting_puts(), 1u);
                                                                     }}});
}

TEST(PriorityStore, HandsOutTheLeastItemFirst) {
  const auto put = [](Time time, int item) -> Script::Line {
    return {time, [item](auto& cx, House& h) { h.urgent.put(cx, item); }};
  };
  const auto get = [](Time time) -> Script::Line {
    return {time, [](auto& cx, House& h) { h.urgent.get(cx, {}); }};
  };
  expect_always("4 1; 5 2; 6 3; ", {put(1, 3), put(2, 1), put(3, 2), get(4), get(5), get(6)});
}

/// What decoding gives back.
template <class T>
bool comes_back(const T& x) {
  return decode<T>(encode(x)) == x;
}

TEST(Resources, ComeBackFromTheirBytes) {
  play({beds(2),
        sit(1, "a"),
        sit(1.5, "b"),
        lie(1, "a", 3),
        lie(1.5, "b", 3),
        draw(1, "c", 9),
        fetch(1, "d"),
        put_on_shelf(2, 1),
        put_on_shelf(2, 2),
        put_on_shelf(2, 3),
        put_on_shelf(2, 4),
        lie(2, "c", 1),
        {3, [](auto& cx, House& h) {
           h.urgent.put(cx, 4);
           h.urgent.put(cx, 3);
           h.beds.request(cx, {"d"}, 0);  // the news are under way
           EXPECT_TRUE(comes_back(h.beds));
           EXPECT_TRUE(comes_back(h.seats));
           EXPECT_TRUE(comes_back(h.tank));
           EXPECT_TRUE(comes_back(h.shelf));
           EXPECT_TRUE(comes_back(h.urgent));
         }}});
}

// Asked in the handler of the event before, of the event itself, and of the one after.
TEST(Context, TellsWhetherAnEventIsToCome) {
  const auto expect = [](bool is_to_come) {
    return [is_to_come](auto& cx, House& h) { EXPECT_EQ(cx.is_to_come(h.timer), is_to_come); };
  };
  play({{1,
         [](auto& cx, House& h) {
           EXPECT_FALSE(cx.is_to_come(h.timer));
           h.timer = cx.send(cx.self(), 2, Act{1});
           EXPECT_TRUE(cx.is_to_come(h.timer));
         }},
        {9, expect(false)},  // at 3, too
        {2, expect(true)},
        {4, expect(false)}});
}

TEST(Line, IsEqualToOneWithTheSameElements) {
  detail::Line<int> a, b;
  for (int i = 0; i < 10; ++i) a.add(i);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(a.take(), i);
  for (int i = 4; i < 10; ++i) b.add(i);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.take(2), 6);
  EXPECT_EQ(a.size(), 5u);
  EXPECT_NE(a, b);
  EXPECT_TRUE(comes_back(a));
  while (!a.empty()) a.take();
  EXPECT_EQ(a, detail::Line<int>());
}

}  // namespace
}  // namespace anachron::test
