// Built when hwloc is missing, or not wanted.
#include "topo/topology.hpp"

namespace anachron::topo {

const bool kHasHwloc = false;

struct Topology::Impl {};

std::optional<Topology> Topology::of_this_machine() { return std::nullopt; }
std::optional<Topology> Topology::of_another_machine() { return std::nullopt; }
std::optional<Topology> Topology::made_up(const std::string&) { return std::nullopt; }

// There is no object to call these on.
Topology::Topology(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Topology::Topology(Topology&&) noexcept = default;
Topology& Topology::operator=(Topology&&) noexcept = default;
Topology::~Topology() = default;
std::vector<unsigned> Topology::allowed() const { return {}; }
std::vector<unsigned> Topology::choose(std::size_t, const std::vector<unsigned>&) const { return {}; }
std::vector<unsigned> Topology::best_first(std::vector<unsigned> processors) const { return processors; }
std::error_code Topology::bind(pthread_t, const std::vector<unsigned>&) const {
  return std::make_error_code(std::errc::function_not_supported);
}
std::optional<unsigned> Topology::node_of(unsigned) const { return std::nullopt; }
std::error_code Topology::place(std::byte*, std::size_t, unsigned) const {
  return std::make_error_code(std::errc::function_not_supported);
}

}  // namespace anachron::topo
