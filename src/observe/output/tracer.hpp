// Which committed events are shown, and how they are described.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/trace.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/in_order.hpp>
#include <anachron/event/key.hpp>

#include "lp/lp_store.hpp"

namespace anachron::observe {

/// An event that is to be shown, after its memory is gone.
struct ShownEvent {
  event::EventKey key;
  LpId receiver = 0;
  const event::EventOps* ops = nullptr;
  std::string payload;
};

/// Of a run. Constant, so that all PEs ask the same one.
class Tracer {
 public:
  /// `elsewhere`: shows the events instead of the trace itself; empty: the trace does. Precondition: the
  /// trace was checked.
  Tracer(const Trace& trace, const lp::LpStore& lps,
         std::function<void(const ShownEvent&)> elsewhere = nullptr);

  bool shows(const event::EventHeader& e) const {
    return (is_traced_.empty() || is_traced_[e.receiver]) && e.time >= trace_.from && e.time < trace_.to;
  }
  /// The task that shows the event, in its turn, and its bytes. The event is looked at now.
  std::pair<std::unique_ptr<event::Task>, std::size_t> record(const event::EventHeader& e) const;
  /// The same for an event of which this is known.
  std::pair<std::unique_ptr<event::Task>, std::size_t> task(ShownEvent event) const;

 private:
  class Showing;
  void show(const ShownEvent& event) const;

  const Trace& trace_;
  const lp::LpStore& lps_;
  const std::function<void(const ShownEvent&)> elsewhere_;
  std::vector<bool> is_traced_;  // by LP; empty: all are
};

/// Throws InputError when the LPs of a trace do not exist.
void check_trace(const Trace& trace, const std::vector<event::LpTypeEntry>& types);

}  // namespace anachron::observe
