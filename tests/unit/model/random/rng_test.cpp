// Streams of random numbers, how many draws a value takes, and what is refused.
#include <anachron/model/rng.hpp>

#include <gtest/gtest.h>

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using anachron::LpId;
using anachron::Rng;
using anachron::RngStream;

static_assert(std::uniform_random_bit_generator<Rng>);
static_assert(!std::is_copy_constructible_v<Rng>);

TEST(Rng, FollowsTheDocumentedMapping) {
  const std::uint64_t seed = 0x123456789abcdef0;
  const std::uint64_t number = 0x5678'0000'cafe'0001;
  for (const std::uint64_t start : {0ull, 1ull, 12ull, 0x1fffffffdull, (1ull << 40) + 1}) {
    std::uint64_t draws = start;
    Rng rng(seed, number, draws);
    for (std::uint64_t n = start; n < start + 20; ++n) {
      const philox4x32_ctr_t counter{
          {static_cast<std::uint32_t>(n / 2), static_cast<std::uint32_t>(n / 2 >> 32),
           static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)}};
      const philox4x32_key_t key{{0x9abcdef0, 0x12345678}};
      const philox4x32_ctr_t block = philox4x32(counter, key);
      const std::size_t word = n % 2 * 2;
      ASSERT_EQ(rng.bits(), block.v[word] | static_cast<std::uint64_t>(block.v[word + 1]) << 32) << n;
      ASSERT_EQ(draws, n + 1);
    }
  }
}

TEST(Rng, IsTheSameFromEveryPosition) {
  std::array<std::uint64_t, 64> all;
  std::uint64_t draws = 0;
  Rng whole(5, 9, draws);
  for (auto& x : all) x = whole.bits();
  for (std::size_t start = 0; start < 32; ++start)
    for (std::size_t length = 0; length < 32; ++length) {
      std::uint64_t position = start;  // as the kernel restores it
      Rng rng(5, 9, position);
      for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(rng.bits(), all[start + i]) << start << ' ' << i;
      ASSERT_EQ(position, start + length);
    }
}

TEST(Rng, RepeatsAfterARollbackWhateverIsDrawn) {
  const auto event = [](Rng& rng) {
    return std::array{
        rng.exponential(2), static_cast<double>(rng.poisson(30)),        rng.normal(),
        rng.gamma(0.5, 2),  static_cast<double>(rng.binomial(100, 0.4)), static_cast<double>(rng.below(10)),
        rng.uniform()};
  };
  std::uint64_t draws = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t saved = draws;
    Rng first(1, 2, draws);
    const auto values = event(first);
    const std::uint64_t after = draws;
    draws = saved;
    Rng again(1, 2, draws);
    ASSERT_EQ(event(again), values);
    ASSERT_EQ(draws, after);
  }
}

TEST(Rng, StreamsDoNotOverlap) {
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  const auto draw = [&](Rng&& rng) {
    for (int i = 0; i < 200; ++i, ++drawn) seen.insert(rng.bits());
  };
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32})
    for (std::uint32_t number = 0; number < 100; ++number) {
      std::uint64_t a = 0, b = 0;
      draw(Rng(seed, number, a));
      draw(Rng(seed, number, b, RngStream::shared));
    }
  std::uint64_t draws = 0;
  draw(Rng(0, std::numeric_limits<std::uint64_t>::max(), draws));
  EXPECT_EQ(seen.size(), drawn);  // two equal ones among 120,000 words of 64 bits: probability 4e-10
}

TEST(Rng, NeighbouringStreamsAreIndependent) {
  constexpr int kCount = 100'000;
  double sum = 0;
  for (LpId lp = 0; lp < kCount; ++lp) {
    std::uint64_t a = 0, b = 0;
    sum += (Rng(1, lp, a).uniform() - 0.5) * (Rng(1, lp + 1, b).uniform() - 0.5);
  }
  EXPECT_NEAR(sum * 12 / kCount, 0, 4.5 / std::sqrt(kCount));  // correlation
}

TEST(Rng, TakesTheDocumentedNumberOfDraws) {
  const auto draws_of = [](auto&& use) {
    std::uint64_t draws = 11;
    Rng rng(1, 1, draws);
    use(rng);
    return draws - 11;
  };
  EXPECT_EQ(draws_of([](Rng&) {}), 0u);
  EXPECT_EQ(draws_of([](Rng& r) { r(); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.uniform(); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.uniform(1, 1); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.below(6); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.between(-6, 6); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.bernoulli(0); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.bernoulli(1); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.exponential(0); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.normal(); }), 2u);
  EXPECT_EQ(draws_of([](Rng& r) { r.lognormal(0, 1); }), 2u);
  EXPECT_EQ(draws_of([](Rng& r) { r.poisson(9.9); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.geometric(0.1); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.erlang(5, 1); }), 5u);
  EXPECT_EQ(draws_of([](Rng& r) { r.weibull(1, 1); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.pareto(1, 1); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.triangular(0, 1, 2); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) { r.choose(std::vector<double>{1, 2, 3}); }), 1u);
  EXPECT_EQ(draws_of([](Rng& r) {
              std::vector<int> v(10);
              r.shuffle(v);
            }),
            9u);
}

