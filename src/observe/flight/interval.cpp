#include "observe/flight/interval.hpp"

#include <utility>

namespace anachron::observe {

using topo::FlightRecord;

void LaneReader::read(std::span<const FlightRecord> records, bool are_some_missing,
                      std::vector<Interval>& out) {
  if (are_some_missing) {
    finish(out);
    last_.reset();
    undone_.reset();
  }
  for (const FlightRecord& record : records) {
    switch (record.kind) {
      case FlightRecord::Kind::start:
        finish(out);
        last_ = record.value;
        break;
      case FlightRecord::Kind::phase:
        add_phase(record, out);
        break;
      case FlightRecord::Kind::reached:
        if (kept_) kept_->reached = record.time();
        break;
      case FlightRecord::Kind::undone:
        undone_ = Undone{.events = record.count, .to = record.time()};
        break;
      case FlightRecord::Kind::culprit:
        if (!undone_) break;
        undone_->has_straggler = true;
        undone_->receiver = static_cast<LpId>(record.value >> 32);
        undone_->sender = static_cast<LpId>(record.value);
        if (record.count > 0) undone_->owner = static_cast<PeId>(record.count - 1);
        break;
      case FlightRecord::Kind::swap:
        if (kept_) kept_->ends_swap = true;
        break;
      case FlightRecord::Kind::round:
      case FlightRecord::Kind::figure:
        break;  // of another ring
    }
  }
}

void LaneReader::add_phase(const FlightRecord& record, std::vector<Interval>& out) {
  finish(out);
  const auto phase = static_cast<topo::Phase>(record.what);
  std::optional<Undone> undone;
  if (phase == topo::Phase::rollback) undone = std::exchange(undone_, std::nullopt);
  const std::optional<std::uint64_t> begin = std::exchange(last_, record.value);
  if (!begin || *begin >= record.value) return;
  kept_ = Interval{.begin = *begin,
                   .end = record.value,
                   .lane = lane_,
                   .phase = phase,
                   .pe = record.place > 0 ? std::optional<std::size_t>(record.place - 1u) : std::nullopt,
                   .executed = record.count,
                   .undone = undone};
}

void LaneReader::finish(std::vector<Interval>& out) {
  if (kept_) out.push_back(*kept_);
  kept_.reset();
}

std::size_t read_rounds(std::span<const FlightRecord> records, std::vector<RoundInterval>& out) {
  std::size_t used = 0;
  for (std::size_t at = 0; at + kRoundFigures < records.size();) {
    if (records[at].kind != FlightRecord::Kind::round) {  // its beginning is lost
      used = ++at;
      continue;
    }
    RoundInterval round{.end = records[at].value, .number = records[at].count};
    for (std::size_t figure = 0; figure < kRoundFigures; ++figure)
      round.figures[figure] = records[at + 1 + figure].value;
    out.push_back(round);
    used = at += 1 + kRoundFigures;
  }
  return used;
}

}  // namespace anachron::observe
