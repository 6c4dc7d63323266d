// Compiler directives of Verilog (IEEE 1364-2005, clause 19), obeyed before anything else is read.
#pragma once

#include <string>
#include <string_view>

namespace anachron::models::logic {

/// A text without directives and without what conditionals leave out: blanks are in their place, so lines
/// and columns are as before.
struct Directed {
  std::string text;
  std::string time_unit;  ///< of the last `timescale; empty: there is none
};

/// Conditionals are obeyed and `timescale is read. What says nothing of gates is passed over, as
/// `celldefine. Throws InputError that names file and line: for the use of a macro, for `include, and for
/// conditionals that do not match.
Directed obey_directives(std::string_view text, const std::string& file);

}  // namespace anachron::models::logic
