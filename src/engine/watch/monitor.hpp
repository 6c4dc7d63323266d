// What the thread that waits for the workers does meanwhile: asks whether to go on or to pause, and tells how
// far they are.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "engine/watch/recording.hpp"
#include "engine/watch/stall_watch.hpp"
#include "gvt/gvt_manager.hpp"
#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
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
  /// What it looks at.
  struct Of {
    const Config& config;
    const lp::LpStore& lps;
    const std::vector<std::unique_ptr<pe::Pe>>& pes;
    observe::RunControl& control;
    const gvt::GvtManager& gvt_manager;
    sched::Binding& binding;
    const mem::Budget& budget;
    Recording& recording;
    const Ranks* ranks;  // null: there is one
  };
  explicit Monitor(const Of& of) : of_(of), stalls_(of.lps, of.ranks) {}

  /// While LPs start, until the team is done.
  void watch_start(sched::Team& team, const Callbacks& user);
  /// While the team runs PEs.
  void watch_run(sched::Team& team, const Callbacks& user);

 private:
  void ask(const Callbacks& user);
  Progress look();
  std::chrono::milliseconds period() const;

  const Of of_;
  observe::Watchdog watchdog_;
  StallWatch stalls_;
};

}  // namespace anachron::engine
