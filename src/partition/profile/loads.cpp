#include "partition/profile/loads.hpp"

#include <cmath>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::partition {

Loads::Loads(const std::vector<event::LpTypeEntry>& types) {
  double sum = 0, declaring = 0;
  for (const event::LpTypeEntry& type : types) {
    if (!type.ops->load) continue;
    for (std::uint32_t k = 0; k < type.count; ++k) sum += declared(type, k);
    declaring += type.count;
  }
  if (sum > 0) usual_ = sum / declaring;
}

double Loads::declared(const event::LpTypeEntry& type, std::uint32_t index) {
  const double load = type.ops->load(type.params, type.shared, index);
  if (!(load >= 0) || std::isinf(load))
    throw InputError("load of " + std::string(type.name()) + " " + std::to_string(index) + " is " +
                     format_real(load) + "; a load is finite and not negative");
  return load;
}

}  // namespace anachron::partition
