#include "observe/flight/timeline.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace anachron::observe {
namespace {

using topo::Phase;

enum Name : std::uint32_t {
  // Slices, of phases in their order.
  kBatch,
  kMessages,
  kRollback,
  kRounds,
  kCommit,
  kWaiting,
  kAsleep,
  // Others.
  kCoreSwap,
  kStraggler,
  // Notes.
  kPe,
  kEvents,
  kUndone,
  kBackTo,
  kReceiver,
  kSender,
  kRollbacks,
  kShare,
};
constexpr std::array<std::string_view, kShare + 1> kNames{
    "batch",   "messages",  "rollback",  "GVT round", "commit",       "waiting",
    "asleep",  "core swap", "straggler", "PE",        "events",       "events undone",
    "back to", "receiver",  "sender",    "rollbacks", "share of time"};

constexpr std::array<std::string_view, kRoundFigures> kCounterNames{
    "GVT", "horizon", "committed events", "efficiency", "memory", "active workers"};

std::uint64_t boot_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

PerfettoWriter::Unit unit_of(RoundFigure figure) {
  return figure == RoundFigure::memory      ? PerfettoWriter::Unit::bytes
         : figure == RoundFigure::committed ? PerfettoWriter::Unit::count
                                            : PerfettoWriter::Unit::none;
}

/// Finite times only: a counter has no place for others.
bool is_shown(Time time) { return time < kForever; }

}  // namespace

Timeline::Timeline(const TimelineOf& of, const topo::TickLength& tick, std::uint64_t limit)
    : of_(of),
      ns_per_tick_(tick.seconds() * 1e9),
      first_tick_(topo::ticks()),
      first_ns_(boot_ns()),
      out_(of.rank + 1, kNames),
      detail_(limit),
      pes_(of.pes) {
  out_.process(process(), ::getpid(),
               of.has_ranks ? fmt::format("anachron, rank {}", of.rank) : std::string("anachron"));
  int order = 0;
  out_.track(rounds_track(), process(), "GVT", order++);
  for (std::size_t figure = 0; figure < kRoundFigures; ++figure)
    out_.counter_track(round_counter(static_cast<RoundFigure>(figure)), process(), kCounterNames[figure],
                       unit_of(static_cast<RoundFigure>(figure)));
  for (std::size_t worker = 0; worker < of.recorder.workers(); ++worker) {
    lanes_.push_back({LaneReader(worker)});
    out_.track(worker_track(worker), process(), fmt::format("worker {}", worker), order++);
  }
}

std::uint64_t Timeline::nanoseconds(std::uint64_t ticks) const {
  const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - first_tick_));
  return first_ns_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(since * ns_per_tick_));
}

std::uint64_t Timeline::round_counter(RoundFigure figure) const {
  return rounds_track() + 1 + static_cast<std::uint64_t>(figure);
}

void Timeline::collect() {
  std::vector<Interval> intervals;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    Lane& from = lanes_[lane];
    records_.clear();
    const std::uint64_t end = of_.recorder.ring(lane).read(from.read, records_);
    const bool are_some_missing = end - from.read > records_.size();
    from.read = end;
    from.reader.read(records_, are_some_missing, intervals);
  }
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.end < b.end; });
  for (const Interval& interval : intervals) show(interval);
  collect_rounds();
}

/// Shows those of the call before, as all workers' parts in them are known by now.
void Timeline::collect_rounds() {
  for (const RoundInterval& round : std::exchange(rounds_, {})) show_round(round);
  rounds_read_ = of_.recorder.ring(lanes_.size()).read(rounds_read_, round_records_);
  const std::size_t used = read_rounds(round_records_, rounds_);
  round_records_.erase(round_records_.begin(), round_records_.begin() + static_cast<std::ptrdiff_t>(used));
}

void Timeline::finish() {
  std::vector<Interval> intervals;
  for (Lane& lane : lanes_) lane.reader.finish(intervals);
  for (const Interval& interval : intervals) show(interval);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) show_merged(lane);
  for (const RoundInterval& round : std::exchange(rounds_, {})) show_round(round);
}

void Timeline::show(const Interval& interval) {
  detail_.note_bytes(out_.bytes());
  if (interval.phase == Phase::rounds) cuts_.push_back(interval.begin);
  const bool is_alone = detail_.shows_all() || (interval.undone && detail_.shows_rollbacks());
  const std::uint64_t flow = is_alone ? begin_flow(interval) : 0;
  show_on_worker(interval, flow);
  if (interval.pe) show_on_pe(interval, flow);
}

/// The arrow begins at the last batch of the PE that owned the straggler's sender. The straggler is of that
/// batch or of one not long before: a PE hands over what it has sent after each batch. Returns the number of
/// the arrow that begins there; 0: there is none.
std::uint64_t Timeline::begin_flow(const Interval& interval) {
  if (!interval.undone || !interval.undone->owner) return 0;
  const std::size_t pe = std::size_t{*interval.undone->owner} - of_.first_pe;
  if (pe >= pes_.size() || pes_[pe].batch_end == 0) return 0;
  const std::uint64_t flow = process() + ++flows_;
  out_.instant(pe_slices(pe), nanoseconds(std::min(pes_[pe].batch_end, interval.begin)), kStraggler, flow);
  return flow;
}

void Timeline::show_on_worker(const Interval& interval, std::uint64_t flow) {
  Lane& lane = lanes_[interval.lane];
  if (!detail_.shows_all()) return merge(lane, interval);
  show_merged(interval.lane);
  show_slice(worker_track(interval.lane), interval, flow);
  if (interval.ends_swap) out_.instant(worker_track(interval.lane), nanoseconds(interval.end), kCoreSwap);
}

