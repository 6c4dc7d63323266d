// What a session keeps of its run for exact what-if.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>

#include "observe/event_log.hpp"
#include "replay/recorded.hpp"

namespace anachron::engine {

struct KeptRun {
  /// Of a session that is at this time, and has or has not executed events at that time. `most_bytes`: of the
  /// logs of its PEs. Throws InputError when an LP type cannot be copied.
  KeptRun(const lp::LpStore& lps, unsigned pes, std::uint64_t most_bytes, Time now, bool now_is_reached)
      : room(most_bytes), beginning(lps), since(now), until(now), is_reached(now_is_reached) {
    for (unsigned pe = 0; pe < pes; ++pe) logs.push_back(std::make_unique<observe::EventLog>(room));
  }

  /// Why there is nothing to execute variants from; empty: there is.
  std::string lost() const;

  observe::LogRoom room, room_of_scheduled{~std::uint64_t{0}};
  std::vector<std::unique_ptr<observe::EventLog>> logs;  // of the PEs
  observe::EventLog scheduled{room_of_scheduled};        // what came from outside, in the order of its counts
  replay::Beginning beginning;
  Time since, until;        // all from the one to before the other is kept
  bool is_reached;          // events at `since` are not kept
  bool has_all = true;      // all that came from outside is in `scheduled`
  bool was_halted = false;  // some stretch was stopped or interrupted
};

}  // namespace anachron::engine
