// A run of LPs of one type, for models that choose the type when they know their parameters.
#pragma once

#include <functional>
#include <string>

#include <anachron/run/simulation.hpp>

namespace anachron {

/// A simulation of LPs of one type, with these parameters.
template <class Lp>
Report run_lps(const std::string& model, const typename Lp::Params& params, const Config& config,
               const ProgressCallback& progress, const std::function<bool()>& interrupted) {
  Simulation<Lp> simulation;
  simulation.config = config;
  simulation.template params<typename Lp::Params>() = params;
  Report report = simulation.run(progress, interrupted);
  report.model = model;
  return report;
}

}  // namespace anachron