void Timeline::show_on_pe(const Interval& interval, std::uint64_t flow) {
  PeTrack& track = pe_track(*interval.pe);
  const bool is_batch = interval.phase == Phase::execution;
  if (detail_.shows_all() ? is_batch || interval.undone : interval.undone && detail_.shows_rollbacks())
    show_slice(pe_slices(*interval.pe), interval, flow);
  if (is_batch) track.batch_end = interval.end;
  if (!interval.reached || !is_shown(*interval.reached)) return;
  const std::uint64_t now = nanoseconds(interval.end);
  if (now - track.counted < detail_.grain_ns()) return;
  track.counted = now;
  out_.counter(pe_time(*interval.pe), now, *interval.reached);
}

void Timeline::show_slice(std::uint64_t track, const Interval& interval, std::uint64_t flow) {
  std::array<PerfettoWriter::Note, 5> notes;
  std::size_t count = 0;
  std::string receiver, sender;
  const auto note = [&](const PerfettoWriter::Note& what) { notes[count++] = what; };
  if (interval.pe) note({.name = kPe, .count = of_.first_pe + *interval.pe});
  if (interval.executed > 0) note({.name = kEvents, .count = interval.executed});
  if (const auto& undone = interval.undone) {
    note({.name = kUndone, .count = undone->events});
    note({.name = kBackTo, .real = undone->to});
    if (undone->has_straggler) {
      note({.name = kReceiver, .text = receiver = of_.lps.name(undone->receiver)});
      sender = undone->sender < of_.lps.size() ? of_.lps.name(undone->sender) : "outside";
      note({.name = kSender, .text = sender});
    }
  }
  out_.begin(track, nanoseconds(interval.begin), static_cast<std::uint32_t>(interval.phase),
             std::span(notes).first(count), flow);
  out_.end(track, nanoseconds(interval.end));
}

void Timeline::merge(Lane& lane, const Interval& interval) {
  if (lane.merged && lane.merged->end != interval.begin) show_merged(interval.lane);
  if (!lane.merged) lane.merged = Merged{.begin = interval.begin};
  Merged& merged = *lane.merged;
  merged.end = interval.end;
  merged.spent[interval.phase] += interval.end - interval.begin;
  merged.executed += interval.executed;
  if (interval.undone) {
    ++merged.rollbacks;
    merged.undone += interval.undone->events;
  }
  if (nanoseconds(merged.end) - nanoseconds(merged.begin) >= detail_.grain_ns()) show_merged(interval.lane);
}

/// Called by the phase that took most of it.
void Timeline::show_merged(std::size_t lane) {
  std::optional<Merged>& merged = lanes_[lane].merged;
  if (!merged) return;
  const auto most = std::max_element(merged->spent.of.begin(), merged->spent.of.end());
  const double share = static_cast<double>(*most) / static_cast<double>(merged->end - merged->begin);
  const std::array<PerfettoWriter::Note, 4> notes{{{.name = kShare, .real = share},
                                                   {.name = kEvents, .count = merged->executed},
                                                   {.name = kRollbacks, .count = merged->rollbacks},
                                                   {.name = kUndone, .count = merged->undone}}};
  out_.begin(worker_track(lane), nanoseconds(merged->begin),
             static_cast<std::uint32_t>(std::distance(merged->spent.of.begin(), most)), notes);
  out_.end(worker_track(lane), nanoseconds(merged->end));
  merged.reset();
}

/// When the first PE's part in the round began, in ticks.
std::optional<std::uint64_t> Timeline::begin_of(const RoundInterval& round) {
  std::optional<std::uint64_t> begin;
  std::erase_if(cuts_, [&](std::uint64_t cut) {
    if (cut >= round.end) return false;
    if (cut >= previous_round_ && (!begin || cut < *begin)) begin = cut;
    return true;
  });
  previous_round_ = round.end;
  return begin;
}

void Timeline::show_round(const RoundInterval& round) {
  const std::optional<std::uint64_t> begin = begin_of(round);
  const std::uint64_t now = nanoseconds(round.end);
  if (now - last_round_ns_ < detail_.grain_ns()) return;
  last_round_ns_ = now;
  if (begin) {
    out_.begin(rounds_track(), nanoseconds(*begin), kRounds, {});
    out_.end(rounds_track(), now);
  }
  for (const RoundFigure figure : {RoundFigure::gvt, RoundFigure::horizon})
    if (is_shown(round.time(figure))) out_.counter(round_counter(figure), now, round.time(figure));
  for (const RoundFigure figure : {RoundFigure::committed, RoundFigure::memory, RoundFigure::active_workers})
    out_.counter(round_counter(figure), now, static_cast<double>(round.count(figure)));
  const std::uint64_t committed = round.count(RoundFigure::committed) - last_committed_,
                      executed = round.count(RoundFigure::executed) - last_executed_;
  last_committed_ += committed;
  last_executed_ += executed;
  if (executed > 0)
    out_.counter(round_counter(RoundFigure::executed), now,
                 std::min(1.0, static_cast<double>(committed) / static_cast<double>(executed)));
}

Timeline::PeTrack& Timeline::pe_track(std::size_t pe) {
  PeTrack& track = pes_[pe];
  if (!std::exchange(track.is_known, true)) {
    const std::size_t id = of_.first_pe + pe;
    out_.track(pe_slices(pe), process(), fmt::format("PE {}", id),
               static_cast<std::int32_t>(of_.recorder.workers() + 1 + pe));
    out_.counter_track(pe_time(pe), process(), fmt::format("virtual time of PE {}", id),
                       PerfettoWriter::Unit::none);
  }
  return track;
}

}  // namespace anachron::observe
