// Pools that get each block elsewhere.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/mem/event_pool.hpp>

#include "mem/allocator.hpp"
#include "mem/budget.hpp"
#include "scale.hpp"

namespace anachron::mem {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

class ForeignPools : public testing::TestWithParam<Pool> {
 protected:
  void SetUp() override {
    if (!has_allocator(GetParam())) GTEST_SKIP() << "built without it";
  }
  static const Allocator& allocator() { return *allocator_of(GetParam()); }
};

TEST_P(ForeignPools, AlignAsAsked) {
  Budget budget(kMiB, 1, Budget::Reserve::none);
  Allowance allowance(budget, 0);
  EventPool pool(allowance, &allocator());
  EXPECT_TRUE(pool.is_foreign());
  for (const std::size_t alignment : {8, 16, 32, 64})
    for (std::size_t bytes = 56; bytes < 3000; bytes += 61) {
      std::array<void*, 3> blocks;
      for (void*& block : blocks) {
        block = pool.allocate(bytes, alignment);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u) << bytes;
        std::memset(block, 1, bytes);
      }
      for (void* const block : blocks) pool.release(block, bytes);
    }
}

TEST_P(ForeignPools, NeverGiveABlockTwice) {
  Budget budget(64 * kMiB, 3, Budget::Reserve::none);
  std::deque<Allowance> allowances;
  std::deque<EventPool> pools;
  for (std::size_t pe = 0; pe < 3; ++pe)
    pools.emplace_back(allowances.emplace_back(budget, pe), &allocator());
  struct Held {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<Held> held;
  const auto release_last = [&](std::size_t pe) {
    const Held h = held.back();
    held.pop_back();
    for (std::size_t i = 0; i < h.bytes; ++i) ASSERT_EQ(h.at[i], h.mark);
    pools[pe].release(h.at, h.bytes);
  };
  std::mt19937_64 random(1);
  for (int step = 0; step < test::scaled(30'000); ++step) {
    const auto pe = random() % 3;
    if (held.empty() || random() % 100 < 40 + 12 * pe) {
      const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 4000 : 300);
      auto* const at = static_cast<unsigned char*>(pools[pe].allocate(bytes));
      held.push_back({at, bytes, static_cast<unsigned char>(step)});
      std::memset(at, held.back().mark, bytes);
    } else {
      std::swap(held[random() % held.size()], held.back());
      release_last(pe);
    }
  }
  while (!held.empty()) release_last(held.size() % 3);
}

TEST_P(ForeignPools, CountWhatTheyTakeAndGiveBack) {
  Budget budget(1024 * kMiB, 2, Budget::Reserve::none);
  Allowance first(budget, 0), second(budget, 1);
  EventPool one(first, &allocator()), other(second, &allocator());
  const std::uint64_t before = budget.taken();
  constexpr std::size_t kBytes = 96, kBlocks = 20'000;
  constexpr std::uint64_t kTolerance = 2 * 65536;  // what a pool has not yet told
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(one.allocate(kBytes));
  EXPECT_NEAR(double(budget.taken() - before), double(kBlocks * kBytes), double(kTolerance));
  EXPECT_NEAR(double(budget.single()), double(kBlocks * kBytes), double(kTolerance));
  first.settle(one.taken_bytes());
  EXPECT_NEAR(double(budget.taken() - before), double(kBlocks * kBytes), double(kTolerance))
      << "settling counts nothing twice";
  for (void* const block : blocks) other.release(block, kBytes);
  EXPECT_LT(budget.taken(), before + kTolerance) << "whoever frees them";
  EXPECT_EQ(one.bytes(), 0u) << "no chunk of its own";
}

TEST_P(ForeignPools, RunShortAtTheLimit) {
  Budget budget(4 * kMiB, 1, Budget::Reserve::some);
  Allowance allowance(budget, 0);
  EventPool pool(allowance, &allocator());
  std::vector<void*> blocks;
  while (!allowance.is_short() && blocks.size() < 200'000) blocks.push_back(pool.allocate(64));
  EXPECT_TRUE(allowance.is_short());
  EXPECT_GT(blocks.size() * 64, 2 * kMiB);
  EXPECT_LT(blocks.size() * 64, 5 * kMiB);
  pool.share(true);
  for (void* const block : blocks) pool.release(block, 64);
  EXPECT_EQ(budget.depot().free_bytes(), 0u) << "they go back to where they are from";
}

TEST_P(ForeignPools, GiveNullWhenTheSystemGivesNothing) {
  Budget budget(kMiB, 1, Budget::Reserve::none);
  Allowance allowance(budget, 0);
  EventPool pool(allowance, &allocator());
  budget.when_asking_system([](std::size_t) { throw std::bad_alloc(); });
  EXPECT_EQ(pool.allocate(64), nullptr);
  EXPECT_EQ(pool.allocate(5000), nullptr);
  budget.when_asking_system({});
  void* const block = pool.allocate(64);
  EXPECT_NE(block, nullptr);
  pool.release(block, 64);
}

INSTANTIATE_TEST_SUITE_P(Allocators, ForeignPools,
                         testing::Values(Pool::system, Pool::jemalloc, Pool::mimalloc),
                         [](const auto& param) { return std::string(to_string(param.param)); });

/// Of the library that defines what the program calls by that name.
std::string file_of(void* function) {
  Dl_info info{};
  return ::dladdr(function, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

TEST(Allocators, LeaveMallocToTheCLibrary) {
  // As it is looked for at run time, by this program and by all libraries: in the order in which they were
  // linked.
  for (const char* name : {"malloc", "free", "calloc", "realloc", "aligned_alloc", "_Znwm", "_ZdlPv"}) {
    void* const function = ::dlsym(RTLD_DEFAULT, name);
    ASSERT_NE(function, nullptr) << name;
    const std::string file = file_of(function);
    EXPECT_EQ(file.find("jemalloc"), std::string::npos) << name << " is that of " << file;
    EXPECT_EQ(file.find("mimalloc"), std::string::npos) << name << " is that of " << file;
  }
}

TEST(Allocators, AreWhatTheyAreCalled) {
  EXPECT_EQ(allocator_of(Pool::own), nullptr);
  for (const Pool pool : {Pool::jemalloc, Pool::mimalloc}) {
    if (!has_allocator(pool)) continue;
    EXPECT_NE(allocator_of(pool), &kSystemAllocator);
    EXPECT_FALSE(package_of(pool).empty());
  }
  if (!has_allocator(Pool::jemalloc) || !has_allocator(Pool::mimalloc))
    GTEST_SKIP() << "built without one of them";
  EXPECT_NE(allocator_of(Pool::jemalloc), allocator_of(Pool::mimalloc));
}

}  // namespace
}  // namespace anachron::mem
