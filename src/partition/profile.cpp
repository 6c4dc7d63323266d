#include "partition/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/neighbours.hpp>

#include "partition/loads.hpp"

namespace anachron::partition {
namespace {

using event::LpTypeEntry;

/// Takes down what the LPs tell, one after the other.
class Collector final : public Neighbours {
 public:
  Collector(const std::vector<LpTypeEntry>& types, Profile& profile) : types_(types), profile_(profile) {}

  void ask(const LpTypeEntry& type, std::uint32_t index) {
    type_ = &type;
    index_ = index;
    type.ops->neighbours(type.params, type.shared, index, *this);
  }

 private:
  void add_of(const event::LpOps& ops, std::uint32_t index, double weight) override {
    check(weight);
    const auto type =
        std::find_if(types_.begin(), types_.end(), [&](const LpTypeEntry& t) { return t.ops == &ops; });
    if (type == types_.end())
      throw InputError(who() + ": LP type " + std::string(ops.name) + " is not in the simulation");
    if (index >= type->count)
      throw InputError(who() + ": there is no " + std::string(type->name()) + " " + std::to_string(index) +
                       "; there are " + std::to_string(type->count));
    if (weight > 0) profile_.sent.push_back({type_->first + index_, type->first + index, weight});
  }

  void add_anywhere(double weight) override {
    check(weight);
    if (profile_.anywhere.empty()) profile_.anywhere.resize(profile_.work.size());
    profile_.anywhere[type_->first + index_] += weight;
  }

  void check(double weight) const {
    if (!(weight >= 0) || std::isinf(weight))
      throw InputError(who() + ": a weight is " + format_real(weight) +
                       "; weights are finite and not negative");
  }
  std::string who() const {
    return "neighbours of " + std::string(type_->name()) + " " + std::to_string(index_);
  }

  const std::vector<LpTypeEntry>& types_;
  Profile& profile_;
  const LpTypeEntry* type_ = nullptr;  // who is asked
  std::uint32_t index_ = 0;
};

}  // namespace

std::optional<Profile> declared_profile(const std::vector<LpTypeEntry>& types, std::size_t most) {
  if (std::none_of(types.begin(), types.end(), [](const LpTypeEntry& t) { return t.ops->neighbours; }))
    return std::nullopt;
  Profile profile;
  const Loads loads(types);
  for (const LpTypeEntry& type : types)
    for (std::uint32_t k = 0; k < type.count; ++k) profile.work.push_back(loads.of(type, k));
  Collector collector(types, profile);
  for (const LpTypeEntry& type : types)
    if (type.ops->neighbours)
      for (std::uint32_t k = 0; k < type.count; ++k) {
        collector.ask(type, k);
        if (profile.sent.size() > most) return std::nullopt;
      }
  return profile;
}

Profile declared_profile(const std::vector<LpTypeEntry>& types) {
  auto profile = declared_profile(types, std::numeric_limits<std::size_t>::max());
  if (!profile)
    throw InputError(
        "--partition metis has to know which LPs send to each other: give an LP type a `static void "
        "neighbours(..)`, or let a short run tell: the command `partition` with --profile-until T --out "
        "FILE, "
        "then --partition FILE");
  return std::move(*profile);
}

}  // namespace anachron::partition
