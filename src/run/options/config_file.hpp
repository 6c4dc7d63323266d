// Options from a TOML file.
//
//     model = "phold"        # which model, where the command line does not say
//     workers = 4            # engine options, by their command-line names
//     until = 100.0
//     [phold]                # the model's options; [model] stands for whichever model runs
//     lps = "10k"            # a number, or a text as on the command line
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <anachron/model/option.hpp>

namespace anachron {

/// One `key = value`.
struct Setting {
  enum class Kind { text, number, boolean };
  std::string name;
  std::string text;  ///< the value as it would be typed on the command line
  Kind kind = Kind::text;
  std::string where;  ///< "run.toml:3", for errors
};

struct ConfigTable {
  std::string name;
  std::string where;
  std::vector<Setting> settings;
};

struct ConfigFile {
  std::optional<Setting> model;  ///< `model = "NAME"`
  std::vector<Setting> engine;   ///< the other keys outside tables
  std::vector<ConfigTable> tables;
};

/// Throws InputError with file and line when the file cannot be read or is no TOML. A value that no option
/// can have (an array, a date, a table in a table) is an error, too.
ConfigFile read_config_file(const std::string& path);

/// Sets the options. Throws InputError with file, line and key for a key that is no option (what: "engine
/// option", "option of model 'phold'"). A switch that is not true or false, and a value that the option
/// rejects, are errors, too.
void apply(std::span<const Setting> settings, std::span<const Option> options, const std::string& what);

}  // namespace anachron
