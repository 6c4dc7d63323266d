#include "engine/event_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "engine/seams.hpp"
#include "topo/topology.hpp"

namespace anachron::engine {
namespace {

class SystemMemory final : public mem::NodeMemory {
 public:
  explicit SystemMemory(topo::Topology topology) : topology_(std::move(topology)) {}
  void place(std::byte* at, std::size_t bytes, unsigned node) override {
    static_cast<void>(topology_.place(at, bytes, node));
  }

 private:
  topo::Topology topology_;
};

/// The machine to look at instead of this one, if a test or hwloc's environment variables describe one.
std::optional<topo::Topology> other_machine(const Config& config) {
  if (config.seams && !config.seams->machine.empty()) return topo::Topology::made_up(config.seams->machine);
  return topo::Topology::of_another_machine();
}

/// The node of each worker's core, or the reason why it is not known.
struct Known {
  std::vector<unsigned> nodes;
  std::string why_not;
};

Known nodes_of(const topo::Topology& machine, const std::vector<unsigned>& cores) {
  Known known;
  for (const unsigned core : cores) {
    const auto node = machine.node_of(core);
    if (!node) return {{}, "hwloc knows no memory nodes of this machine"};
    known.nodes.push_back(*node);
  }
  return known;
}

Known nodes_of_workers(const Config& config, const sched::Binding& binding) {
  if (*config.workers == 1) return {{}, "a single worker"};
  if (const auto machine = other_machine(config)) {
    const std::vector<unsigned> cores = machine->choose(*config.workers, machine->allowed());
    if (cores.size() < *config.workers)
      return {{}, fmt::format("{} workers on {} cores of a made-up machine", *config.workers, cores.size())};
    return nodes_of(*machine, cores);
  }
  if (!binding.topology()) return {{}, fmt::format("workers are not bound to cores ({})", binding.why_not())};
  return nodes_of(*binding.topology(), binding.cores());
}

std::unique_ptr<mem::NodeMemory> memory_of(const Config& config) {
  if (config.seams && config.seams->node_memory) return config.seams->node_memory();
  auto machine = other_machine(config);
  if (!machine) machine = topo::Topology::of_this_machine();
  if (!machine) throw std::logic_error("anachron: internal error: nodes of a machine that nobody knows");
  return std::make_unique<SystemMemory>(*std::move(machine));
}

}  // namespace

EventNodes plan_event_nodes(const Config& config, const sched::Binding& binding, const pe::PesOfRanks& pes,
                            const Owners& owners) {
  if (config.numa == Numa::off) return {nullptr, "--numa off"};
  if (config.pool != Pool::own) return {nullptr, "memory of events is not the engine's own (--pool)"};
  const Known workers = nodes_of_workers(config, binding);
  if (!workers.why_not.empty()) {
    if (config.numa == Numa::on && *config.workers > 1)
      throw bad_value("numa", "on", fmt::format("auto, off; here {}", workers.why_not));
    return {nullptr, workers.why_not};
  }
  std::vector<unsigned> numbers = workers.nodes;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (config.numa == Numa::automatic && numbers.size() == 1) return {nullptr, "all workers are on one node"};
  if (numbers.size() > mem::Nodes::kMost) return {nullptr, "more memory nodes than can be told apart"};

  std::vector<std::optional<std::size_t>> of_pe(pes.all);
  for (std::size_t i = 0; i < pes.own.count; ++i) {
    const unsigned node = workers.nodes[i % workers.nodes.size()];  // as mappings share PEs out at first
    of_pe[pes.own.first + i] =
        static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), node) - numbers.begin());
  }
  const auto placement =
      config.events == Events::copied ? mem::Placement::originals_near_sender : mem::Placement::near_receiver;
  return {std::make_unique<mem::Nodes>(std::move(numbers), std::move(of_pe), owners, memory_of(config),
                                       placement),
          {}};
}

}  // namespace anachron::engine
