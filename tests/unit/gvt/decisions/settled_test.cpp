#include "gvt/decisions/settled.hpp"

#include <gtest/gtest.h>

namespace anachron::gvt {
namespace {

TEST(Settled, IsTheBoundOfTheRoundBefore) {
  Settled settled;
  EXPECT_EQ(settled.pass(5, false), 0);
  EXPECT_EQ(settled.pass(7, false), 5);
  EXPECT_EQ(settled.pass(7, false), 7);
}

TEST(Settled, StandsWhileCancellationsAreHeld) {
  Settled settled;
  settled.pass(5, false);
  EXPECT_EQ(settled.pass(7, true), 0);
  EXPECT_EQ(settled.pass(9, true), 0);
  EXPECT_EQ(settled.pass(11, false), 9);
  EXPECT_EQ(settled.pass(12, true), 9);
}

}  // namespace
}  // namespace anachron::gvt
