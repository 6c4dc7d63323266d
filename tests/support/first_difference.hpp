// When two runs that should be the same are not: where they part.
#pragma once

#include <functional>
#include <string>

#include <anachron/run/config.hpp>

namespace anachron::test {

/// Runs both again, each with a trace, and says which event is the first that differs, as `anachron diff`
/// does. A race may not show again; then it says that.
std::string first_difference(const Config& a, const Config& b, const std::function<void(const Config&)>& run);

}  // namespace anachron::test
