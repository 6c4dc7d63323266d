// Irrevocable events in a session: refused behind a mark, executed when there is none, none of them lost.

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron {
namespace {

struct Open {};

/// All its events are irrevocable; some get one at time 5.
struct Vault {
  static constexpr auto execution = irrevocable;
  struct Params {
    std::uint32_t vaults = 8, opened = 4;
  };
  struct Shared {
    explicit Shared(const Params& params) : opened(params.vaults) {}
    mutable std::vector<int> opened;  // each written by its vault, which nobody can take back
  };
  static std::uint64_t count(const Params& params) { return params.vaults; }
  static double lookahead(const Params&) { return 1; }

  void start(Context<Vault>& cx) {
    const std::uint32_t each = cx.params().vaults / cx.params().opened;
    if (cx.self().index() % each == 0) cx.send_at(cx.self(), 5, Open{});
  }
  void on(Context<Vault>& cx, const Open&) { ++cx.shared().opened[cx.self().index()]; }
};

class IrrevocableSessions : public ::testing::TestWithParam<Config> {
 protected:
  IrrevocableSessions() {
    simulation_.config = GetParam();
    shared_ = std::make_shared<const Vault::Shared>(Vault::Params{});
    simulation_.shared<Vault::Shared>(shared_);
  }
  int opened() const {
    int sum = 0;
    for (const int n : shared_->opened) sum += n;
    return sum;
  }
  void expect_refusal(Session<Vault>& session, Time until) const {
    try {
      session.run_until(until);
      ADD_FAILURE() << "an irrevocable event was executed behind a mark";
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("irrevocable and due after a mark"), std::string::npos)
          << error.what();
      EXPECT_EQ(error.time(), 5);
    }
    EXPECT_EQ(opened(), 0);
  }

  Simulation<Vault> simulation_;
  std::shared_ptr<const Vault::Shared> shared_;
};

INSTANTIATE_TEST_SUITE_P(Modes, IrrevocableSessions,
                         ::testing::Values(with(Sync::sequential, 1, 1), with(Sync::optimistic, 1, 1),
                                           with(Sync::optimistic, 1, 4), with(Sync::optimistic, 2, 2),
                                           with(Sync::optimistic, 4, 4), with(Sync::optimistic, 2, 8),
                                           with(Sync::conservative, 1, 1), with(Sync::conservative, 2, 4)),
                         [](const auto& test) {
                           return std::string(to_string(*test.param.sync)) + "_" +
                                  std::to_string(*test.param.workers) + "_" + std::to_string(*test.param.pes);
                         });

TEST_P(IrrevocableSessions, NoneIsLostWhenARefusalIsTakenBack) {
  auto session = simulation_.open();
  session.run_until(1);
  const Mark mark = session.mark();
  for (int times = 0; times < 3; ++times) {
    expect_refusal(session, 10);
    session.rewind(mark);
    EXPECT_EQ(session.now(), 1);
  }
  session.accept(mark);
  EXPECT_EQ(session.run_until(10), Ending::finished);
  EXPECT_EQ(opened(), 4);
  for (const int n : shared_->opened) EXPECT_LE(n, 1);
  EXPECT_EQ(session.report().committed, 4u);
  const std::uint64_t digest = session.report().digest;
  simulation_.config.until = 10;
  EXPECT_EQ(digest, simulation_.run().digest);
}

TEST_P(IrrevocableSessions, ARefusalCanOnlyBeTakenBack) {
  auto session = simulation_.open();
  session.run_until(1);
  const Mark mark = session.mark();
  expect_refusal(session, 10);
  EXPECT_THROW(session.accept(mark), std::logic_error);
  EXPECT_THROW(session.run_until(20), std::logic_error);
  EXPECT_THROW(session.mark(), std::logic_error);
  EXPECT_THROW(session.report(), std::logic_error);
  EXPECT_EQ(opened(), 0);
  session.rewind(mark);
  session.accept(mark);
  session.run_until(10);
  EXPECT_EQ(opened(), 4);
}

TEST_P(IrrevocableSessions, AreDueAtTheirTimeNotBefore) {
  auto session = simulation_.open();
  const Mark mark = session.mark();
  session.run_until(5);
  session.accept(mark);
  EXPECT_EQ(opened(), 0);
  session.run_until(10);
  EXPECT_EQ(opened(), 4);
}

TEST_P(IrrevocableSessions, OnesFromOutsideAreRefusedAndForgottenWithTheStretch) {
  auto session = simulation_.open();
  session.run_until(1);
  const Mark mark = session.mark();
  session.schedule(session.id<Vault>(1), 5, Open{});
  session.schedule(session.id<Vault>(3), 7, Open{});
  expect_refusal(session, 10);
  session.rewind(mark);
  session.accept(mark);
  session.schedule(session.id<Vault>(1), 6, Open{});
  session.run_until(10);
  EXPECT_EQ(opened(), 5);
  EXPECT_EQ(shared_->opened[1], 1);
  EXPECT_EQ(shared_->opened[3], 0);
}

// With the outer mark the stretch is still on.
TEST_P(IrrevocableSessions, AreRefusedUntilTheLastMarkIsAccepted) {
  auto session = simulation_.open();
  const Mark outer = session.mark();
  session.run_until(1);
  const Mark inner = session.mark();
  expect_refusal(session, 10);
  session.rewind(inner);
  session.accept(inner);
  expect_refusal(session, 10);
  session.rewind(outer);
  session.run_until(4);
  session.accept(outer);
  session.run_until(10);
  EXPECT_EQ(opened(), 4);
}

TEST_P(IrrevocableSessions, ASessionMayEndAfterARefusal) {
  auto session = simulation_.open();
  session.mark();
  expect_refusal(session, 10);
}

TEST_P(IrrevocableSessions, BranchesThatRunIntoOneComeBack) {
  auto session = simulation_.open();
  session.run_until(1);
  EXPECT_THROW(session.branch({[](Session<Vault>&) {}}, 10), SimulationError);
  EXPECT_EQ(session.now(), 1);
  EXPECT_EQ(session.branch({[](Session<Vault>&) {}}, 5).size(), 1u);
  session.run_until(10);
  EXPECT_EQ(opened(), 4);
}

}  // namespace
}  // namespace anachron
