// Drawing engine options at random, and saying which were drawn.
#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include <anachron/base/config.hpp>
#include <anachron/base/time.hpp>

namespace anachron::test {

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return *(values.begin() + random() % values.size());
}

/// The run that all others are compared with.
Config sequential_run(std::uint64_t seed, Time until = kForever);

/// `config` as an optimistic run with any of the engine's options and parts.
Config random_optimistic(std::mt19937_64& random, Config config);

/// Any kind of partition, of LPs that tell their neighbours.
Partition random_partition(std::mt19937_64& random);
/// Of those that this program is linked with.
Pool random_pool(std::mt19937_64& random);

/// As on the command line. `config` has workers and PEs.
std::string describe(const Config& config);

}  // namespace anachron::test
