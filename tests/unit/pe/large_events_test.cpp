// Events that are in no pool: one PE takes their memory, another gives it back.
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

constexpr int kEvents = 40;
struct Heavy {
  std::array<char, 1 << 19> content{};
};
struct Nothing {};

/// LP 0 sends all it has to LP 1.
struct Mover {
  using Shared = Nothing;
  std::uint64_t received = 0;
  void start(Context<Mover>& cx) {
    for (int i = 0; i < kEvents && cx.self().index() == 0; ++i) cx.send_at(cx.id(1), 1 + i, Heavy{});
  }
  void on(Context<Mover>&, const Heavy&) { ++received; }
};

TEST(LargeEvents, CountWhileTheyAreThereWhoeverFreesThem) {
  const Nothing nothing;
  ScriptBench<Mover> bench({0, 1}, nothing);
  const std::uint64_t before = bench.budget().taken();
  bench.begin();
  bench.pe(1).receive();
  EXPECT_GE(bench.budget().taken(), before + kEvents * sizeof(Heavy));
  EXPECT_GE(bench.budget().single(), kEvents * sizeof(Heavy));
  EXPECT_EQ(bench.finish(), gvt::Verdict::finished);
  for (const std::size_t pe : {0u, 1u}) bench.pe(pe).execute(1);  // the accounts are settled with a batch
  EXPECT_EQ(bench.lp<Mover>(1).received, static_cast<std::uint64_t>(kEvents));
  EXPECT_EQ(bench.budget().single(), 0u);
  EXPECT_LT(bench.budget().taken(), before + 5 * sizeof(Heavy)) << "what was freed elsewhere counts for ever";
}

}  // namespace
}  // namespace anachron::pe
