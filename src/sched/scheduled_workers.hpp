// What a mapping and the trials of workers tell a GVT round.
#pragma once

#include "gvt/decisions/workers.hpp"
#include "sched/mapping/mapping.hpp"
#include "sched/trials/active_workers.hpp"

namespace anachron::sched {

class ScheduledWorkers final : public gvt::Workers {
 public:
  /// Both must outlive it.
  ScheduledWorkers(const sched::Mapping& mapping, sched::ActiveWorkers& active)
      : mapping_(mapping), active_(active) {}

  unsigned active() const override { return mapping_.active_workers(); }
  bool is_disturbed() const override { return mapping_.is_disturbed(); }
  bool ends_term(const gvt::TermFacts& now) override { return active_.ends_term(now); }

 private:
  const sched::Mapping& mapping_;
  sched::ActiveWorkers& active_;
};

}  // namespace anachron::sched
