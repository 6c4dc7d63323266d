// From arguments to option values, and from options to help.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/options/engine_options.hpp"

namespace anachron {

struct Arguments {
  bool help = false, version = false;
  std::vector<std::pair<std::string, std::string>> values;  ///< option name, text; each name at most once
};

/// `--NAME VALUE`, `--NAME=VALUE`, for switches `--NAME` or `--NAME=true|false`; the last of a repeated
/// option counts. Checks names, not values. Throws InputError for an unknown option (with a suggestion), a
/// missing value or an argument that belongs to no option. `help_command` in its message says where the valid
/// ones are listed.
Arguments parse_arguments(const std::vector<GroupedOption>& options, std::span<const std::string> arguments,
                          const std::string& help_command);

/// Description, usage line, and the options under their headings.
std::string help_text(const std::vector<GroupedOption>& options, const std::string& description,
                      const std::string& usage);

}  // namespace anachron
