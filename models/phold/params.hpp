// The options of PHOLD.
#pragma once

#include <cstdint>

#include <anachron/model/params.hpp>

namespace anachron::models::phold {

enum class Receiver { uniform, torus, gaussian, hierarchical };
enum class Undo { copy, reverse, log };
enum class Payload { none, b64, b256, b1024 };
enum class State { none, b64, b256, b1024, b4096 };

struct Params {
  std::uint32_t lps = 1024;
  double events_per_lp = 16;
  double mean = 1.0;
  double lookahead = 0.0;
  Receiver receiver = Receiver::uniform;
  double remote = 1.0;
  double regional = 0.0;
  std::uint32_t range = 100;
  double sigma = 100.0;
  std::uint32_t local_size = 64;
  std::uint32_t region_size = 256;
  std::uint64_t epg = 0;
  Payload payload = Payload::none;
  State state = State::none;
  Undo undo = Undo::copy;

  static void describe(Describe<Params>& d) {
    d(&Params::lps, "Players").at_least(1);
    d(&Params::events_per_lp, "Balls per player, on average").above(0).at_most(1e6);
    d(&Params::mean, "Mean of the exponential part of a delay").at_least(0);
    d(&Params::lookahead, "Least delay, added to the exponential part").at_least(0);
    d(&Params::receiver, "How a receiver is chosen")
        .choices({{"uniform", Receiver::uniform},
                  {"torus", Receiver::torus},
                  {"gaussian", Receiver::gaussian},
                  {"hierarchical", Receiver::hierarchical}});
    d(&Params::remote,
      "uniform: share of throws to any player, the others to oneself; hierarchical: to another region")
        .at_least(0)
        .at_most(1);
    d(&Params::regional, "hierarchical: share of throws to another block of the region")
        .at_least(0)
        .at_most(1);
    d(&Params::range, "torus: receivers lie less than half of this to either side").at_least(2);
    d(&Params::sigma, "gaussian: standard deviation of the distance").above(0).at_most(1e300);
    d(&Params::local_size, "hierarchical: players per block").at_least(1);
    d(&Params::region_size, "hierarchical: players per region").at_least(1);
    d(&Params::epg, "Event granularity: steps of busy work per event, about 1 ns each");
    d(&Params::payload, "Bytes that a ball carries")
        .choices(
            {{"0", Payload::none}, {"64", Payload::b64}, {"256", Payload::b256}, {"1024", Payload::b1024}});
    d(&Params::state, "Bytes of state that a player has besides its counter")
        .choices({{"0", State::none},
                  {"64", State::b64},
                  {"256", State::b256},
                  {"1024", State::b1024},
                  {"4096", State::b4096}});
    d(&Params::undo, "How a throw is rolled back")
        .choices({{"copy", Undo::copy}, {"reverse", Undo::reverse}, {"log", Undo::log}});
  }
};

/// What the parameters cannot say one by one. Throws InputError.
void check(const Params& params);

}  // namespace anachron::models::phold
