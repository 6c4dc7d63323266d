#include "place/loads.hpp"

#include <cmath>
#include <string>

#include <anachron/base/error.hpp>

namespace anachron::place {

Loads::Loads(const std::vector<event::LpTypeEntry>& types) : of_type_(types.size()) {
  double sum = 0, declaring = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!types[i].ops->load) continue;
    for (std::uint32_t k = 0; k < types[i].count; ++k) of_type_[i] += declared(types[i], k);
    sum += of_type_[i];
    declaring += types[i].count;
  }
  if (sum > 0) usual_ = sum / declaring;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!types[i].ops->load) of_type_[i] = usual_ * types[i].count;
}

double Loads::declared(const event::LpTypeEntry& type, std::uint32_t index) {
  const double load = type.ops->load(type.params, type.shared, index);
  if (!(load >= 0) || std::isinf(load))
    throw InputError("load of " + std::string(type.ops->name) + " " + std::to_string(index) + " is " +
                     std::to_string(load) + "; a load is finite and not negative");
  return load;
}

}  // namespace anachron::place
