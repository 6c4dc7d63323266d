// What a message between two ranks costs, by its size: mpirun -n 2 bench_transport [REPETITIONS]
// With `latencies [S]` after the repetitions: how long a message takes one way (half of a round trip, as
// ROSS-CMT's table 1), a line of bytes and microseconds for each size; S seconds more per message are
// emulated. The sender writes into each cache line of a message, and the receiver reads each. Repetitions are
// short, so that some of them are not disturbed on a busy machine; the table has their median and the best
// tenth of them.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/transport/delayed_transport.hpp"
#include "comm/transport/world.hpp"

namespace {

using anachron::transport::Buffer;
using anachron::transport::Transport;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kCacheLine = 64, kMostBytes = 256 * 1024;

/// One of the two ranks.
class Rank {
 public:
  explicit Rank(Transport& transport) : transport_(transport) {}

  bool is_first() const { return transport_.rank() == 0; }

  void send(std::size_t bytes) {
    Buffer message = transport_.buffer();
    message.resize(bytes);
    for (std::size_t i = 0; i < bytes; i += kCacheLine) message.data()[i] = static_cast<std::byte>(sent_);
    while (!transport_.try_send(1 - transport_.rank(), message)) poll();
    ++sent_;
  }
  void poll() {
    transport_.poll(16, [&](unsigned, Buffer message) {
      unsigned sum = 0;
      for (std::size_t i = 0; i < message.size(); i += kCacheLine)
        sum += std::to_integer<unsigned>(message.bytes()[i]);
      sum_ = sum;
      ++received_;
      transport_.recycle(std::move(message));
    });
  }
  /// Polls until so many more have arrived than had when this was called before.
  void wait_for(std::size_t more) {
    awaited_ += more;
    while (received_ < awaited_) poll();
  }

 private:
  Transport& transport_;
  std::size_t sent_ = 0, received_ = 0, awaited_ = 0;
  volatile unsigned sum_ = 0;  // so that reading is not left out
};

void round_trips(Rank& rank, std::size_t bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (rank.is_first()) rank.send(bytes);
    rank.wait_for(1);
    if (!rank.is_first()) rank.send(bytes);
  }
}

/// From the first rank to the second, which says when it has all.
void one_way(Rank& rank, std::size_t bytes, std::size_t count) {
  if (rank.is_first()) {
    for (std::size_t i = 0; i < count; ++i) rank.send(bytes);
    rank.wait_for(1);
  } else {
    rank.wait_for(count);
    rank.send(1);
  }
}

void both_ways(Rank& rank, std::size_t bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    rank.send(bytes);
    if (i % 4 == 0) rank.poll();
  }
  rank.wait_for(count);
}

struct Seconds {
  double median, best;  ///< The worst of the best tenth.
};

template <class Act>
Seconds measure(int repetitions, Act act) {
  std::vector<double> all;
  for (int i = 0; i <= repetitions; ++i) {
    const auto start = Clock::now();
    act();
    if (i > 0)
      all.push_back(std::chrono::duration<double>(Clock::now() - start).count());  // the first one warms up
  }
  std::sort(all.begin(), all.end());
  return {all[all.size() / 2], all[all.size() / 10]};
}

int run(int repetitions) {
  Transport* const transport = anachron::transport::world({.message_size = kMostBytes});
  if (!transport || transport->ranks() != 2) throw std::runtime_error("start it with mpirun -n 2");
  Rank rank(*transport);
  const auto print = [&](auto... what) {
    if (rank.is_first()) std::printf(what...);
  };

  print("%s, %d repetitions: median (best tenth)\n", transport->description().c_str(), repetitions);
  constexpr std::size_t kRoundTrips = 200;
  const Seconds there_and_back = measure(repetitions, [&] { round_trips(rank, 64, kRoundTrips); });
  print("round trip of 64 bytes: %.2f (%.2f) us\n", there_and_back.median / kRoundTrips * 1e6,
        there_and_back.best / kRoundTrips * 1e6);

  print("  bytes      one way, MB/s       us/message      both ways, MB/s\n");
  for (std::size_t bytes = 64; bytes <= kMostBytes; bytes *= bytes < 1024 ? 4 : 2) {
    const std::size_t count = std::clamp<std::size_t>(4 * 1024 * 1024 / bytes, 32, 1000);
    const double all = static_cast<double>(bytes * count), messages = static_cast<double>(count);
    const Seconds one = measure(repetitions, [&] { one_way(rank, bytes, count); });
    const Seconds both = measure(repetitions, [&] { both_ways(rank, bytes, count); });
    print("%7zu  %8.0f (%8.0f)  %6.2f (%6.2f)  %8.0f (%8.0f)\n", bytes, all / one.median / 1e6,
          all / one.best / 1e6, one.median / messages * 1e6, one.best / messages * 1e6,
          2 * all / both.median / 1e6, 2 * all / both.best / 1e6);
  }
  transport->finish();
  return 0;
}

int latencies(int repetitions, double emulated_s) {
  Transport* const transport = anachron::transport::world({.message_size = kMostBytes});
  if (!transport || transport->ranks() != 2) throw std::runtime_error("start it with mpirun -n 2");
  const std::chrono::duration<double> emulated(emulated_s);
  anachron::transport::DelayedTransport delayed(
      *transport, std::chrono::duration_cast<std::chrono::nanoseconds>(emulated));
  Rank rank(delayed);
  for (const std::size_t bytes : {4, 32, 256, 1024, 8192, 16384}) {
    constexpr std::size_t kRoundTrips = 10;
    const Seconds there_and_back = measure(repetitions, [&] { round_trips(rank, bytes, kRoundTrips); });
    if (rank.is_first()) std::printf("%zu %.3f\n", bytes, there_and_back.median / kRoundTrips / 2 * 1e6);
  }
  delayed.finish();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 201;
    if (argc > 2 && std::string_view(argv[2]) == "latencies")
      return latencies(repetitions, argc > 3 ? std::atof(argv[3]) : 0);
    return run(repetitions);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_transport: %s\n", error.what());
    return 1;
  }
}
