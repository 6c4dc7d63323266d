// Built when METIS is missing, or not wanted.
#include <anachron/base/error.hpp>
#include <anachron/model/dissection.hpp>

#include "partition/metis/metis.hpp"

namespace anachron::partition {

const bool kHasMetis = false;

void require_metis() {
  throw InputError(
      "--partition metis: Anachron was built without METIS: install it (Debian, Ubuntu: libmetis-dev) and "
      "build "
      "Anachron again");
}

std::vector<std::uint32_t> cut_by_metis(const Graph&, std::span<const double>, double, std::uint64_t) {
  require_metis();
  return {};
}

}  // namespace anachron::partition

namespace anachron {

std::optional<std::vector<std::uint32_t>> nested_dissection(std::span<const std::uint32_t>,
                                                            std::span<const std::uint32_t>) {
  return std::nullopt;
}

}  // namespace anachron
