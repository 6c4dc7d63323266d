// A model's option as the command line and the TOML reader see it: text in, text out.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace anachron {

/// One option of a model, bound to a member of its parameters.
struct Option {
  std::string name;          ///< as typed, without dashes: "events-per-lp"
  std::string help;          ///< one line, may be empty
  std::string hint;          ///< what a value looks like: "N", "X", "NAME", "a|b|c"; empty for a switch
  std::string default_text;  ///< the default as text; empty: there is none to show
  std::vector<std::string> choices;  ///< valid values of an enumeration, else empty
  bool is_list = false;         ///< may be given several times; `set` gets all values with commas between
  bool is_output_file = false;  ///< the path of a file that the model writes
  bool may_be_bare = false;     ///< without a value it stands for "true"
  std::function<void(const std::string&)> set;  ///< throws InputError naming option, value and what is valid
  std::function<std::string()> text;            ///< the present value
  /// Whether it takes no value.
  bool is_switch() const { return hint.empty(); }
};

}  // namespace anachron
