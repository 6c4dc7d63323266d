// Prints how far apart two cores are: the round trip of a cache line between two threads, in nanoseconds,
// five times. Usage: bench_round_trip

#include "round_trip.hpp"

#include <cstdio>

int main() {
  for (int i = 0; i < 5; ++i) std::printf("%.0f\n", anachron::bench::round_trip_ns());
}
