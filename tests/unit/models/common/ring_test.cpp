// A queue whose both ends can be undone (models/common/ring.hpp).

#include "common/ring.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace {

using anachron::models::Ring;

TEST(Ring, IsAQueueWhoseEndsCanBeUndone) {
  Ring<int> ring;
  std::deque<int> expected;
  std::mt19937_64 bits(1);
  for (int k = 0; k < 5000; ++k) {
    const auto action = bits() % 5;
    if (action == 0 || action == 1)
      ring.push(k), expected.push_back(k);
    else if (action == 2)
      ring.put_back(k), expected.push_front(k);
    else if (!expected.empty() && action == 3) {
      ASSERT_EQ(ring.pop(), expected.front());
      expected.pop_front();
    } else if (!expected.empty() && action == 4) {
      ASSERT_EQ(ring.take_back(), expected.back());
      expected.pop_back();
    }
    ASSERT_EQ(ring.size(), expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(ring.front(), expected.front());
    }
  }
}

TEST(Ring, EqualityIsOfWhatItHolds) {
  Ring<int> a, b;
  for (int k = 0; k < 9; ++k) a.push(k);
  for (int k = 8; k >= 0; --k) b.put_back(k);
  EXPECT_EQ(a, b);
  b.pop();
  EXPECT_FALSE(a == b);
  b.put_back(1);
  EXPECT_FALSE(a == b);
}

}  // namespace
