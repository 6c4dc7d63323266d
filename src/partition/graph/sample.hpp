// A few receivers that stand for a range of LPs, so that the graph of a large model stays small.
#pragma once

#include <cstddef>
#include <span>

#include "partition/profile/profile.hpp"

namespace anachron::partition {

/// How many receivers are drawn for the ranges of one LP, of `lps` LPs. Ranges with few LPs are taken whole.
std::size_t draws_of(std::span<const Spread> of_one_lp, std::size_t lps);

/// The profile with receivers drawn from its ranges, in `sent`, and nothing `spread` any more. Always the
/// same ones: all ranks must draw alike. What goes to any LP of the simulation is left out, as no partition
/// changes it. METIS cuts few of the drawn links, but no fewer of all others: do not predict from them.
Profile sampled(Profile profile);

}  // namespace anachron::partition
