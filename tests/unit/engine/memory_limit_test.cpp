// What is said when memory is short: which of the limits it is, and what to do about it.
#include "engine/memory_limit.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>
#include <anachron/model/lp_ops.hpp>

#include "lp/lp_store.hpp"
#include "mem/too_little_memory.hpp"
#include "topo/memory.hpp"

namespace anachron::engine {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

struct Nothing {};
/// Its position is asked for when LPs are shared out among PEs, and its state is made then.
struct Crowd {
  static inline std::uint64_t made = 0, placed = 0;
  std::uint64_t state = ++made;
  static double position(const NoParams&, std::uint32_t index) {
    ++placed;
    return index;
  }
  void on(Context<Crowd>&, const Nothing&) {}
};
struct Hall {
  std::array<char, 1000> state{};
  void on(Context<Hall>&, const Nothing&) {}
};

std::vector<event::LpTypeEntry> many() {
  return {{&detail::lp_ops<Crowd>(), 0, 400'000'000, nullptr, nullptr},
          {&detail::lp_ops<Hall>(), 400'000'000, 7, nullptr, nullptr}};
}

/// What the action throws.
template <class Action>
std::string said(const Action& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}
std::string refusal(std::uint64_t limit, std::uint64_t available) {
  return said([&] { check_lps_fit(many(), limit, available); });
}

TEST(LpsThatDoNotFit, AreWhatTheStoreWillTake) {
  const event::LpTypeEntry few{&detail::lp_ops<Hall>(), 0, 10, nullptr, nullptr};
  const lp::LpStore store({few}, Owners(std::vector<PeId>(10)));
  EXPECT_EQ(lp::LpStore::bytes_of(few), store.bytes());
}

TEST(LpsThatDoNotFit, AreNamedWithWhatTheyNeed) {
  const std::string what =
      "400000007 LPs take 24415MiB before there is any event, those of type Crowd 64 bytes each";
  EXPECT_EQ(refusal(kGiB, 64 * kGiB), "--memory: '1GiB' is not valid: expected at least 24415MiB: " + what);
  EXPECT_EQ(refusal(64 * kGiB, 2 * kGiB).substr(0, what.size() + 42),
            what + ", and the process may take 2048MiB: take f");
  EXPECT_EQ(refusal(64 * kGiB, 64 * kGiB), "");
}

TEST(TooLittleMemory, SpeaksOfWhatIsAvailableWhereNobodyHasGivenALimit) {
  const mem::TooLittleMemory error(2760 * kGiB / 1024, "at least 3000MiB: why");
  EXPECT_STREQ(error.what(), "--memory: '2760MiB' is not valid: expected at least 3000MiB: why");
  EXPECT_EQ(error.of_default(),
            "too little memory: the run may take 2760MiB, 80% of what is available, and needs at least "
            "3000MiB: why; "
            "--memory sets another limit");
}

TEST(LpsThatDoNotFit, AreRefusedBeforeAnythingIsMadeOfThem) {
  Simulation<Crowd> simulation;
  simulation.lps<Crowd>(400'000'000);
  simulation.config.sync = Sync::optimistic;
  simulation.config.workers = simulation.config.pes = 2;
  simulation.config.memory = kGiB;
  EXPECT_THROW(simulation.run(), InputError);
  EXPECT_EQ(Crowd::placed, 0u);
  EXPECT_EQ(Crowd::made, 0u);
}

/// In a process that may take `bytes` more of the resource.
template <class Action>
void with_limit(decltype(RLIMIT_AS) resource, std::uint64_t bytes, const Action& action) {
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = RLIM_INFINITY - 1;
  setrlimit(resource, &limit);
  const auto none = topo::process_limit();  // tells what is in use
  limit.rlim_cur = none->most - none->left + bytes;
  setrlimit(resource, &limit);
  std::fputs(action().c_str(), stderr);
  std::exit(0);
}

TEST(OutOfMemoryDeathTest, NamesTheLimitOfTheProcessThatIsShort) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      with_limit(RLIMIT_AS, 100 << 20, [] { return said(throw_out_of_memory); }), testing::ExitedWithCode(0),
      "out of memory: RLIMIT_AS \\(ulimit -v\\) lets the process have [0-9]+MiB of address space, .*raise "
      "that limit");
  EXPECT_EXIT(with_limit(RLIMIT_AS, 100 << 20, [] { return refusal(64 * kGiB, topo::available_memory()); }),
              testing::ExitedWithCode(0),
              "because of RLIMIT_AS \\(ulimit -v\\): take fewer LPs, or raise that limit");
}

TEST(OutOfMemory, WithoutALimitOfTheProcessIsTheSystems) {
  if (topo::process_limit()) GTEST_SKIP() << "there is one";
  EXPECT_TRUE(
      said(throw_out_of_memory).starts_with("out of memory: the system gives less than --memory allows"));
}

}  // namespace
}  // namespace anachron::engine
