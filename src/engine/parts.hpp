// The parts that an engine is built from: those that the options ask for, or in their place what a test
// brings.
#pragma once

#include <memory>
#include <span>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>

#include "engine/seams.hpp"
#include "gvt/rounds/rank_rounds.hpp"
#include "sched/binding.hpp"
#include "sched/core_swap.hpp"
#include "sched/time_slicing.hpp"

namespace anachron::engine {

std::unique_ptr<fabric::Fabric> make_fabric(const Config& config, std::span<const event::LpTypeEntry> types);
std::unique_ptr<sched::Mapping> make_mapping(const Config& config);
/// Null: workers stay on their cores, or go where the system takes them. `binding` must outlive it, and is
/// kept. Throws InputError when it is asked for where it cannot be.
std::unique_ptr<sched::CoreSwap> make_core_swap(const Config& config, sched::Binding& binding);
/// Null: nobody alternates with a worker that goes in order. `binding` must outlive it.
std::unique_ptr<sched::TimeSlicing> make_time_slicing(const Config& config, sched::Binding& binding);
std::unique_ptr<sched::ActiveWorkers> make_active_workers(const Config& config, bool has_windows,
                                                          bool has_time_slicing);
/// Whether their number, and the way in which they execute, may change while the model runs.
bool may_change_workers(const Config& config);
/// Of the calling thread; null: there are none.
std::unique_ptr<topo::Counters> open_counters(const Config& config);
/// `conclude` as Seams::Conclude says.
std::unique_ptr<gvt::Gvt> make_gvt(const Config& config, Seams::Conclude conclude);
/// Of a run over several ranks.
std::unique_ptr<gvt::Gvt> make_gvt(const Config& config, gvt::RankRounds& rounds);

}  // namespace anachron::engine
