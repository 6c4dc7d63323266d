// The engine's options (base/option_table.hpp) and those of a command that runs a model, each with functions
// that set a value from text. The command line and the TOML reader both use this list.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <anachron/model/option.hpp>
#include <anachron/run/config.hpp>

#include "base/option_table.hpp"

namespace anachron {

/// Everything that options beside the model's own decide.
struct RunOptions {
  Config config;
  std::string config_file;                         ///< empty: none
  std::string report_file;                         ///< empty: none; "-": standard output
  std::string out_folder;                          ///< empty: none
  std::string plot_folder;                         ///< empty: none
  std::string trace_file;                          ///< empty: none; "-": standard output
  std::string timeline_file;                       ///< empty: none
  std::string live;                                ///< empty: no live view
  std::string flight_record = std::string(kAuto);  ///< a file, or kOff
  std::string checkpoint_folder;                   ///< empty: none
  std::string checkpoint_every;                    ///< a duration or a simulated time; empty: the default
  std::string max_wall;                            ///< a duration; empty: none
  std::string resume_folder;                       ///< empty: the run begins at its beginning
  std::optional<double> heartbeat;                 ///< seconds; none: as it is usual
  std::string max_stall;                           ///< a duration; empty: none
  bool quiet = false;
  bool verbose = false;
  std::optional<unsigned> replications;  ///< with as many seeds; none: 1, or Precision::kMost
  std::optional<double> precision;       ///< of the means, at which replications end
  std::string precision_of;              ///< a figure; empty: all of them
};

/// The value of --flight-record for none.
inline constexpr std::string_view kOff = "off";

/// The name of the option that a configuration file cannot contain.
inline constexpr std::string_view kConfigOption = "config";

namespace options {
/// The inputs and outputs of a command.
inline constexpr std::tuple kRowsOfRun{
    row(&RunOptions::config_file, {.name = kConfigOption,
                                   .group = files,
                                   .hint = "FILE.toml",
                                   .help = "Read options from a file; those on the command line win"}),
    row(&RunOptions::report_file,
        {.name = "report",
         .group = files,
         .hint = "FILE",
         .help = "Write the whole report: a page for people if FILE ends with .html, else JSON; - "
                 "prints JSON instead of the table"}),
    row(&RunOptions::out_folder,
        {.name = "out", .group = files, .hint = "DIR", .help = "Write the model's tables to DIR/NAME.csv"}),
    row(&RunOptions::plot_folder, {.name = "plot",
                                   .group = files,
                                   .hint = "DIR",
                                   .help = "Draw the model's results to DIR/NAME.svg",
                                   .no_effect = {without_pictures}}),
    row(&RunOptions::trace_file,
        {.name = "trace",
         .group = files,
         .hint = "FILE",
         .help = "Write the committed events in their order; as CSV if FILE ends with .csv; - "
                 "prints them"}),
    row(&RunOptions::timeline_file,
        {.name = "timeline",
         .group = files,
         .hint = "FILE.pftrace|FILE.json",
         .help = "Write what each worker and processing element did over wall time, for "
                 "ui.perfetto.dev"}),
    row(&RunOptions::flight_record,
        {.name = "flight-record",
         .group = files,
         .hint = "FILE.pftrace|off",
         .help = "Where the last seconds of that go when a parallel run fails, hangs, or gets SIGUSR2",
         .default_text = "anachron-PID.pftrace in the folder for temporary files"}),
    row(&RunOptions::live,
        {.name = "live",
         .group = files,
         .hint = "[[ADDRESS:]PORT]",
         .help = "Show the run in a browser while it goes on, at this port of this machine, or of "
                 "an address; alone or 0: a free port",
         .default_text = "off",
         .may_be_bare = true}),
    row(&RunOptions::checkpoint_folder,
        {.name = "checkpoint",
         .group = files,
         .hint = "DIR",
         .help = "Write checkpoints to DIR, from which the command 'resume DIR' goes on; also when "
                 "the run is interrupted, or gets SIGUSR1"}),
    row(&RunOptions::checkpoint_every,
        {.name = "checkpoint-every",
         .group = files,
         .hint = "10min|T",
         .help = "From one checkpoint to the next: a duration as 30s, 10min, 2h, or a simulated time",
         .default_text = "10min"}),
    row(&RunOptions::max_wall,
        {.name = "max-wall",
         .group = files,
         .hint = "DURATION",
         .help = "End after this duration as if interrupted, with a checkpoint if there is "
                 "--checkpoint, and exit status 75",
         .default_text = "none"}),
    row(&RunOptions::resume_folder,
        {.name = "resume",
         .group = files,
         .hint = "DIR",
         .help = "Go on from the newest checkpoint in DIR, with the same options, or others about "
                 "speed"}),
    row(&RunOptions::heartbeat,
        {.name = "heartbeat",
         .group = files,
         .hint = "SECONDS",
         .help = "Seconds between lines that say how far the run is; half of it, if GVT stands, "
                 "for what it waits; 0: none",
         .default_text = "60, where stderr is no terminal"}),
    row(&RunOptions::max_stall,
        {.name = "max-stall",
         .group = files,
         .hint = "DURATION",
         .help = "End with exit status 1 when GVT has stood for this duration, so that 'supervise' "
                 "starts the run again",
         .default_text = "none"}),
    row(&RunOptions::quiet,
        {.name = "quiet",
         .group = files,
         .help = "Print nothing but errors, what --report - asks for and where --live is"}),
    row(&RunOptions::verbose, {.name = "verbose", .group = files, .help = "Print also what the engine did"})};
}  // namespace options

/// Calls `visit(facts, of)` for each of them, `of` a member of RunOptions.
template <class Visit>
void for_each_option_of_run(Visit&& visit) {
  for_each_row(options::kRowsOfRun, visit);
}

/// An option and the heading under which help shows it.
struct GroupedOption {
  std::string group;
  Option option;
};

/// One of a command's own options. `set` gets its text.
GroupedOption own_option(std::string group, std::string name, std::string hint, std::string help,
                         std::string default_text, std::function<void(const std::string&)> set);

/// Whether it says where the outputs of a run go, or how often it is made: nothing for commands that make
/// many.
bool is_for_one_run(const Option& option);
/// Whether a value of --partition is a file, which has a dot or a slash in its path, and no name.
bool names_partition_file(std::string_view text);
/// Whether it is one of those that src/run/checkpoint/checkpoint_options.hpp reads.
bool is_about_checkpoints(const Option& option);

/// Bound to `options`, which must outlive them.
std::vector<GroupedOption> engine_options(RunOptions& options);

}  // namespace anachron
