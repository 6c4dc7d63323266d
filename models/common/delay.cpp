#include "common/delay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models {

namespace {

struct Named {
  std::string_view name;
  Delay::Kind kind;
  double lowest, highest;  // of the shape; both 0: it has none
};
constexpr std::array kKinds{
    Named{"exponential", Delay::Kind::exponential, 0, 0},
    Named{"deterministic", Delay::Kind::deterministic, 0, 0},
    Named{"erlang", Delay::Kind::erlang, 1, 1000},
    Named{"hyperexponential", Delay::Kind::hyperexponential, 1, 1e4},
    Named{"lognormal", Delay::Kind::lognormal, 1e-9, 5},
    Named{"uniform", Delay::Kind::uniform, 1e-9, 1},
    Named{"gamma", Delay::Kind::gamma, 0.05, 1000},
    Named{"weibull", Delay::Kind::weibull, 0.05, 1000},
};

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw InputError("'" + std::string(text.substr(0, 60)) + "' is not valid: expected " + expected);
}

double shape_of(std::string_view text, const Named& named, std::optional<std::string_view> shape) {
  if (named.highest == 0) {
    if (shape) refuse(text, std::string(named.name) + " without a shape");
    return 0;
  }
  const std::string expected = std::string(named.name) + ":X with X from " + format_real(named.lowest) +
                               " to " + format_real(named.highest) +
                               (named.kind == Delay::Kind::erlang ? ", a whole number" : "");
  if (!shape) refuse(text, expected);
  try {
    const double value = parse_real(*shape);
    if (value >= named.lowest && value <= named.highest &&
        (named.kind != Delay::Kind::erlang || value == std::floor(value)))
      return value;
  } catch (const InputError&) {  // said below
  }
  refuse(text, expected);
}

}  // namespace

Delay::Delay(std::string_view text, double mean) : mean_(mean) {
  const auto colon = text.find(':');
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [name = text.substr(0, colon)](const Named& n) { return n.name == name; });
  if (found == kKinds.end()) refuse(text, std::string(kValid));
  if (!(mean >= 0 && mean <= kLongest))
    refuse(format_real(mean), "a mean from 0 to " + format_real(kLongest));
  const double shape =
      shape_of(text, *found, colon == text.npos ? std::nullopt : std::optional(text.substr(colon + 1)));
  kind_ = found->kind;
  switch (kind_) {
    case Kind::exponential:
      scv_ = 1;
      break;
    case Kind::deterministic:
      least_ = mean;
      break;
    case Kind::erlang:
      a_ = shape;
      scv_ = 1 / shape;
      break;
    case Kind::hyperexponential:
      // Each phase has half of the mean: a_ the probability of the first one, b_ and c_ the means of both.
      scv_ = shape;
      a_ = (1 + std::sqrt((shape - 1) / (shape + 1))) / 2;
      b_ = mean / (2 * a_);
      c_ = mean / (2 * (1 - a_));
      break;
    case Kind::lognormal:
      a_ = std::log(mean) - shape * shape / 2;
      b_ = shape;
      scv_ = std::expm1(shape * shape);
      break;
    case Kind::uniform:
      a_ = mean * (1 - shape);
      b_ = mean * (1 + shape);
      least_ = a_;
      scv_ = shape * shape / 3;
      break;
    case Kind::gamma:
      a_ = shape;
      b_ = mean / shape;
      scv_ = 1 / shape;
      break;
    case Kind::weibull: {
      const double gamma_1 = std::tgamma(1 + 1 / shape);
      a_ = shape;
      b_ = mean / gamma_1;
      scv_ = std::tgamma(1 + 2 / shape) / (gamma_1 * gamma_1) - 1;
      break;
    }
  }
}

double Delay::draw(Rng& rng) const {
  switch (kind_) {
    case Kind::exponential:
      return rng.exponential(mean_);
    case Kind::deterministic:
      return mean_;
    case Kind::erlang:
      return rng.erlang(static_cast<unsigned>(a_), mean_);
    case Kind::hyperexponential:
      return rng.exponential(rng.bernoulli(a_) ? b_ : c_);
    case Kind::lognormal:
      return mean_ > 0 ? rng.lognormal(a_, b_) : 0;
    case Kind::uniform:
      return rng.uniform(a_, b_);
    case Kind::gamma:
      return rng.gamma(a_, b_);
    case Kind::weibull:
      return rng.weibull(a_, b_);
  }
  return 0;
}

}  // namespace anachron::models
