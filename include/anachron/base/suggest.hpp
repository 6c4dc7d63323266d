// "Did you mean ...?": the known name most like a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace anachron {

/// Fewest insertions, deletions, replacements and swaps of neighbouring characters that turn `a` into `b`
/// (optimal string alignment distance). O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// "; it is called 'NAME' now" where `text` is the former name of a candidate. Else "; did you mean 'NAME'?"
/// with the candidate nearest to `text`, or nothing if none is near enough (within a third of its length).
/// Upper and lower case, '_' and '-' count as equal, and leading dashes do not count for former names.
std::string did_you_mean(std::string_view text, std::span<const std::string> candidates);

}  // namespace anachron