TEST(Rng, ServesStandardAlgorithms) {
  std::vector<int> values{1, 2, 3, 4, 5};
  std::uint64_t draws = 0;
  Rng rng(1, 1, draws);
  std::shuffle(values.begin(), values.end(), rng);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(values, (std::vector<int>{1, 2, 3, 4, 5}));
}

// The message of the refusal; also that nothing was drawn.
template <class Use>
std::string refusal(const Use& use) {
  std::uint64_t draws = 5;
  Rng rng(1, 1, draws);
  try {
    use(rng);
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(draws, 5u);
    return error.what();
  }
  return "accepted";
}

TEST(RngRefuses, BadArgumentsByFunctionArgumentAndValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([](Rng& r) { r.below(0); }), "Rng::below: n is 0, expected at least 1");
  EXPECT_EQ(refusal([](Rng& r) { r.below(0ull); }), "Rng::below: n is 0, expected at least 1");
  EXPECT_EQ(refusal([](Rng& r) { r.below(-3); }), "Rng::below: n is -3, expected at least 1");
  EXPECT_EQ(refusal([](Rng& r) { r.between(2, 1); }),
            "Rng::between: hi is 1, expected at least lo, which is 2");
  EXPECT_EQ(refusal([](Rng& r) { r.between(~0ull, 1); }),
            "Rng::between: hi is 1, expected at least lo, which is 18446744073709551615");
  EXPECT_EQ(refusal([](Rng& r) { r.bernoulli(1.5); }),
            "Rng::bernoulli: p is 1.5, expected a probability from 0 to 1");
  EXPECT_EQ(refusal([](Rng& r) { r.exponential(-1); }),
            "Rng::exponential: mean is -1, expected a number from 0 to 1e306");
  EXPECT_EQ(refusal([&](Rng& r) { r.exponential(nan); }),
            "Rng::exponential: mean is NaN, expected a number from 0 to 1e306");
  EXPECT_EQ(refusal([&](Rng& r) { r.exponential(inf); }),
            "Rng::exponential: mean is inf, expected a number from 0 to 1e306");
  EXPECT_EQ(refusal([](Rng& r) { r.triangular(0, 3, 2); }),
            "Rng::triangular: mode is 3, expected a number from lo, 0, to hi, 2");
  EXPECT_EQ(refusal([](Rng& r) { r.choose({}); }),
            "Rng::choose: the sum of weights is 0, expected a finite number > 0");
}

TEST(RngRefuses, EverythingOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const double most = std::numeric_limits<double>::max();
  const std::vector<std::function<void(Rng&)>> all{
      [&](Rng& r) { r.uniform(1, 0); },
      [&](Rng& r) { r.uniform(nan, 0); },
      [&](Rng& r) { r.uniform(-most, most); },
      [&](Rng& r) { r.uniform(inf, inf); },
      [&](Rng& r) { r.bernoulli(nan); },
      [&](Rng& r) { r.bernoulli(-1e-9); },
      [&](Rng& r) { r.normal(0, -1); },
      [&](Rng& r) { r.normal(nan, 1); },
      [&](Rng& r) { r.normal(inf, 1); },
      [&](Rng& r) { r.lognormal(0, nan); },
      [&](Rng& r) { r.poisson(-1); },
      [&](Rng& r) { r.poisson(nan); },
      [&](Rng& r) { r.poisson(1e17); },
      [&](Rng& r) { r.geometric(0); },
      [&](Rng& r) { r.geometric(1.1); },
      [&](Rng& r) { r.geometric(nan); },
      [&](Rng& r) { r.binomial(5, nan); },
      [&](Rng& r) { r.binomial(5, -0.1); },
      [&](Rng& r) { r.binomial(~0ull, 0.1); },
      [&](Rng& r) { r.erlang(0, 1); },
      [&](Rng& r) { r.erlang(1, -1); },
      [&](Rng& r) { r.gamma(0, 1); },
      [&](Rng& r) { r.gamma(1, nan); },
      [&](Rng& r) { r.gamma(inf, 1); },
      [&](Rng& r) { r.beta(0, 1); },
      [&](Rng& r) { r.beta(1, nan); },
      [&](Rng& r) { r.weibull(0, 1); },
      [&](Rng& r) { r.weibull(1, -1); },
      [&](Rng& r) { r.pareto(nan, 1); },
      [&](Rng& r) { r.pareto(1, inf); },
      [&](Rng& r) { r.triangular(nan, 0, 1); },
      [&](Rng& r) { r.triangular(0, nan, 1); },
      [&](Rng& r) { r.choose(std::vector<double>{1, -1}); },
      [&](Rng& r) { r.choose(std::vector<double>{0, 0}); },
      [&](Rng& r) { r.choose(std::vector<double>{most, most}); },
  };
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NE(refusal(all[i]), "accepted") << "case " << i;
}

}  // namespace
