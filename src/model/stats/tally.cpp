#include <anachron/model/stats/tally.hpp>

#include <limits>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

namespace detail {

void fail_not_finite(const char* what, double x) {
  throw InputError(fmt::format("{}: cannot observe {}: expected a finite number", what, format_real(x)));
}

void fail_negative(const char* what, double x) {
  throw InputError(
      fmt::format("{}: cannot observe {}: expected a number >= 0 (count negative ones in a histogram of "
                  "their own, without the sign)",
                  what, format_real(x)));
}

void fail_too_many(const char* what) {
  throw InputError(fmt::format("{}: more than 4,294,967,295 observations at one LP", what));
}

}  // namespace detail

void Tally::merge(const Tally& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto mine = static_cast<double>(count_), others = static_cast<double>(other.count_);
  const double apart = other.mean_ - mean_, share = others / (mine + others);
  mean_ += apart * share;
  squares_ += other.squares_ + apart * apart * mine * share;
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Tally::mean() const { return count_ ? mean_ : kNone; }
double Tally::variance() const { return count_ > 1 ? squares_ / static_cast<double>(count_ - 1) : kNone; }
double Tally::min() const { return count_ ? min_ : kNone; }
double Tally::max() const { return count_ ? max_ : kNone; }

void WeightedTally::add(double x, double weight) {
  min_ = weight_ > 0 ? std::min(min_, x) : x;
  max_ = weight_ > 0 ? std::max(max_, x) : x;
  const double before = weight_, from_mean = x - mean_;
  weight_ += weight;
  const double step = from_mean * (weight / weight_);
  mean_ += step;
  squares_ += before * from_mean * step;
}

void WeightedTally::merge(const WeightedTally& other) {
  if (!(other.weight_ > 0)) return;
  if (!(weight_ > 0)) {
    *this = other;
    return;
  }
  const double apart = other.mean_ - mean_, share = other.weight_ / (weight_ + other.weight_);
  mean_ += apart * share;
  squares_ += other.squares_ + apart * apart * weight_ * share;
  weight_ += other.weight_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double WeightedTally::mean() const { return weight_ > 0 ? mean_ : kNone; }
double WeightedTally::variance() const { return weight_ > 0 ? squares_ / weight_ : kNone; }
double WeightedTally::min() const { return weight_ > 0 ? min_ : kNone; }
double WeightedTally::max() const { return weight_ > 0 ? max_ : kNone; }

}  // namespace anachron
