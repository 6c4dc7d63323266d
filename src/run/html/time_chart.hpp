// How a run went over its time, and where each PE's time went, as parts of a page.
#pragma once

#include <string>

#include <anachron/run/pictures.hpp>
#include <anachron/run/report.hpp>

namespace anachron::html {

/// Lines over wall time: virtual time and horizon, rate, efficiency, active workers. Nothing for a run
/// without GVT rounds.
Pictures charts_over_time(const Report& report);

/// A bar for each PE, of at most 64, and a table of the same as HTML; empty where nothing was measured.
std::string time_by_pe(const Report& report);

}  // namespace anachron::html
