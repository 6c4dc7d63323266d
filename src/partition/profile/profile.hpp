// What a partition is made of: how much each LP has to do, and how much it sends to which others. Declared by
// the model, or counted in a short run (Wang et al. 2013, section 3.3; Bachan et al. 2024, section 5.2).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::partition {

/// What one LP sends to another one, or to itself.
struct Sent {
  LpId from = 0, to = 0;
  double weight = 0;  ///< events

  friend bool operator==(const Sent&, const Sent&) = default;
};

/// What one LP sends to `count` LPs from `first` on, all alike.
struct Spread {
  LpId from = 0, first = 0;
  std::uint32_t count = 0;
  double weight = 0;  ///< events to all of them together

  friend bool operator==(const Spread&, const Spread&) = default;
};

struct Profile {
  std::vector<double> work;    ///< events of each LP
  std::vector<Sent> sent;      ///< in any order; the same pair may come twice
  std::vector<Spread> spread;  ///< what goes to ranges of LPs, by the LP that sends; empty when counted

  friend bool operator==(const Profile&, const Profile&) = default;
};

/// What the LP types declare: `load` and `neighbours`. Throws InputError when no type declares neighbours, or
/// for impossible ones.
Profile declared_profile(const std::vector<event::LpTypeEntry>& types);
/// The same; none when no type declares neighbours, or when METIS would see more than `most` of them.
std::optional<Profile> declared_profile(const std::vector<event::LpTypeEntry>& types, std::size_t most);

}  // namespace anachron::partition
