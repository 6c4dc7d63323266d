#include "run/options/without_effect.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "comm/fabric/make_channels.hpp"
#include "pe/in_order.hpp"
#include "run/options/engine_options.hpp"

namespace anachron {

namespace {

/// Something that a run can be, and how a sentence says so.
struct Circumstance {
  bool (*holds)(const RunKind& run);
  std::string_view text;
};

constexpr Circumstance kSequential{[](const RunKind& run) { return run.config.sync == Sync::sequential; },
                                   "in a sequential run"};
constexpr Circumstance kConservative{[](const RunKind& run) { return run.config.sync == Sync::conservative; },
                                     "in a conservative run"};
constexpr Circumstance kOptimistic{[](const RunKind& run) { return pe::may_speculate(run.config); },
                                   "in an optimistic run"};
constexpr Circumstance kOneWorker{[](const RunKind& run) { return run.config.workers == 1u; },
                                  "with a single worker"};
constexpr Circumstance kOneWorkerInAll{
    [](const RunKind& run) { return kOneWorker.holds(run) && !pe::is_over_ranks(run.config); },
    "with a single worker"};
constexpr Circumstance kOnePe{
    [](const RunKind& run) { return run.config.pes == 1u && !pe::is_over_ranks(run.config); },
    "with a single processing element"};
constexpr Circumstance kOnePeOfRank{
    [](const RunKind& run) { return run.config.pes == 1u && pe::is_over_ranks(run.config); },
    "with a single processing element in a rank"};
constexpr Circumstance kOneQueue{
    [](const RunKind& run) { return !fabric::has_several_queues(run.config.channel); },
    "without inter-thread event queues (--channel iteq-locked, iteq-spinning, iteq-lock-free)"};
constexpr Circumstance kUnbounded{
    [](const RunKind& run) { return run.config.channel != Channel::iteq_lock_free; },
    "without --channel iteq-lock-free"};
constexpr Circumstance kNoGraph{[](const RunKind& run) {
                                  return run.config.partition != Partition::metis &&
                                         run.config.partition != Partition::automatic &&
                                         run.config.partition_file.empty();
                                },
                                "without --partition auto or metis"};
constexpr Circumstance kOneRank{[](const RunKind& run) { return !pe::is_over_ranks(run.config); },
                                "on a single rank"};
constexpr Circumstance kAlone{
    [](const RunKind& run) { return kOptimistic.holds(run) && pe::runs_in_order(run.config); },
    "with a single processing element, which has nothing to undo"};
// Nobody is put to sleep.
constexpr Circumstance kNoSleep{[](const RunKind& run) {
                                  return run.config.mapping == Mapping::fixed ||
                                         run.config.mapping == Mapping::dynamic;
                                },
                                "with --mapping fixed or dynamic"};
constexpr Circumstance kNoTimePerEvent{
    [](const RunKind& run) { return run.config.detector != Detector::apte; }, "without --detector apte"};
constexpr bool has_own_pes(Mapping mapping) {
  return mapping == Mapping::automatic || mapping == Mapping::ladm;
}
constexpr Circumstance kNoOrphans{[](const RunKind& run) { return !has_own_pes(run.config.mapping); },
                                  "without --mapping auto or ladm"};
constexpr Circumstance kNoChoice{
    [](const RunKind& run) { return kOneWorker.holds(run) && has_own_pes(run.config.mapping); },
    "with a single worker, without --mapping dynamic or adaptive"};
constexpr Circumstance kFixedMapping{[](const RunKind& run) { return run.config.mapping == Mapping::fixed; },
                                     "with --mapping fixed"};
constexpr Circumstance kUntraced{[](const RunKind& run) { return !run.config.trace.show; },
                                 "without --trace"};
constexpr Circumstance kOtherThrottle{
    [](const RunKind& run) { return run.config.throttle != Throttle::fixed; }, "without --throttle fixed"};

// The rollback check undoes events in every mode; a conservative run undoes those behind the one that stops
// it.
constexpr Circumstance kSequentialUnchecked{
    [](const RunKind& run) { return kSequential.holds(run) && !run.config.check_rollback; },
    kSequential.text};
constexpr Circumstance kConservativeToTheEnd{[](const RunKind& run) {
                                               return kConservative.holds(run) &&
                                                      !run.config.check_rollback && !run.model_may_stop;
                                             },
                                             "in a conservative run of a model that does not stop itself"};

// Known when the run is over.
constexpr Circumstance kNoStatistics{
    [](const RunKind& run) { return run.results && !run.results->has_statistics(); },
    "in a model without statistics"};
constexpr Circumstance kNoIntervals{
    [](const RunKind& run) { return run.results && !run.results->has_intervals(); },
    "in a single run of a model without batch means"};

constexpr Circumstance kNothingDrawn{[](const RunKind& run) { return run.nothing_to_draw; },
                                     "in a model that declares no plot and has no histogram or series"};

/// Null: none.
const Circumstance* circumstance(RunIs run_is) {
  switch (run_is) {
    case RunIs::anything:
      break;
    case RunIs::sequential:
      return &kSequential;
    case RunIs::conservative:
      return &kConservative;
    case RunIs::optimistic:
      return &kOptimistic;
    case RunIs::of_one_worker:
      return &kOneWorker;
    case RunIs::of_one_worker_in_all:
      return &kOneWorkerInAll;
    case RunIs::of_one_pe:
      return &kOnePe;
    case RunIs::of_one_pe_in_rank:
      return &kOnePeOfRank;
    case RunIs::without_queues:
      return &kOneQueue;
    case RunIs::without_bounded_queue:
      return &kUnbounded;
    case RunIs::without_graph:
      return &kNoGraph;
    case RunIs::on_one_rank:
      return &kOneRank;
    case RunIs::alone:
      return &kAlone;
    case RunIs::without_sleep:
      return &kNoSleep;
    case RunIs::without_apte:
      return &kNoTimePerEvent;
    case RunIs::without_orphans:
      return &kNoOrphans;
    case RunIs::without_choice:
      return &kNoChoice;
    case RunIs::fixed_mapping:
      return &kFixedMapping;
    case RunIs::without_trace:
      return &kUntraced;
    case RunIs::without_window:
      return &kOtherThrottle;
    case RunIs::sequential_unchecked:
      return &kSequentialUnchecked;
    case RunIs::conservative_to_the_end:
      return &kConservativeToTheEnd;
    case RunIs::without_statistics:
      return &kNoStatistics;
    case RunIs::without_intervals:
      return &kNoIntervals;
    case RunIs::without_pictures:
      return &kNothingDrawn;
  }
  return nullptr;
}

/// What keeps the option from having an effect; null: nothing.
const Circumstance* obstacle(const OptionFacts& facts, const RunKind& run) {
  for (const RunIs run_is : facts.no_effect)
    if (const Circumstance* const found = circumstance(run_is); found && found->holds(run)) return found;
  return nullptr;
}

}  // namespace

std::vector<std::string> notes_on_results(std::span<const std::string> set, const RunKind& run) {
  const std::vector<std::string> before = notes_on_options(set, {run.config, run.model_may_stop});
  std::vector<std::string> notes = notes_on_options(set, run);
  std::erase_if(notes, [&](const std::string& note) {
    return std::find(before.begin(), before.end(), note) != before.end();
  });
  return notes;
}

std::vector<std::string> notes_on_options(std::span<const std::string> set, const RunKind& run) {
  std::vector<std::string> notes(set.size());  // in the order of `set`
  const auto note = [&](const OptionFacts& facts, auto) {
    const auto at = std::find(set.begin(), set.end(), facts.name);
    if (at == set.end()) return;
    if (const Circumstance* const found = obstacle(facts, run))
      notes[static_cast<std::size_t>(at - set.begin())] =
          fmt::format("--{} has no effect {}", facts.name, found->text);
  };
  for_each_option(note);
  for_each_option_of_run(note);
  std::erase(notes, "");
  return notes;
}

}  // namespace anachron
