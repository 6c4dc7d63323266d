#include "traffic/equilibrium/bpr.hpp"

#include <cmath>

namespace anachron::models::traffic {

double power(double base, double exponent) {
  constexpr double kLargestWhole = 16;
  if (exponent > kLargestWhole || exponent != std::floor(exponent)) return std::pow(base, exponent);
  double result = 1;
  for (auto factors = static_cast<unsigned>(exponent); factors > 0; --factors) result *= base;
  return result;
}

}  // namespace anachron::models::traffic
