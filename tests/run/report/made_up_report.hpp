// The report of a run that was not made, and the machine that it was not made on.
#pragma once

#include <limits>

#include <anachron/run/report.hpp>

#include "run/fake_model.hpp"

namespace anachron::test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Machine machine() {
  Machine out;
  out.usable_cores = 4;
  out.cores = 8;
  out.cpu = "Some CPU";
  out.memory = 1 << 30;
  out.os = "Some OS";
  out.compiler = "Some compiler";
  out.version = "1.2.3";
  out.built_with = {"hwloc", "MPI"};
  return out;
}

inline Report optimistic() {
  Config config;
  config.workers = 2;
  config.until = 100;
  Report out = FakeModel().report(resolve(config, 4));
  out.model_options = {{"lps", "16"}, {"mean", "1.5"}};
  out.committed = 9'000'000;
  out.executed = 9'500'000;
  out.rolled_back = 500'000;
  out.gvt_rounds = 1000;
  out.cpu_s = 3.9;
  out.pes[0].committed = 4'600'000;
  out.pes[1].committed = 4'400'000;
  out.rollbacks_local = out.pes[0].rollbacks_local = 1;
  out.rollbacks_regional = out.pes[1].rollbacks_regional = 3;
  out.batches = 64'000;
  out.lookups = 400;
  out.lookup_probes = 500;
  out.sent = 10'000'000;
  out.sent_remote = 1'000'000;
  out.event_bytes = 96'000;
  out.queue_bytes = 24'000;
  out.lp_bytes = 16 * 128;
  out.peak_pending = 1000;
  out.critical_path = 90'000;
  out.binding.cores = {0, 2};
  out.rounds = {{1.5, 0.25, 100, 110, 2.5, 2, 0.25}, {kInfinity, 0.5, 200, 220, kInfinity, 1}};
  return out;
}

}  // namespace anachron::test
