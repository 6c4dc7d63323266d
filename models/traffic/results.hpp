// What links report.
#pragma once

#include <cstdint>

#include <anachron/model/model.hpp>

#include "traffic/lps.hpp"

namespace anachron::models::traffic {

/// An average, or an empty cell where there is nothing to average.
Results::Cell mean_cell(double sum, std::uint64_t count);

/// Figures, and the link's row in the table of links. The first link names all figures, in the order in which
/// a reader wants them.
void report_link(Results& results, const World& world, LinkIndex index, const Link& link);

/// The figures of its queue. Precondition: it has one.
void report_queue(Results& results, const World& world, LinkIndex index, const Link& link);

/// The map of the links.
void plot_links(const Params& params, const World& world, Plots& to);

}  // namespace anachron::models::traffic
