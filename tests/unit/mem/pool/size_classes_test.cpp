#include "mem/pool/size_classes.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace anachron::mem {
namespace {

TEST(SizeClasses, ABlockIsTheSmallestThatIsLargeEnough) {
  for (std::size_t bytes = 1; bytes <= EventPool::kMostPooled; ++bytes) {
    const std::size_t size_class = size_classes::of(bytes);
    ASSERT_LT(size_class, size_classes::kAll) << bytes;
    ASSERT_GE(size_classes::size_of(size_class), bytes);
    if (size_class > 0) {
      ASSERT_LT(size_classes::size_of(size_class - 1), bytes);
    }
  }
  EXPECT_EQ(size_classes::size_of(size_classes::kAll - 1), EventPool::kMostPooled);
}

TEST(SizeClasses, WithinIsTheLargestThatFits) {
  for (std::size_t bytes = 64; bytes <= 2 * EventPool::kMostPooled; bytes += 64) {
    const std::size_t size_class = size_classes::within(bytes);
    ASSERT_LE(size_classes::size_of(size_class), bytes);
    if (size_class + 1 < size_classes::kAll) {
      ASSERT_GT(size_classes::size_of(size_class + 1), bytes);
    }
  }
}

TEST(SizeClasses, AreWholeLinesAndWasteLittle) {
  for (std::size_t size_class = 0; size_class < size_classes::kAll; ++size_class) {
    const std::size_t size = size_classes::size_of(size_class);
    EXPECT_EQ(size % 64, 0u);
    if (!size_classes::is_small(size_class)) {
      EXPECT_LE((size - size_classes::size_of(size_class - 1)) * 9, size) << "at most a ninth is too much";
    }
  }
  for (std::size_t payload = 1024; payload <= 256 * 1024; payload *= 2)
    EXPECT_EQ(size_classes::size_of(size_classes::of(payload + 56)), payload + 64) << "and a header";
}

TEST(SizeClasses, AMagazineHoldsFewBytes) {
  EXPECT_EQ(size_classes::in_magazine(0), Magazine::kBlocks);
  for (std::size_t size_class = 0; size_class < size_classes::kAll; ++size_class) {
    const std::size_t blocks = size_classes::in_magazine(size_class);
    EXPECT_GE(blocks, 1u);
    EXPECT_TRUE(blocks == 1 || blocks * size_classes::size_of(size_class) <= 64 * 1024);
  }
}

// The part of EventPool that is inlined has its own way to the class of a small block.
TEST(SizeClasses, SmallOnesAreEventPools) {
  EXPECT_EQ(size_classes::of(1024), EventPool::kClasses - 1);
  EXPECT_EQ(size_classes::of(1025), EventPool::kClasses);
}

}  // namespace
}  // namespace anachron::mem
