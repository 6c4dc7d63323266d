// Which committed events are shown, and how they are described.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <anachron/base/trace.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/in_order.hpp>

#include "lp/lp_store.hpp"

namespace anachron::exec {

/// Of a run. Constant, so that all PEs ask the same one.
class Tracer {
 public:
  /// Precondition: the trace was checked.
  Tracer(const Trace& trace, const lp::LpStore& lps);

  bool shows(const event::EventHeader& e) const {
    return (is_traced_.empty() || is_traced_[e.receiver]) && e.time >= trace_.from && e.time < trace_.to;
  }
  /// The task that shows the event, in its turn, and its bytes. The event is looked at now.
  std::pair<std::unique_ptr<event::Task>, std::size_t> record(const event::EventHeader& e) const;

 private:
  class Shown;

  const Trace& trace_;
  const lp::LpStore& lps_;
  std::vector<bool> is_traced_;  // by LP; empty: all are
};

/// Throws InputError when the LPs of a trace do not exist.
void check_trace(const Trace& trace, const std::vector<event::LpTypeEntry>& types);

}  // namespace anachron::exec
