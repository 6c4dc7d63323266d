// The places at which an engine can be built from other parts: how PEs exchange events, who runs them, how
// GVT is reduced.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"
#include "gvt/gvt.hpp"
#include "mem/nodes/nodes.hpp"
#include "sched/mapping/mapping.hpp"
#include "sched/time_slicing.hpp"
#include "sched/trials/active_workers.hpp"
#include "topo/clocks/counters.hpp"

namespace anachron::engine {

/// What is left empty is what the options ask for.
struct Seams {
  std::string description;  ///< for messages
  std::function<std::unique_ptr<fabric::Fabric>(const Config&, std::span<const event::LpTypeEntry>)> fabric;
  std::function<std::unique_ptr<sched::Mapping>(const Config&)> mapping;
  std::function<std::unique_ptr<sched::ActiveWorkers>(const Config&)> active_workers;
  /// In runs of several workers.
  std::function<std::unique_ptr<sched::TimeSlicing>()> time_slicing;
  /// `conclude` turns what all members have said into the outcome of the round. It may throw, which is to
  /// come out of a function of the GVT that a worker has called.
  using Conclude = std::function<gvt::Round(std::span<const gvt::Summary>)>;
  std::function<std::unique_ptr<gvt::Gvt>(const Config&, Conclude conclude)> gvt;
  /// Called by each worker's thread. Null: there are none.
  std::function<std::unique_ptr<topo::Counters>()> counters;
  /// The machine on whose memory nodes events are placed, in hwloc's notation, with as many cores as workers
  /// at least. Empty: this one.
  std::string machine;
  std::function<std::unique_ptr<mem::NodeMemory>()> node_memory;
  /// From one look of the monitor at the run to the next.
  std::optional<std::chrono::milliseconds> monitor_period;
};

}  // namespace anachron::engine
