// What a mapping and the trials of workers tell a GVT round.
#pragma once

#include "gvt/workers.hpp"
#include "sched/mapping/mapping.hpp"
#include "sched/trials/active_workers.hpp"

namespace anachron::exec {

class ScheduledWorkers final : public sync::Workers {
 public:
  /// Both must outlive it.
  ScheduledWorkers(const place::Mapping& mapping, sync::ActiveWorkers& active)
      : mapping_(mapping), active_(active) {}

  unsigned active() const override { return mapping_.active_workers(); }
  bool is_disturbed() const override { return mapping_.is_disturbed(); }
  bool ends_term(const sync::TermFacts& now) override { return active_.ends_term(now); }

 private:
  const place::Mapping& mapping_;
  sync::ActiveWorkers& active_;
};

}  // namespace anachron::exec
