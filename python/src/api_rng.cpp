// The C interface of the Python package: random numbers, under the names of Rng's members. `stream`: of the
// LP's state; null: the LP's own. Nothing is thrown: a bad argument fails the call, and the number is 0.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>

#include <anachron/model/plain.hpp>

#include "errors.hpp"
#include "model/random/logarithm.hpp"

using namespace anachron;
using plain::Call;

namespace {

template <class Draw>
auto drawn(Call* call, Stream* stream, const Draw& draw) noexcept -> decltype(draw(call->rng)) {
  try {
    return draw(plain::rng_of(*call, stream));
  } catch (const std::exception& e) {
    plain::fail(*call, e.what());
  }
  return {};
}

}  // namespace

/// Where a call has what compiled handlers draw from without a call, in bytes from its beginning; see
/// Rng::layout. Writes the places of draws, lane, lanes, and their number.
ANACHRON_EXPORT void anachron_rng_layout(std::uint64_t* out) noexcept {
  constexpr Rng::Layout kLayout = Rng::layout();
  constexpr std::size_t kRng = offsetof(Call, rng);
  out[0] = kRng + kLayout.draws;
  out[1] = kRng + kLayout.lane;
  out[2] = kRng + kLayout.lanes;
  out[3] = kLayout.count;
}
/// Makes the call's next numbers ready there.
ANACHRON_EXPORT void anachron_rng_make_ready(Call* call) noexcept { call->rng.make_ready(); }
/// By what compiled handlers make an exponential of 64 random bits, as Rng::minus_log_of_complement does.
/// Writes kLogOrigin, kLogShift, kLogParts; returns the table, which stays where it is.
ANACHRON_EXPORT const void* anachron_rng_logarithms(std::uint64_t* out) noexcept {
  out[0] = kLogOrigin;
  out[1] = static_cast<std::uint64_t>(kLogShift);
  out[2] = kLogParts;
  return kLogTable.data();
}

ANACHRON_EXPORT std::uint64_t anachron_rng_bits(Call* call, Stream* stream) noexcept {
  return plain::rng_of(*call, stream).bits();
}
ANACHRON_EXPORT double anachron_rng_uniform(Call* call, Stream* stream) noexcept {
  return plain::rng_of(*call, stream).uniform();
}
ANACHRON_EXPORT double anachron_rng_uniform_in(Call* call, Stream* stream, double a, double b) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.uniform(a, b); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_below(Call* call, Stream* stream, std::int64_t n) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.below(n); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_between(Call* call, Stream* stream, std::int64_t lo,
                                                  std::int64_t hi) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.between(lo, hi); });
}
ANACHRON_EXPORT bool anachron_rng_bernoulli(Call* call, Stream* stream, double p) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.bernoulli(p); });
}
ANACHRON_EXPORT double anachron_rng_exponential(Call* call, Stream* stream, double mean) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.exponential(mean); });
}
ANACHRON_EXPORT double anachron_rng_normal(Call* call, Stream* stream, double mean, double sigma) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.normal(mean, sigma); });
}
ANACHRON_EXPORT double anachron_rng_lognormal(Call* call, Stream* stream, double mu, double sigma) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.lognormal(mu, sigma); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_poisson(Call* call, Stream* stream, double mean) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return static_cast<std::int64_t>(rng.poisson(mean)); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_geometric(Call* call, Stream* stream, double p) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return static_cast<std::int64_t>(rng.geometric(p)); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_binomial(Call* call, Stream* stream, std::int64_t n,
                                                   double p) noexcept {
  return drawn(call, stream, [=](Rng& rng) {
    if (n < 0) throw std::invalid_argument("Rng::binomial: n is below 0");
    return static_cast<std::int64_t>(rng.binomial(static_cast<std::uint64_t>(n), p));
  });
}
ANACHRON_EXPORT double anachron_rng_erlang(Call* call, Stream* stream, std::int64_t k, double mean) noexcept {
  return drawn(call, stream, [=](Rng& rng) {
    if (k < 1 || k > 0xffffffff) throw std::invalid_argument("Rng::erlang: k is not from 1 to 2^32-1");
    return rng.erlang(static_cast<unsigned>(k), mean);
  });
}
ANACHRON_EXPORT double anachron_rng_gamma(Call* call, Stream* stream, double shape, double scale) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.gamma(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_beta(Call* call, Stream* stream, double a, double b) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.beta(a, b); });
}
ANACHRON_EXPORT double anachron_rng_weibull(Call* call, Stream* stream, double shape, double scale) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.weibull(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_pareto(Call* call, Stream* stream, double shape, double scale) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.pareto(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_triangular(Call* call, Stream* stream, double lo, double mode,
                                               double hi) noexcept {
  return drawn(call, stream, [=](Rng& rng) { return rng.triangular(lo, mode, hi); });
}
