// Confidence intervals of means.
#pragma once

#include <cstdint>
#include <optional>

#include <anachron/model/stats/tally.hpp>

namespace anachron {

/// The t that a variable with Student's t distribution of `freedom` degrees of freedom exceeds, up or down,
/// with the probability 1 - `confidence`. Throws InputError unless 0 < confidence < 1 and freedom > 0.
/// Solves for the regularised incomplete beta function, to about 12 digits.
double student_t(double confidence, double freedom);

/// Half the width of the confidence interval of the mean of independent observations, which is
/// mean() +- that; none for less than two.
std::optional<double> half_width(const Tally& tally, double confidence);

namespace detail {
/// Throws InputError("--confidence: ...") unless 0 < confidence < 1.
void check_confidence(double confidence);
/// The regularised incomplete beta function I_x(a, b); a, b > 0, 0 <= x <= 1.
double incomplete_beta(double a, double b, double x);
}  // namespace detail

}  // namespace anachron
