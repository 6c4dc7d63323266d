// What becomes of a run when the `finish` of an LP fails or takes too long.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

struct Tick {};

enum class Fault : std::uint8_t { overflow, exception, something };

/// LP 3 fails, after it has reported a part.
struct Clerk {
  struct Params {
    std::uint32_t lps = 5, fault = 0;
    static void describe(Describe<Params>& d) {
      d(&Params::lps, "Number of clerks");
      d(&Params::fault, "Which fault");
    }
  };
  static std::uint64_t count(const Params& params) { return params.lps; }

  std::int64_t ticks = 0;

  void start(Context<Clerk>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Clerk>&, const Tick&) { ++ticks; }
  void finish(Results& results, const Finish<Clerk>& cx) const {
    results.count("ticks", ticks);
    if (cx.self().index() != 3) return;
    switch (Fault{static_cast<std::uint8_t>(cx.params().fault)}) {
      case Fault::overflow:
        return results.count("ticks", std::numeric_limits<std::int64_t>::max());
      case Fault::exception:
        throw std::runtime_error("no ink");
      case Fault::something:
        throw 3;
    }
  }
};

TEST(Finish, FailureHasTheReport) {
  for (const auto& [fault, cause] :
       {std::pair(Fault::overflow, "threw: result 'ticks': the count exceeds 64 bits"),
        std::pair(Fault::exception, "threw: no ink"),
        std::pair(Fault::something, "threw an exception that is not a std::exception")}) {
    Simulation<Clerk> simulation;
    simulation.config.until = 8;
    simulation.params<Clerk>().fault = static_cast<std::uint32_t>(fault);
    try {
      simulation.run();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const FinishError& error) {
      EXPECT_EQ(error.lp(), "Clerk 3");
      EXPECT_EQ(error.event(), "finish");
      EXPECT_EQ(error.time(), 8);
      EXPECT_EQ(error.cause(), cause);
      EXPECT_EQ(error.report().committed, 5u);
      EXPECT_EQ(error.report().results.value("ticks"), 4) << "up to the call that failed";
      EXPECT_EQ(error.report().notes.back(), "the results are not complete: 'finish' of Clerk 3 threw");
    }
  }
}

TEST(Finish, FailureOfASessionLetsItGoOn) {
  Simulation<Clerk> simulation;
  auto session = simulation.open();
  session.run_until(2);
  EXPECT_THROW(session.report(), FinishError);
  session.run_until(4);
  EXPECT_EQ(session.lp<Clerk>(3).ticks, 1);
}

TEST(Finish, FailureIsNoBadInputAndTheReportIsWritten) {
  const TemporaryFolder folder;
  const std::string file = folder.file("report.json");
  std::vector<std::string> words{"clerk", "--until", "8", "--report", file};
  const Outcome outcome =
      captured([&] { return cli<Clerk>(static_cast<int>(words.size()), pointers(words).data()); });
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "clerk: Clerk 3: event finish at time 8: threw: result 'ticks': the count exceeds 64 bits\n");
  EXPECT_NE(outcome.out.find("note            the results are not complete: 'finish' of Clerk 3 threw\n"),
            std::string::npos)
      << outcome.out;
  const std::string report = read_all(file);
  EXPECT_NE(report.find("\"ticks\": 4"), std::string::npos) << report;
  EXPECT_NE(report.find("\"model_name\": \"Clerk\""), std::string::npos) << report;
}

/// Takes hours to report.
struct Novelist {
  void on(Context<Novelist>&, const Tick&) {}
  void finish(Results& results) const {
    results.count("pages");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
};

TEST(Finish, EndsWhenInterrupted) {
  constexpr std::uint32_t kLps = 100'000;
  Simulation<Novelist> simulation;
  simulation.lps<Novelist>(kLps);
  const Report report = simulation.run({}, [] { return true; });
  EXPECT_EQ(report.ending, Ending::interrupted);
  const double pages = report.results.value("pages");
  EXPECT_LT(pages, kLps);
  EXPECT_EQ(report.notes.back(), "the results are not complete: interrupted before 'finish' of Novelist " +
                                     std::to_string(static_cast<int>(pages)));
}

}  // namespace
}  // namespace anachron::test
