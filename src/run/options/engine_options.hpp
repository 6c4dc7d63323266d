// The engine's options: names, help and how each sets a value. The command line and the TOML reader both use
// this list, so that neither knows an option the other does not.
#pragma once

#include <string>
#include <vector>

#include <anachron/model/option.hpp>
#include <anachron/run/config.hpp>

namespace anachron {

/// Everything that options beside the model's own decide.
struct RunOptions {
  Config config;
  std::string config_file;  ///< empty: none
  std::string report_file;  ///< empty: none; "-": standard output
  std::string out_folder;   ///< empty: none
  std::string plot_folder;  ///< empty: none
  std::string trace_file;   ///< empty: none; "-": standard output
  bool quiet = false;
  unsigned replications = 1;  ///< with as many seeds
};

/// An option and the heading under which help shows it.
struct GroupedOption {
  std::string group;
  Option option;
};

/// The name of the option that a configuration file cannot contain.
inline constexpr std::string_view kConfigOption = "config";

/// Whether it says where the outputs of a single run go: nothing for commands that make many.
bool is_for_one_run(const Option& option);

/// Bound to `options`, which must outlive them.
std::vector<GroupedOption> engine_options(RunOptions& options);

}  // namespace anachron
