// The page of the live view: one document with its style and its script, which asks for nothing but the
// stream of the run that it shows.
#pragma once

#include <string>
#include <string_view>

namespace anachron::live {

std::string page(std::string_view model);

/// What the page does: src/run/live/script.cpp.
extern const std::string_view kScript;

}  // namespace anachron::live
