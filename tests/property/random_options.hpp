// Drawing engine options at random, and saying which were drawn.
#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include <anachron/base/config.hpp>

namespace anachron::test {

template <class T>
T one_of(std::mt19937_64& random, std::initializer_list<T> values) {
  return *(values.begin() + random() % values.size());
}

/// `config` as an optimistic run with any of the engine's options and parts.
Config random_config(std::mt19937_64& random, Config config);

/// As on the command line. `config` has workers and PEs.
std::string describe(const Config& config);

}  // namespace anachron::test
