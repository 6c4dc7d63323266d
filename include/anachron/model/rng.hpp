// Random numbers. They are counter-based: the only state of a stream is the number of draws made so far.
//
// Each event has a stream of its own, named by the event's identity and its receiver (event/identity.hpp). So
// it draws the same whatever else happens in the run, and nothing has to be rolled back.
//
// The mapping is fixed; other programs may rely on it. Draw number n (0-based) of the stream with a `number`
// of 64 bits in a run with `seed` is the 64-bit lane n % 2 of a Philox4x32-10 block (base/philox.hpp). Of
// this block
//   counter words   are {n/2 lower, n/2 upper, number lower, number upper 32 bits}
//   key words       are {seed lower, seed upper 32 bits}
//   lane 0          is output words 0 (lower half) and 1
//   lane 1          is output words 2 (lower half) and 3
// Counters of streams with different numbers differ, and Philox is a bijection for each key. So two streams
// of a run share a block only if they have the same number, which hashes of n events have with probability
// n^2 / 2^65.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

namespace anachron {

/// Of what a stream is that a model makes itself: the upper half of its number.
enum class RngStream : std::uint32_t {
  shared = 0x73686172,  ///< for building data before the start, e.g. a generated network
};

/// Random numbers of one stream. `cx.rng()` in a model. Models make one themselves only for data built before
/// the start: `std::uint64_t draws = 0; an::Rng rng(params.seed, 0, draws, an::RngStream::shared);`
///
/// Each function says how many 64-bit draws it takes. A bad argument (NaN too) throws std::invalid_argument
/// that names function, argument and value; nothing is drawn then. Satisfies
/// std::uniform_random_bit_generator, but the standard library's distributions may differ between
/// implementations: prefer the members.
class Rng {
 public:
  using result_type = std::uint64_t;

  /// A view onto the stream at position `draws`, which every draw increments. Nothing else may change `draws`
  /// while the view is in use. Costs nothing before the first draw.
  Rng(std::uint64_t seed, std::uint64_t number, std::uint64_t& draws) noexcept
      : draws_(&draws), seed_(seed), number_(number) {}
  Rng(std::uint64_t seed, std::uint32_t number, std::uint64_t& draws, RngStream stream) noexcept
      : Rng(seed, number | static_cast<std::uint64_t>(stream) << 32, draws) {}
  Rng(const Rng&) = delete;  // a copy would draw the same numbers again
  Rng& operator=(const Rng&) = delete;

  /// The least value of `bits`, as algorithms of the standard library ask for it.
  static constexpr result_type min() { return 0; }
  /// The greatest value of `bits`.
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  /// The same as `bits`.
  result_type operator()() { return bits(); }

  /// 64 random bits. 1 draw.
  ANACHRON_INLINE std::uint64_t bits() {
    if (lane_ >= kLanes) [[unlikely]]
      refill();
    ++*draws_;
    return lanes_[lane_++];
  }

  /// Uniform in [0, 1): a multiple of 2^-53. 1 draw.
  double uniform() { return static_cast<double>(static_cast<std::int64_t>(bits() >> 11)) * 0x1p-53; }

  /// Uniform in [a, b), or a if they are equal. Needs a <= b and b - a finite. 1 draw.
  double uniform(double a, double b);

  /// Uniform in 0 .. n-1, for any integer type, without bias. Needs n > 0. 1 draw, with probability below
  /// n/2^64 more. D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  T below(T n) {
    if (n <= 0) [[unlikely]]
      refuse_below(static_cast<std::int64_t>(n));
    return static_cast<T>(below_u64(static_cast<std::uint64_t>(n)));
  }

