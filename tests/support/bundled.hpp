// Runs of bundled models by their options, and that they give the same in every mode.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "partition/metis/metis.hpp"
#include "scale.hpp"
#include "support/first_difference.hpp"

namespace anachron::test {

using Arguments = std::vector<std::pair<std::string, std::string>>;
using Make = std::unique_ptr<AnyModel> (*)();

inline std::unique_ptr<AnyModel> configured(Make make, const Arguments& arguments) {
  auto model = make();
  auto options = model->options();
  for (const auto& [name, value] : arguments) {
    const auto option = std::find_if(options.begin(), options.end(),
                                     [&, &name = name](const Option& o) { return o.name == name; });
    if (option == options.end()) throw std::logic_error("no option " + name);
    option->set(value);
  }
  return model;
}

inline Report run(Make make, const Arguments& arguments, const Config& config) {
  return configured(make, arguments)->run(config, {}, {});
}

inline Config sequential(Time until) {
  Config config;
  config.sync = Sync::sequential;
  config.until = until;
  return config;
}

inline Config parallel(Time until, unsigned workers) {
  Config config;
  config.sync = Sync::optimistic;
  config.workers = workers;
  config.until = until;
  return config;
}

inline void expect_equal_results(const Report& expected, const Report& actual) {
  EXPECT_EQ(expected.digest, actual.digest);
  EXPECT_TRUE(expected.state_digest) << expected.why_no_state_digest;
  EXPECT_EQ(expected.state_digest, actual.state_digest);
  EXPECT_EQ(expected.committed, actual.committed);
  EXPECT_EQ(expected.end_time, actual.end_time);
  ASSERT_EQ(expected.results.figures().size(), actual.results.figures().size());
  for (const auto& [name, figure] : expected.results.figures()) {
    const double value = actual.results.value(name);
    if (std::isnan(expected.results.value(name)))  // the average of nothing
      EXPECT_TRUE(std::isnan(value)) << name;
    else
      EXPECT_EQ(expected.results.value(name), value) << name;
  }
}

/// Runs it. If it is not the run `expected`, which was with options `base`, says where they part.
inline Report expect_same_run(Make make, const Arguments& arguments, const Report& expected,
                              const Config& base, const Config& config) {
  Report actual = run(make, arguments, config);
  expect_equal_results(expected, actual);
  if (expected.digest != actual.digest)
    ADD_FAILURE() << first_difference(base, config, [&](const Config& of) { run(make, arguments, of); });
  return actual;
}

/// Whether the model tells who sends to whom.
enum class Graph { known, unknown };

/// All modes give the results of the sequential run, which it returns. Slow builds try fewer.
inline Report expect_equivalent(Make make, const Arguments& arguments, Time until,
                                Graph graph = Graph::known) {
  const Config base = sequential(until);
  const Report expected = run(make, arguments, base);
  EXPECT_GT(expected.committed, 0u);
  for (const unsigned workers : {1u, 2u, 3u, 4u}) {
    if (!is_tried(workers)) continue;
    SCOPED_TRACE(std::to_string(workers) + " workers");
    expect_same_run(make, arguments, expected, base, parallel(until, workers));
  }
  if (partition::kHasMetis && graph == Graph::known) {
    SCOPED_TRACE("METIS");
    Config config = parallel(until, 2);
    config.pes = 3;
    config.partition = Partition::metis;
    expect_same_run(make, arguments, expected, base, config);
  }
  {
    SCOPED_TRACE("chaos");
    Config config = parallel(until, 3);
    config.pes = 5;
    config.partition = Partition::random;
    config.test_chaos = 17;
    config.batch = 16;
    config.lps_per_group = 3;
    config.migration = Migration::on;
    for (const auto interval : {std::optional<unsigned>(), std::optional(1u), std::optional(7u)}) {
      if (!is_tried(interval.value_or(0))) continue;
      SCOPED_TRACE("a copy of the state every " + std::to_string(interval.value_or(0)));
      config.checkpoint_interval = interval;
      expect_same_run(make, arguments, expected, base, config);
    }
  }
  {
    SCOPED_TRACE("rollback check");
    Config config = sequential(until);
    config.check_rollback = true;
    const Report checked = expect_same_run(make, arguments, expected, base, config);
    EXPECT_TRUE(checked.notes.empty());
  }
  return expected;
}

/// Conservative runs with several numbers of workers give the results of the sequential run.
inline void expect_conservative_equivalent(Make make, const Arguments& arguments, Time until) {
  const Config base = sequential(until);
  const Report expected = run(make, arguments, base);
  for (const unsigned workers : {1u, 2u, 4u}) {
    if (!is_tried(workers + 2)) continue;  // one at least
    SCOPED_TRACE(std::to_string(workers) + " workers, conservative");
    Config config = parallel(until, workers);
    config.sync = Sync::conservative;
    const Report actual = expect_same_run(make, arguments, expected, base, config);
    EXPECT_EQ(actual.executed, actual.committed);
  }
}

}  // namespace anachron::test
