// Files of queueing networks, and the distributions that bundled models share.

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include <anachron/anachron.hpp>

#include "common/delay.hpp"
#include "queueing/network.hpp"
#include "support/error_of.hpp"

namespace anachron::models {
namespace {

TEST(Delay, HasTheMeanAndTheVariationThatItTells) {
  for (const char* text : {"exponential", "deterministic", "erlang:3", "hyperexponential:4", "lognormal:0.7",
                           "uniform:0.6", "gamma:0.5", "gamma:4", "weibull:0.8", "weibull:3"}) {
    SCOPED_TRACE(text);
    const Delay delay(text, 3);
    std::uint64_t draws = 0;
    Rng rng(7, 0, draws);
    Tally tally;
    for (int i = 0; i < 100'000; ++i) tally.add(delay.draw(rng));
    EXPECT_NEAR(tally.mean(), 3, 0.05);
    EXPECT_NEAR(tally.variance() / 9, delay.scv(), 0.06 * delay.scv() + 1e-12);
    EXPECT_GE(tally.min(), delay.least());
    EXPECT_EQ(delay.mean(), 3);
  }
  EXPECT_DOUBLE_EQ(Delay("uniform:0.6", 3).least(), 1.2);
  EXPECT_EQ(Delay("deterministic", 3).least(), 3);
}

TEST(Delay, SaysWhatIsValid) {
  const auto complaint = [](const char* text, double mean = 1) -> std::string {
    return test::error_of([&] { Delay(text, mean); });
  };
  EXPECT_NE(complaint("normal").find("'normal' is not valid: expected exponential, deterministic"),
            std::string::npos);
  EXPECT_EQ(complaint("exponential:2"), "'exponential:2' is not valid: expected exponential without a shape");
  EXPECT_EQ(complaint("erlang:2.5"),
            "'erlang:2.5' is not valid: expected erlang:X with X from 1 to 1000, a whole number");
  EXPECT_EQ(complaint("gamma"), "'gamma' is not valid: expected gamma:X with X from 0.05 to 1000");
  EXPECT_EQ(complaint("gamma:x"), "'gamma:x' is not valid: expected gamma:X with X from 0.05 to 1000");
  EXPECT_EQ(complaint("exponential", -1), "'-1' is not valid: expected a mean from 0 to 1e+09");
}

namespace q = queueing;

q::Network read(const std::string& text) {
  std::istringstream in(text);
  return q::Network(in, "net.csv");
}

TEST(QueueingNetwork, IsReadAsItIsWritten) {
  const q::Network network = read(
      "\xEF\xBB\xBF# two classes\n"
      "class , a,7\r\n"
      "class,b,3\n"
      "\n"
      "station,one,2,9,priority # comment\n"
      "station,two,inf\n"
      "service,one,*,erlang:2,0.5\nservice,two,b,exponential,1\n"
      "arrivals,one,a,exponential,2\narrivals,one,b,exponential,4\n"
      "route,one,two,b,0.25\nroute,one,one,b,0.25\n");
  EXPECT_EQ(network.stations(), 2u);
  EXPECT_EQ(network.classes(), 2u);
  EXPECT_EQ(network.place(0).servers, 2u);
  EXPECT_EQ(network.place(0).capacity, 9u);
  EXPECT_EQ(network.place(1).servers, q::kNoLimit);
  EXPECT_EQ(network.queues(0), 2u);
  EXPECT_EQ(network.queue(0, 0), 1u);  // 7 is less important than 3
  EXPECT_EQ(network.queue(0, 1), 0u);
  EXPECT_EQ(network.queues(1), 1u);
  ASSERT_EQ(network.flow(0, 1).routes.size(), 2u);
  EXPECT_EQ(network.flow(0, 1).routes[1].until, 0.5);
  EXPECT_TRUE(network.flow(0, 0).routes.empty());
  EXPECT_EQ(network.flow(0, 0).service.mean(), 0.5);
  EXPECT_NEAR(network.rate(0, 1), 0.25 / 0.75, 1e-6);
  EXPECT_NEAR(network.rate(1, 1), 0.25 * 0.25 / 0.75, 1e-6);
  EXPECT_EQ(network.least_service(), 0);
}

TEST(QueueingNetwork, LooksAheadAsFarAsItsShortestServiceOfThoseWhoGoOn) {
  const std::string begin =
      "station,one,1\nstation,two,1\narrivals,one,job,exponential,2\nservice,one,job,uniform:0.5,4\n"
      "service,two,job,exponential,1\n";
  EXPECT_EQ(read(begin + "route,one,two,job,1\n").least_service(), 2);
  EXPECT_EQ(read(begin + "route,one,one,job,0.5\n").least_service(), kForever);
  EXPECT_EQ(read(begin + "route,one,two,job,1\nroute,two,one,job,0.1\n").least_service(), 0);
}

TEST(QueueingNetwork, SaysWhereAFileIsWrong) {
  const auto complaint = [](const std::string& text) -> std::string {
    return test::error_of([&] { read(text); });
  };
  const std::string s = "station,s,1\n",
                    full = s + "service,s,job,exponential,1\narrivals,s,job,exponential,2\n";
  EXPECT_EQ(complaint(full), "no error");
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "net.csv:0: the file ends without a station"},
      {"stations,s,1\n",
       "net.csv:1: first column: 'stations' is not valid: expected class, station, service, arrivals, "
       "population "
       "or route"},
      {"station,s\n", "net.csv:1: expected station,NAME,SERVERS[,CAPACITY[,DISCIPLINE]], found 2 columns"},
      {"\nstation,s,0\n",
       "net.csv:2: servers: '0' is not valid: expected inf, or a whole number from 1 to 1000000000"},
      {"station,s,3,2\n",
       "net.csv:1: capacity: '2' is not valid: expected inf, or a whole number from 3 to 1000000000"},
      {"station,s t,1\n",
       "net.csv:1: name of the station: 's t' is not valid: expected 1 to 64 letters, digits, - and _"},
      {"station,s,1,,lifo\n",
       "net.csv:1: discipline: 'lifo' is not valid: expected fcfs, priority or preemptive"},
      {s + s, "net.csv:2: a second station 's'"},
      {s + "class,a,1\n", "net.csv:2: classes must stand before all else"},
      {"class,a,1\nclass,a,2\n", "net.csv:2: a second class 'a'"},
      {"class,s,1\n" + s, "net.csv:2: 's' is the name of a class"},
      {s + "service,t,job,exponential,1\n",
       "net.csv:2: station: 't' is not valid: expected a station of a line above"},
      {s + "service,s,b,exponential,1\n",
       "net.csv:2: class: 'b' is not valid: expected a class of a line above, or *"},
      {s + "service,s,job,exponential,-1\n",
       "net.csv:2: mean: '-1' is not valid: expected a number from 0 to 1e+09"},
      {s + "arrivals,s,job,exponential,0\n", "net.csv:2: mean: '0' is not valid: expected a number > 0"},
      {s + "service,s,job,erlang:0,1\n",
       "net.csv:2: distribution: 'erlang:0' is not valid: expected erlang:X with X from 1 to 1000, a whole "
       "number"},
      {full + "service,s,job,exponential,1\n", "net.csv:4: a second service of class 'job' at 's'"},
      {full + "population,s,job,4\n", "net.csv:4: class 'job' has both arrivals and a population (line 3)"},
      {full + "route,s,s,job,0.6\nroute,s,s,job,0.6\n",
       "net.csv:5: probabilities of class 'job' from 's' add up to 1.2, which is more than 1"},
      {s + "service,s,job,exponential,1\n", "net.csv:2: no arrivals and no population of class 'job'"},
      {full + "station,t,1\nroute,s,t,job,0.5\n",
       "net.csv:5: class 'job' comes to station 't' but has no service there"},
      {s + "service,s,job,exponential,1\npopulation,s,job,2\nroute,s,s,job,0.5\n",
       "net.csv:4: probabilities of the closed class 'job' from 's' add up to 0.5, which is less than 1"},
      {"station,s,1,2\npopulation,s,job,2\n",
       "net.csv:2: station 's' has a capacity; jobs of a closed class must not get lost"},
      {"station,s,1\nstation,t,1,3\nservice,s,*,exponential,1\nservice,t,*,exponential,1\npopulation,s,job,"
       "2\n"
       "route,s,t,job,1\nroute,t,s,job,1\n",
       "net.csv:7: the closed class 'job' comes to station 't', which has a capacity"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(complaint(text), message);
}

}  // namespace
}  // namespace anachron::models
