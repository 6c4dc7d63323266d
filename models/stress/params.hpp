// The options of the model of hard cases.
#pragma once

#include <cstdint>

#include <anachron/model/params.hpp>

namespace anachron::models::stress {

enum class Kind { laggard, burst, tide, slope, hotspot };

struct Params {
  Kind kind = Kind::laggard;
  std::uint32_t lps = 10'000;
  std::uint32_t factor = 1000;
  std::uint64_t work = 50'000;

  static void describe(Describe<Params>& d) {
    d(&Params::kind, "What the stress is")
        .choices({{"laggard", Kind::laggard},
                  {"burst", Kind::burst},
                  {"tide", Kind::tide},
                  {"slope", Kind::slope},
                  {"hotspot", Kind::hotspot}});
    d(&Params::lps, "LPs").at_least(2);
    d(&Params::factor,
      "laggard: its steps per unit of time; burst: events that one event leads to; tide: how much denser "
      "events are at high tide; slope: events that go down for each that comes back; hotspot: units of time "
      "until it moves")
        .at_least(1);
    d(&Params::work, "laggard: steps of busy work per step, about 1 ns each; hotspot: per hundred events");
  }
};

}  // namespace anachron::models::stress
