#include "run/options/engine_options.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/parse.hpp>

#include "run/trace_file.hpp"

namespace anachron {

namespace {

constexpr std::string_view kAuto = "auto";

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class Enum>
std::vector<std::string> spellings() {
  std::vector<std::string> names;
  for (const auto& [name, value] : Spelling<Enum>::names) names.emplace_back(name);
  return names;
}

template <class T>
T parse_option(const std::string& name, const std::string& text) {
  if constexpr (std::is_enum_v<T>) {
    for (const auto& [spelling, value] : Spelling<T>::names)
      if (spelling == text) return value;
    throw bad_choice(name, text, spellings<T>());
  } else {
    return parse_value<T>(name, text);
  }
}

template <class T>
std::string option_text(const T& value) {
  if constexpr (IsOptional<T>::value)
    return value ? option_text(*value) : std::string(kAuto);
  else if constexpr (std::is_enum_v<T>)
    return std::string(to_string(value));
  else
    return format_value(value);
}

/// An option bound to `target`: an enumeration, a number, a text, a switch, or an optional one of these, for
/// which "auto" leaves the choice to the engine.
template <class T>
Option bound(T& target, std::string name, std::string hint, std::string help) {
  Option option;
  if constexpr (IsOptional<T>::value) {
    using Value = typename T::value_type;
    if constexpr (std::is_enum_v<Value>) option.choices = spellings<Value>();
    option.set = [&target, name](const std::string& text) {
      target = text == kAuto ? std::nullopt : T(parse_option<Value>(name, text));
    };
  } else {
    if constexpr (std::is_enum_v<T>) option.choices = spellings<T>();
    option.set = [&target, name](const std::string& text) { target = parse_option<T>(name, text); };
  }
  if (!option.choices.empty()) hint = fmt::format("{}", fmt::join(option.choices, "|"));
  option.name = std::move(name);
  option.help = std::move(help);
  option.hint = std::move(hint);
  option.text = [&target] { return option_text(target); };
  if (!option.is_switch()) option.default_text = option.text();
  return option;
}

/// A time that may be "inf".
Option time_option(Time& time, std::string name, std::string help) {
  Option option = bound(time, name, "T", std::move(help));
  option.set = [&time, name](const std::string& text) {
    time = text == "inf" ? kForever : parse_value<Time>(name, text);
  };
  return option;
}

Option sync_option(std::optional<Sync>& sync) {
  Option option =
      bound(sync, "sync", "",
            "One event after the other; optimistically in parallel (Time Warp); in parallel without ever "
            "going back, for models with lookahead; or what of these two is found to be faster");
  option.default_text = "auto; sequential on a single core";
  return option;
}

Option memory_option(std::optional<std::uint64_t>& memory) {
  Option option = bound(memory, "memory", "SIZE",
                        "What LPs, events and histories may take together; near it optimism is taken back");
  option.set = [&memory](const std::string& text) {
    constexpr std::uint64_t kLeast = 64 << 10;  // less is a slip
    memory = text == kAuto ? std::nullopt
                           : std::optional(detail::named("memory", [&text] { return parse_size(text); }));
    if (memory && *memory < kLeast) throw bad_value("memory", text, "at least 64KiB");
  };
  option.text = [&memory] { return memory ? format_size(*memory) : std::string(kAuto); };
  option.default_text = "80% of what is available when the run starts";
  return option;
}

Option message_size_option(std::optional<std::uint64_t>& size) {
  Option option = bound(size, "message-size", "SIZE", "What a message between ranks holds at most");
  option.set = [&size](const std::string& text) {
    size = text == kAuto ? std::nullopt
                         : std::optional(detail::named("message-size", [&text] { return parse_size(text); }));
  };
  option.text = [&size] { return size ? format_size(*size) : std::string(kAuto); };
  option.default_text = "what was measured to be good";
  return option;
}

/// A name, or a file, which has a dot or a slash in its path.
Option partition_option(Config& config) {
  Option option = bound(config.partition, "partition", "", "How LPs are dealt to processing elements");
  option.hint += "|FILE";
  option.set = [&config, names = option.choices](const std::string& text) {
    if (text.find_first_of("./") != std::string::npos) {
      config.partition_file = text;
      return;
    }
    std::vector<std::string> valid = names;
    valid.emplace_back("the path of a file, as ./FILE");
    if (std::find(names.begin(), names.end(), text) == names.end())
      throw bad_choice("partition", text, valid);
    config.partition = parse_option<Partition>("partition", text);
    config.partition_file.clear();
  };
  option.text = [&config] {
    return config.partition_file.empty() ? option_text(config.partition) : config.partition_file;
  };
  return option;
}

Option trace_lps_option(std::vector<TracedLps>& lps) {
  Option option;
  option.name = "trace-lp";
  option.hint = "TYPE:FIRST-LAST";
  option.help = "LPs whose events are traced, e.g. Player:17; may be repeated; without it all are";
  option.is_list = true;
  option.set = [&lps](const std::string& text) { lps = parse_traced_lps(text); };
  option.text = [&lps] { return format_traced_lps(lps); };
  return option;
}

}  // namespace

bool is_for_one_run(const Option& option) {
  return option.name == "report" || option.name == "out" || option.name == "plot" || option.name == "trace" ||
         option.name == "replications";
}

std::vector<GroupedOption> engine_options(RunOptions& options) {
  Config& config = options.config;
  std::vector<GroupedOption> out;
  const auto group = [&out](std::string_view title) {
    return [&out, title](Option option) { out.push_back({std::string(title), std::move(option)}); };
  };
  const auto with_default = [](Option option, std::string text) {
    option.default_text = std::move(text);
    return option;
  };

  const auto experiment = group("Experiment (what is simulated)");
  experiment(time_option(config.until, "until", "End time: exactly the events before it are committed"));
  experiment(bound(config.seed, "seed", "S", "Seed of all random numbers"));
  experiment(bound(config.tie_seed, "tie-seed", "S", "Seed of the order of simultaneous events"));
  experiment(bound(options.replications, "replications", "N",
                   "Run with the N seeds S to S+N-1 from --seed S on, and tell means with intervals"));
  experiment(bound(config.warm_up, "warm-up", "T", "Statistics do not count what is before this time"));
  experiment(bound(config.confidence, "confidence", "P", "Confidence of the intervals in the results"));

  const auto engine = group("Engine (speed only, never the results)");
  engine(sync_option(config.sync));
  engine(
      with_default(bound(config.workers, "workers", "N", "Threads"), "one per usable core; 1 if sequential"));
  engine(with_default(bound(config.pes, "pes", "N", "Processing elements, at least one per worker"),
                      "one per worker"));
  engine(bound(
      config.mapping, "mapping", "",
      "Which worker runs which processing element; auto: as many workers as pay, found out while running"));
  engine(
      bound(config.detector, "detector", "",
            "What finds out that others use a worker's core: its time per event, how soon it gets the core "
            "back, or the system's own account"));
  engine(with_default(bound(config.detection_interval, "detection-interval", "N",
                            "Events of a worker between two looks for that"),
                      "a quarter of the GVT interval"));
  engine(bound(config.reactivation, "reactivation", "",
               "A worker that was put to sleep comes back: now and then, or when its core is free"));
  engine(bound(config.core_swap, "core-swap", "",
               "A worker that is ahead gives its core to one that others have stopped, and one that is alone "
               "takes turns with a second one; auto: with --mapping auto, where the workers are bound to all "
               "cores"));
  engine(with_default(
      bound(
          config.channel, "channel", "",
          "How events go from one processing element to another: a channel from each to each, one queue "
          "each, or several (MUSE's inter-thread event queues) with a lock, a spin lock, or bounded without"),
      "what suits their number"));
  engine(with_default(bound(config.channel_queues, "channel-queues", "K",
                            "Inter-thread event queues of each processing element"),
                      "half as many as there are processing elements"));
  engine(bound(config.channel_capacity, "channel-capacity", "N",
               "Events that a bounded queue holds; what is too much stays with its sender"));
  engine(bound(config.events, "events", "",
               "An event that goes from one processing element of a process to another: shared by both, or "
               "copied, one for each"));
  engine(bound(config.pool, "pool", "",
               "Memory of events: the engine's own pools, the C library's malloc, jemalloc or mimalloc"));
  engine(
      bound(config.numa, "numa", "",
            "Memory of an event on the memory node where its receiver runs; auto: where workers are bound to "
            "cores of several nodes"));
  engine(bound(
      config.bind, "bind", "",
      "auto: each worker stays on a core of its own where there are enough; none: the system moves them"));
  engine(bound(config.queue, "queue", "", "Pending-event set"));
  engine(partition_option(config));
  engine(
      bound(config.levels, "levels", "",
            "Graph partitions: 1: for all processing elements at once; 2: for the ranks first; auto: 2 with "
            "several ranks"));
  engine(bound(
      config.rollback, "rollback", "",
      "auto: as each event handler asks for; copy: state saving for all, to find a wrong reverse handler"));
  engine(bound(config.checkpoint_interval, "checkpoint-interval", "N",
               "State saving: events of an LP to a copy of its state; 1: a copy before every event"));
  engine(
      bound(config.throttle, "throttle", "",
            "What bounds optimism; atw, atw-repaired: adaptive time window (MUSE), mtw: moving time window "
            "(Devastator)"));
  engine(bound(config.window, "window", "T",
               "Fixed throttle: how far beyond GVT events may run, in simulated time"));
  engine(bound(config.batch, "batch", "N", "Events between two looks at the inbox"));
  engine(bound(config.gvt, "gvt", "",
               "Global virtual time: epoch: asynchronously, nobody waits; barrier: everybody stops for it"));
  engine(bound(config.gvt_interval, "gvt-interval", "N",
               "Events of a processing element between two GVT rounds"));
  engine(
      bound(config.lps_per_group, "lps-per-group", "N", "LPs that share a history and roll back together"));
  engine(with_default(bound(config.lookahead, "run-lookahead", "T",
                            "Conservative: least delay of what LPs send to others, in simulated time"),
                      "as the LP types declare"));
  engine(bound(config.cancellation, "cancellation", "",
               "What a rolled-back event had sent is cancelled at once, or when it does not send it again"));
  engine(
      bound(config.history, "history", "",
            "auto: kept where events may have to be undone, so not by one processing element alone; always: "
            "to see what it costs"));
  engine(memory_option(config.memory));

  const auto ranks = group("Ranks (of a program that mpirun has started)");
  ranks(bound(
      config.comm, "comm", "",
      "Who talks to other ranks: a thread of its own, or the workers between their events; auto: a thread "
      "where there is a core for it"));
  ranks(message_size_option(config.message_size));
  ranks(bound(config.consolidation, "consolidation", "",
              "Events for the same rank share messages; off: each has its own, to compare with"));
  ranks(with_default(bound(config.polling_period, "polling-period", "N",
                           "Of so many rounds of communication one looks for messages"),
                     "adapts to how often there are some"));
  ranks(bound(config.emulate_latency, "emulate-latency", "SECONDS",
              "Each message takes at least so long, as if the machines were far apart"));

  const auto output = group("Input and output");
  output(bound(options.config_file, std::string(kConfigOption), "FILE.toml",
               "Read options from a file; those on the command line win"));
  output(bound(options.report_file, "report", "FILE.json",
               "Write the whole report; - prints it instead of the table"));
  output(bound(options.out_folder, "out", "DIR", "Write the model's tables to DIR/NAME.csv"));
  output(bound(options.plot_folder, "plot", "DIR", "Draw the model's results to DIR/NAME.svg"));
  output(bound(options.trace_file, "trace", "FILE",
               "Write the committed events in their order; as CSV if FILE ends with .csv; - prints them"));
  output(trace_lps_option(config.trace.lps));
  output(bound(config.trace.from, "trace-from", "T", "Trace no event before this time"));
  output(time_option(config.trace.to, "trace-to", "Trace events before this time only"));
  output(bound(config.profile_lps, "profile-lps", "N",
               "Report figures of the N LPs with most events, with most rollbacks, and that caused most "
               "rollbacks; as many as there are: of all"));
  output(bound(options.quiet, "quiet", "", "Print nothing but errors and what --report - asks for"));

  const auto testing = group("Testing");
  testing(bound(config.check_rollback, "check-rollback", "",
                "Execute every event, undo it, compare the state, execute it again"));
  testing(bound(config.test_chaos, "test-chaos", "S",
                "Provoke stragglers and yields at random with this seed; 0: do not"));
  return out;
}

}  // namespace anachron
