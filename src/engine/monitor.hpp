// What the thread that waits for the workers does meanwhile: asks whether to go on, and tells how far they
// are.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "engine/recording.hpp"
#include "gvt/gvt_manager.hpp"
#include "lp/lp_store.hpp"
#include "observe/run_control.hpp"
#include "observe/watchdog.hpp"
#include "pe/pe.hpp"
#include "sched/binding.hpp"
#include "sched/team.hpp"

namespace anachron::engine {

/// What a user gives a run.
struct Callbacks {
  const std::function<void(const Progress&)>& progress;
  const std::function<bool()>& interrupted;
};

class Monitor {
 public:
  Monitor(const Config& config, const lp::LpStore& lps, const std::vector<std::unique_ptr<pe::Pe>>& pes,
          observe::RunControl& control, const gvt::GvtManager& manager, sched::Binding& binding,
          Recording& recording)
      : config_(config),
        lps_(lps),
        pes_(pes),
        control_(control),
        gvt_manager_(manager),
        binding_(binding),
        recording_(recording) {}

  /// While LPs start, until the team is done.
  void watch_start(sched::Team& team, const Callbacks& user);
  /// While the team runs PEs.
  void watch_run(sched::Team& team, const Callbacks& user);

 private:
  Progress look();

  const Config& config_;
  const lp::LpStore& lps_;
  const std::vector<std::unique_ptr<pe::Pe>>& pes_;
  observe::RunControl& control_;
  const gvt::GvtManager& gvt_manager_;
  sched::Binding& binding_;
  Recording& recording_;
  observe::Watchdog watchdog_;
};

}  // namespace anachron::engine