  /// Uniform in lo .. hi, both included. Needs lo <= hi. Draws as `below`.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  T between(T lo, std::type_identity_t<T> hi) {
    if (hi < lo) [[unlikely]]
      refuse_between(Wide<T>{lo}, Wide<T>{hi});
    const auto base = static_cast<std::uint64_t>(lo);  // of a signed one modulo 2^64, like all of this
    const std::uint64_t n = static_cast<std::uint64_t>(hi) - base + 1;
    return static_cast<T>(base + (n == 0 ? bits() : below_u64(n)));  // 0: all 2^64 values
  }

  /// True with probability p. Needs 0 <= p <= 1. 1 draw.
  ANACHRON_INLINE bool bernoulli(double p) {
    if (!(p >= 0 && p <= 1)) [[unlikely]]
      refuse_bernoulli(p);
    return uniform() < p;
  }

  /// Exponential: -mean log(1 - u). Finite (at most 36.8 mean), zero with probability 2^-53. Needs a mean
  /// from 0 to 1e306. 1 draw.
  ANACHRON_INLINE double exponential(double mean) {
    if (!(mean >= 0 && mean <= 1e306)) [[unlikely]]
      refuse_exponential(mean);
    return mean * minus_log_of_complement(bits());
  }

  /// Normal. Needs finite mean and sigma, sigma >= 0. 2 draws. At most 8.6 sigma from the mean.
  /// G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", Ann. Math. Stat. 29,
  /// 1958; the cosine branch only, because a kept second value would be state that has to roll back.
  double normal(double mean = 0, double sigma = 1);

  /// exp of a normal(mu, sigma). 2 draws. Infinite where that is beyond the range of double.
  double lognormal(double mu, double sigma);

  /// Number of events of a Poisson process of `mean`, 0 <= mean <= 2^52. 1 draw below a mean of 10
  /// (inversion), else a varying number, about 2.5. W. Hörmann, "The transformed rejection method for
  /// generating Poisson random variables" (PTRS), Insurance: Mathematics and Economics 12, 1993.
  std::uint64_t poisson(double mean);

  /// Failures before the first success of trials that succeed with probability p, 0 < p <= 1: mean (1-p)/p. 1
  /// draw. Ends at 2^64-1 (p below 1e-18 only).
  std::uint64_t geometric(double p);

  /// Successes among n <= 2^52 trials of probability 0 <= p <= 1. A varying number of draws, 1 + n min(p,
  /// 1-p) on average if that is below 11, else about 2.5. L. Devroye, "Non-Uniform Random Variate
  /// Generation", 1986, X.4 (waiting times); W. Hörmann, "The generation of binomial random variates" (BTRS),
  /// J. Stat. Comput. Simul. 46, 1993.
  std::uint64_t binomial(std::uint64_t n, double p);

  /// Sum of k exponentials; `mean` is that of the sum. Needs k > 0 and a finite mean >= 0. k draws up to k =
  /// 16, then as `gamma`.
  double erlang(unsigned k, double mean);

  /// Gamma with density ~ x^(shape-1) exp(-x/scale): mean shape*scale. Needs finite shape > 0, scale >= 0. A
  /// varying number of draws, about 3. G. Marsaglia, W. W. Tsang, "A simple method for generating gamma
  /// variables", ACM TOMS 26, 2000.
  double gamma(double shape, double scale);

  /// Beta in [0, 1] with density ~ x^(a-1) (1-x)^(b-1). Needs finite a, b >= 1e-300. A varying number of
  /// draws. Two gammas; if both a, b <= 1 M. D. Jöhnk, Metrika 8, 1964.
  double beta(double a, double b);

  /// Weibull: P(X > x) = exp(-(x/scale)^shape). Needs finite shape > 0, scale >= 0. 1 draw. Ends at
  /// the largest finite double.
  double weibull(double shape, double scale);

  /// Pareto (type I): P(X > x) = (scale/x)^shape for x >= scale. Needs finite shape > 0, scale >= 0. 1 draw.
  /// Ends at the largest finite double.
  double pareto(double shape, double scale);

  /// Triangular on [lo, hi] with the peak at `mode`. Needs finite lo <= mode <= hi. 1 draw.
  double triangular(double lo, double mode, double hi);

  /// Index i with probability weights[i] / sum. Needs finite weights >= 0 with a positive finite sum. 1 draw,
  /// O(n) time.
  std::size_t choose(std::span<const double> weights);

  /// Puts the elements of a span, vector, array into random order, all n! equally likely. n-1 draws and,
  /// rarely, more; O(n) time. R. Durstenfeld, "Algorithm 235: Random permutation", CACM 7, 1964.
  template <class Elements>
    requires requires(Elements& elements) { std::span(elements); }
  void shuffle(Elements&& elements) {
    using std::swap;
    const auto all = std::span(elements);
    for (std::size_t i = all.size(); i > 1; --i) swap(all[i - 1], all[below_u64(i)]);
  }

  /// -log(1 - u) for the u that `uniform` makes of the same bits: what `exponential` draws for a mean of 1.
  static double minus_log_of_complement(std::uint64_t random_bits) noexcept;

  /// Where an Rng has what `bits` reads and writes, in bytes from its beginning: for code that was compiled
  /// without this header. Numbers are ready in `lanes` from `lane` to `count`.
  /// `make_ready` makes them, and draws none.
  struct Layout {
    std::size_t draws, lane, lanes;
    std::uint32_t count;
  };
  static constexpr Layout layout() {
    return {offsetof(Rng, draws_), offsetof(Rng, lane_), offsetof(Rng, lanes_), kLanes};
  }

  void make_ready() { refill(); }

 private:
  static constexpr std::uint32_t kLanes = 4;  // two blocks: enough for the draws of a usual event

  ANACHRON_INLINE std::uint64_t below_u64(std::uint64_t n) {
    const auto product = static_cast<unsigned __int128>(bits()) * n;
    if (static_cast<std::uint64_t>(product) < n) [[unlikely]]
      return below_rest(n, static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64));
    return static_cast<std::uint64_t>(product >> 64);
  }

  void refill();
  std::uint64_t below_rest(std::uint64_t n, std::uint64_t low, std::uint64_t high);
  double standard_exponential() { return minus_log_of_complement(bits()); }
  double standard_normal();
  std::uint64_t poisson_by_rejection(double mean);
  std::uint64_t binomial_by_rejection(double n, double p);
  double standard_gamma(double shape);
  double beta_of_small(double a, double b);

  template <class T>
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  [[noreturn]] static void refuse_below(std::int64_t n);
  [[noreturn]] static void refuse_between(std::int64_t lo, std::int64_t hi);
  [[noreturn]] static void refuse_between(std::uint64_t lo, std::uint64_t hi);
  [[noreturn]] static void refuse_bernoulli(double p);
  [[noreturn]] static void refuse_exponential(double mean);

  std::uint64_t* draws_;
  std::uint64_t seed_;
  std::uint64_t number_;
  std::uint32_t lane_ = kLanes;  // the next lane; kLanes: none left
  std::uint64_t lanes_[kLanes];  // NOLINT: valid from `lane_` on, written by refill
};

}  // namespace anachron
