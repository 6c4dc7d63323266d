// When replications have means that are precise enough: the sequential procedure of Chow and Robbins, "On the
// asymptotic theory of fixed-width sequential confidence intervals for the mean", Ann. Math. Statist. 36,
// 1965, with a width relative to the mean (Law, Simulation Modeling and Analysis, chapter 9).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <anachron/model/results.hpp>
#include <anachron/model/stats/tally.hpp>
#include <anachron/run/replications.hpp>

namespace anachron {

/// Sees the replications in the order of their seeds, so that what it says depends on nothing but results.
class PrecisionRule {
 public:
  PrecisionRule(Precision wanted, double confidence) : wanted_(std::move(wanted)), confidence_(confidence) {}

  /// Takes the results of the next replication. Returns whether the means are precise now. Throws
  /// InputError("--precision-of: ...") if the first `Precision::kFirst` do not have the figure.
  bool add(const Results& results);
  /// The means that are not precise, and how far each is known.
  std::vector<Imprecise> missed() const;

 private:
  struct Mean {
    std::string name;
    Tally values;
  };

  /// The half-width of the interval, relative to the magnitude of the mean; infinite for a mean of 0 with an
  /// interval.
  double reached(const Mean& mean) const;
  bool is_precise(const Mean& mean) const {
    return mean.values.count() >= Precision::kFirst && reached(mean) <= wanted_.relative;
  }

  const Precision wanted_;
  const double confidence_;
  unsigned seen_ = 0;
  std::vector<Mean> means_;  // in order of first use
};

}  // namespace anachron
