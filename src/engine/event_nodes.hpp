// Whether events are placed on the memory nodes of the cores that their receivers run on, and on which: MUSE,
// section 4.3.
#pragma once

#include <memory>
#include <string>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>

#include "base/owners.hpp"
#include "mem/nodes/nodes.hpp"
#include "pe/pe.hpp"
#include "sched/binding.hpp"

namespace anachron::engine {

struct EventNodes {
  std::unique_ptr<mem::Nodes> nodes;  ///< null: events are not placed
  std::string why_not;
};

/// `owners`: of each LP; they must outlive the nodes. Throws InputError when events are to be placed and
/// nobody knows where their receivers will run.
EventNodes plan_event_nodes(const Config& config, const sched::Binding& binding, const pe::PesOfRanks& pes,
                            const Owners& owners);

}  // namespace anachron::engine
