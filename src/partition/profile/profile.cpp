#include "partition/profile/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/neighbours.hpp>

#include "partition/graph/sample.hpp"
#include "partition/profile/loads.hpp"

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
    const LpId to = id_of(ops, index);
    if (weight > 0) profile_.sent.push_back({self(), to, weight});
  }

  void add_range_of(const event::LpOps& ops, std::uint32_t first, std::uint32_t count,
                    double weight) override {
    check(weight);
    if (count == 0) return;
    const LpId to = id_of(ops, first);
    id_of(ops, std::uint64_t{first} + count - 1);
    if (weight > 0) profile_.spread.push_back({self(), to, count, weight});
  }

  void add_anywhere(double weight) override {
    check(weight);
    if (weight > 0)
      profile_.spread.push_back({self(), 0, static_cast<std::uint32_t>(profile_.work.size()), weight});
  }

  LpId id_of(const event::LpOps& ops, std::uint64_t index) const {
    const auto type =
        std::find_if(types_.begin(), types_.end(), [&](const LpTypeEntry& t) { return t.ops == &ops; });
    if (type == types_.end())
      throw InputError(who() + ": LP type " + std::string(ops.name) + " is not in the simulation");
    if (index >= type->count)
      throw InputError(who() + ": there is no " + std::string(type->name()) + " " + std::to_string(index) +
                       "; there are " + std::to_string(type->count));
    return type->first + static_cast<std::uint32_t>(index);
  }

  void check(double weight) const {
    if (!(weight >= 0) || std::isinf(weight))
      throw InputError(who() + ": a weight is " + format_real(weight) +
                       "; weights are finite and not negative");
  }
  LpId self() const { return type_->first + index_; }
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
  std::size_t drawn = 0;
  for (const LpTypeEntry& type : types)
    if (type.ops->neighbours)
      for (std::uint32_t k = 0; k < type.count; ++k) {
        const std::size_t before = profile.spread.size();
        collector.ask(type, k);
        drawn += draws_of(std::span(profile.spread).subspan(before), profile.work.size());
        if (profile.sent.size() + drawn > most) return std::nullopt;
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
