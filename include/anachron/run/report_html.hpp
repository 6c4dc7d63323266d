// The report as a page for people: what was run, what the model found, and where the time went.
#pragma once

#include <string>

#include <anachron/run/machine.hpp>
#include <anachron/run/pictures.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// One self-contained HTML document, without scripts and without anything from the network. A picture that
/// takes more than 4 MiB is left out, which the page says. O(size of the pictures and of the report).
std::string report_html(const Report& report, const Machine& machine, const Pictures& pictures);

}  // namespace anachron
