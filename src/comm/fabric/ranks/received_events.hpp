// The copies that a PE has of events that others have made, by sender and by match id. A cancellation finds
// its event here, where sender and receiver do not share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <anachron/event/header.hpp>

#include "comm/fabric/fabric.hpp"
#include "comm/fabric/match_table.hpp"

namespace anachron::fabric {

/// Of one PE.
class ReceivedEvents {
 public:
  /// `pes`: that there may be senders of.
  explicit ReceivedEvents(std::size_t pes) : tables_(pes) {}

  /// Throws std::bad_alloc, std::logic_error when an event with that id is there.
  void insert(event::EventHeader& copy) {
    auto& table = tables_[copy.match.pe()];
    if (!table) table = std::make_unique<MatchTable>();
    table->insert(copy, probes_.insertion_probes);
  }
  /// The event that is cancelled. Throws std::logic_error when it is not there.
  event::EventHeader& find(event::MatchId match) {
    const auto& table = tables_[match.pe()];
    ++probes_.lookups;
    event::EventHeader* const e = table ? table->find(match.value, probes_.lookup_probes) : nullptr;
    if (!e) throw std::logic_error("anachron: internal error: a cancellation without its event");
    return *e;
  }
  /// The event is about to be dropped. What is not there is let be.
  void forget(const event::EventHeader& e) {
    const auto& table = tables_[e.match.pe()];
    if (!table) return;
    ++probes_.lookups;
    table->erase(e.match.value, probes_.lookup_probes);
  }
  const Probes& probes() const { return probes_; }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& table : tables_)
      if (table) sum += table->bytes();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<MatchTable>> tables_;  // by sender
  Probes probes_;
};

}  // namespace anachron::fabric
