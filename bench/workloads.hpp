// The workloads of the benchmarks, for the engine and by hand.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/run/any_model.hpp>

#include "by_hand.hpp"
#include "phold/phold.hpp"

namespace anachron::bench {

/// W1; W2 (Rao 2018) with uniform receivers and, W2r, with 10% remote ones; W3 (Bauer et al. 2009); W4
/// (Bachan et al. 2024) with 200 LPs; W5, and with 10% remote ones W5r, with 20 million pending events, 2 GB.
/// Exponential delays of mean 1, no lookahead. W1 to W4 take a good second each sequentially, W5 ten.
inline const std::vector<Workload>& phold_workloads() {
  static const std::vector<Workload> all{
      {.name = "w1", .lps = 1024, .events_per_lp = 16, .until = 1000},
      {.name = "w2", .lps = 10000, .events_per_lp = 20, .until = 60},
      {.name = "w2r", .lps = 10000, .events_per_lp = 20, .remote = 0.1, .until = 60},
      {.name = "w3", .lps = 1048576, .events_per_lp = 10, .remote = 0.1, .until = 0.6},
      {.name = "w4", .lps = 200, .events_per_lp = 15, .sigma = 100, .until = 4000},
      {.name = "w5", .lps = 5'000'000, .events_per_lp = 4, .until = 3},
      {.name = "w5r", .lps = 5'000'000, .events_per_lp = 4, .remote = 0.1, .until = 3},
  };
  return all;
}

inline const Workload* find_workload(std::string_view name) {
  const auto& all = phold_workloads();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Workload& w) { return w.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Sets a model's options from text. Throws InputError; std::logic_error for an option that the model has
/// not.
inline void set_options(AnyModel& model, const std::vector<std::pair<std::string, std::string>>& values) {
  auto options = model.options();
  for (const auto& [name, value] : values) {
    const auto found =
        std::find_if(options.begin(), options.end(), [&, &n = name](const Option& o) { return o.name == n; });
    if (found == options.end()) throw std::logic_error("no option --" + name);
    found->set(value);
  }
}

inline Report run_phold(const Workload& work, Config config) {
  const auto model = models::make_phold();
  std::vector<std::pair<std::string, std::string>> options{
      {"lps", std::to_string(work.lps)},
      {"events-per-lp", std::to_string(work.events_per_lp)},
      {"remote", std::to_string(work.remote)}};
  if (work.sigma > 0)
    options.insert(options.end(), {{"receiver", "gaussian"}, {"sigma", std::to_string(work.sigma)}});
  set_options(*model, options);
  config.until = work.until;
  return model->run(config, {}, {});
}

inline Rate run_sequentially(const Workload& work) {
  Config config;
  config.sync = Sync::sequential;
  const Report report = run_phold(work, config);
  return {report.committed, report.wall_s};
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace anachron::bench
