// Over ranks a session is used by all of them alike: whether it is.
//
// What is called must be the same on all ranks, or some would wait for what never comes. So before each step
// the ranks compare what they have been asked for. Scheduling an event is a matter of one rank: it is only
// noted, and compared with the next step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/time.hpp>
#include <anachron/event/frame.hpp>

#include "comm/transport/exchange.hpp"

namespace anachron::engine {

/// Of one session. All that is referred to must outlive it.
class SameCalls {
 public:
  SameCalls(transport::Exchange& exchange, std::span<const event::LpTypeEntry> types)
      : exchange_(exchange), types_(types) {}

  /// An event is scheduled for LP number `index` of a type. There may be no such LP.
  struct Scheduled {
    const event::EventOps* event;
    std::size_t type;
    std::uint32_t index;
    Time time;
    Order among;
  };
  /// Throws as `meet`.
  void note(const Scheduled& call);

  /// The step `call` begins. Called by all ranks. Throws InputError, on all of them, when one has another
  /// call here or has scheduled something else since the last step. The error names both calls.
  void meet(const std::string& call);

 private:
  static constexpr std::size_t kMostNoted = 4096;  // then they are compared, and forgotten

  std::uint64_t hash() const;
  std::string text(const Scheduled& call) const;
  [[noreturn]] void throw_difference(const std::string& call);

  transport::Exchange& exchange_;
  const std::span<const event::LpTypeEntry> types_;
  std::vector<Scheduled> noted_;
};

}  // namespace anachron::engine
