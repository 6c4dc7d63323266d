#include "run/options/without_effect.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "comm/fabric/make_channels.hpp"
#include "pe/parts/in_order.hpp"

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

/// The option has no effect in this circumstance.
struct Rule {
  std::string_view option;
  Circumstance circumstance;
};

/// Of several that hold for an option the first is told. An option that is not here always has an effect, or
/// is refused where it has none.
constexpr Rule kRules[] = {
    {"mapping", kSequential},
    {"mapping", kOnePe},
    {"channel", kSequential},
    {"channel", kOnePe},
    {"channel", kOnePeOfRank},
    {"channel-queues", kSequential},
    {"channel-queues", kOnePe},
    {"channel-queues", kOnePeOfRank},
    {"channel-queues", kOneQueue},
    {"channel-capacity", kSequential},
    {"channel-capacity", kOnePe},
    {"channel-capacity", kOnePeOfRank},
    {"channel-capacity", kUnbounded},
    {"events", kSequential},
    {"events", kOnePe},
    {"events", kOnePeOfRank},
    {"numa", kSequential},
    {"numa", kOneWorker},
    {"detector", kSequential},
    {"detector", kOneWorker},
    {"detector", kNoSleep},
    {"detection-interval", kSequential},
    {"detection-interval", kOneWorker},
    {"detection-interval", kNoSleep},
    {"reactivation", kSequential},
    {"reactivation", kOneWorker},
    {"reactivation", kNoSleep},
    {"core-swap", kSequential},
    {"core-swap", kOneWorker},
    {"bind", kSequential},
    {"bind", kOneWorker},
    {"partition", kSequential},
    {"partition", kOnePe},
    {"levels", kSequential},
    {"levels", kOnePe},
    {"levels", kNoGraph},
    {"levels", kOneRank},
    {"comm", kOneRank},
    {"message-size", kOneRank},
    {"consolidation", kOneRank},
    {"polling-period", kOneRank},
    {"emulate-latency", kOneRank},
    {"rollback", kSequentialUnchecked},
    {"rollback", kConservativeToTheEnd},
    {"rollback", kAlone},
    {"checkpoint-interval", kSequentialUnchecked},
    {"checkpoint-interval", kConservativeToTheEnd},
    {"checkpoint-interval", kAlone},
    {"throttle", kSequential},
    {"throttle", kConservative},
    {"throttle", kAlone},
    {"window", kSequential},
    {"window", kConservative},
    {"window", kAlone},
    {"window", kOtherThrottle},
    {"batch", kSequential},
    {"batch", kAlone},
    {"gvt", kSequential},
    {"gvt", kAlone},
    {"gvt-interval", kSequential},
    {"gvt-interval", kAlone},
    {"lps-per-group", kSequentialUnchecked},
    {"lps-per-group", kConservativeToTheEnd},
    {"lps-per-group", kAlone},
    {"cancellation", kSequential},
    {"cancellation", kConservativeToTheEnd},
    {"cancellation", kAlone},
    {"history", kSequential},
    {"history", kConservative},
    {"run-lookahead", kSequential},
    {"run-lookahead", kOptimistic},
    {"test-chaos", kSequential},
    {"warm-up", kNoStatistics},
    {"confidence", kNoStatistics},
    {"confidence", kNoIntervals},
    {"plot", kNothingDrawn},
    {"trace-lp", kUntraced},
    {"trace-from", kUntraced},
    {"trace-to", kUntraced},
};

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
  std::vector<std::string> notes;
  for (const std::string& name : set) {
    const auto* const rule = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) {
      return r.option == name && r.circumstance.holds(run);
    });
    if (rule != std::end(kRules))
      notes.push_back(fmt::format("--{} has no effect {}", name, rule->circumstance.text));
  }
  return notes;
}

}  // namespace anachron
