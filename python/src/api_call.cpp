// The C interface of the Python package: what handlers call, compiled or interpreted. Nothing is thrown: a
// bad argument of a random number fails the call, and the number is 0.

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>

#include <anachron/model/plain.hpp>

#include "errors.hpp"

using namespace anachron;
using plain::Call;

namespace {

/// Bits 0: absolute time; 1: an order is given; 2: in order; from 8 on: priority + 128.
struct Flags {
  explicit Flags(std::uint32_t bits)
      : order{static_cast<int>(bits >> 8) - 128, (bits & 4) != 0},
        flags{(bits & 1) != 0, (bits & 2) != 0 ? &order : nullptr} {}
  Flags(const Flags&) = delete;
  Flags& operator=(const Flags&) = delete;

  Order order;
  plain::SendFlags flags;
};

template <class Draw>
auto drawn(Call* call, const Draw& draw) noexcept -> decltype(draw(call->rng)) {
  try {
    return draw(call->rng);
  } catch (const std::exception& e) {
    plain::fail(*call, e.what());
  }
  return {};
}

}  // namespace

ANACHRON_EXPORT std::uint64_t anachron_call_send(Call* call, std::uint32_t event, std::uint64_t index,
                                                 double time, const void* payload,
                                                 std::uint32_t flags) noexcept {
  if (flags == 0) [[likely]]
    return plain::send(*call, event, index, time, payload);
  const Flags how(flags);
  return plain::send(*call, event, index, time, payload, how.flags);
}
ANACHRON_EXPORT void anachron_call_handle(const Call* call, std::uint32_t event, std::uint64_t index,
                                          double time, std::uint64_t number, std::uint32_t flags,
                                          EventHandle* out) noexcept {
  const Flags how(flags);
  *out = plain::handle_of(*call, event, index, time, number, how.flags);
}
ANACHRON_EXPORT bool anachron_call_cancel(Call* call, const EventHandle* handle) noexcept {
  return plain::cancel(*call, *handle);
}
ANACHRON_EXPORT void anachron_call_row(Call* call, std::uint32_t table, const void* row) noexcept {
  plain::write_row(*call, table, row);
}
ANACHRON_EXPORT std::uint32_t anachron_call_lp_count(const Call* call, std::uint32_t type) noexcept {
  return plain::lp_count(*call, type);
}
ANACHRON_EXPORT void anachron_call_stop(Call* call) noexcept { plain::stop(*call); }
ANACHRON_EXPORT void anachron_call_fail(Call* call, const char* cause) noexcept { plain::fail(*call, cause); }
/// Whether something has failed so far.
ANACHRON_EXPORT bool anachron_call_failed(const Call* call) noexcept {
  return call->frame->halt && call->frame->halt->kind != event::Halt::Kind::stop;
}

// Random numbers, under the names of Rng's members.
ANACHRON_EXPORT std::uint64_t anachron_rng_bits(Call* call) noexcept { return call->rng.bits(); }
ANACHRON_EXPORT double anachron_rng_uniform(Call* call) noexcept { return call->rng.uniform(); }
ANACHRON_EXPORT double anachron_rng_uniform_in(Call* call, double a, double b) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.uniform(a, b); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_below(Call* call, std::int64_t n) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.below(n); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_between(Call* call, std::int64_t lo, std::int64_t hi) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.between(lo, hi); });
}
ANACHRON_EXPORT bool anachron_rng_bernoulli(Call* call, double p) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.bernoulli(p); });
}
ANACHRON_EXPORT double anachron_rng_exponential(Call* call, double mean) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.exponential(mean); });
}
ANACHRON_EXPORT double anachron_rng_normal(Call* call, double mean, double sigma) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.normal(mean, sigma); });
}
ANACHRON_EXPORT double anachron_rng_lognormal(Call* call, double mu, double sigma) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.lognormal(mu, sigma); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_poisson(Call* call, double mean) noexcept {
  return drawn(call, [=](Rng& rng) { return static_cast<std::int64_t>(rng.poisson(mean)); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_geometric(Call* call, double p) noexcept {
  return drawn(call, [=](Rng& rng) { return static_cast<std::int64_t>(rng.geometric(p)); });
}
ANACHRON_EXPORT std::int64_t anachron_rng_binomial(Call* call, std::int64_t n, double p) noexcept {
  return drawn(call, [=](Rng& rng) {
    if (n < 0) throw std::invalid_argument("Rng::binomial: n is below 0");
    return static_cast<std::int64_t>(rng.binomial(static_cast<std::uint64_t>(n), p));
  });
}
ANACHRON_EXPORT double anachron_rng_erlang(Call* call, std::int64_t k, double mean) noexcept {
  return drawn(call, [=](Rng& rng) {
    if (k < 1 || k > 0xffffffff) throw std::invalid_argument("Rng::erlang: k is not from 1 to 2^32-1");
    return rng.erlang(static_cast<unsigned>(k), mean);
  });
}
ANACHRON_EXPORT double anachron_rng_gamma(Call* call, double shape, double scale) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.gamma(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_beta(Call* call, double a, double b) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.beta(a, b); });
}
ANACHRON_EXPORT double anachron_rng_weibull(Call* call, double shape, double scale) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.weibull(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_pareto(Call* call, double shape, double scale) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.pareto(shape, scale); });
}
ANACHRON_EXPORT double anachron_rng_triangular(Call* call, double lo, double mode, double hi) noexcept {
  return drawn(call, [=](Rng& rng) { return rng.triangular(lo, mode, hi); });
}
