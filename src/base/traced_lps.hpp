// The LPs to trace, as the text of an option.
#pragma once

#include <string>
#include <vector>

#include <anachron/base/trace.hpp>

namespace anachron {

/// "Dispatcher:3,Office,Dispatcher:5-9": LPs of which the events are traced; without a number all of the
/// type. A comma within <> belongs to a type's name. Throws InputError.
std::vector<TracedLps> parse_traced_lps(const std::string& text);
/// The inverse.
std::string format_traced_lps(const std::vector<TracedLps>& lps);

}  // namespace anachron
