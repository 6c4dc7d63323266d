// What comm/transport/transport.hpp says, kept to by MPI: started by mpirun, by the scripts of this folder.
//   mpi_tests few FILE        the same with few send and receive buffers
//   mpi_tests contract FILE   what tests/unit/comm/transport/net_test.cpp does; FILE is a new one
//   mpi_tests killed          rank 1 is killed, the others wait for a message that never comes
//   mpi_tests thrown          rank 1 ends with an error, likewise
//   mpi_tests aborted         rank 1 calls Transport::abort, likewise
//   mpi_tests commit          an LP of rank 1 throws when an event of it commits
//   mpi_tests fault ROLE      see mpi/faults.hpp
//   mpi_tests sizes           ranks with different message sizes
//   mpi_tests resized         messages of one size after the other
//   mpi_tests later           runs one after the other, each with links of its own
//   mpi_tests owners N        a rank that has another idea of where LPs are, N
//   mpi_tests session ROLE    see mpi/session.hpp
//   mpi_tests round-trip S    tells the median time of a message there and back, in us; S: emulated latency
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "comm/transport/delayed_transport.hpp"
#include "comm/transport/world.hpp"
#include "mpi/faults.hpp"
#include "mpi/session.hpp"
#include "scale.hpp"
#include "support/transport_contract.hpp"

namespace anachron::test {
namespace {

[[noreturn]] void wait_for_ever(transport::Transport& transport) {
  for (;;) transport.poll(1, [](unsigned, transport::Buffer) {});
}

/// Between ranks 0 and 1: the median in microseconds, rounded down.
long long round_trip(transport::Transport& transport, unsigned repetitions) {
  using Clock = std::chrono::steady_clock;
  const unsigned other = 1 - transport.rank();
  const auto send = [&] {
    transport::Buffer message = transport.buffer();
    message.resize(8);
    while (!transport.try_send(other, message)) transport.poll(1, [](unsigned, transport::Buffer) {});
  };
  const auto receive = [&] {
    while (!transport.poll(
        1, [&](unsigned, transport::Buffer message) { transport.recycle(std::move(message)); })) {
    }
  };
  std::vector<Clock::duration> all;
  for (unsigned i = 0; i < repetitions; ++i) {
    const auto start = Clock::now();
    if (transport.rank() == 0) send();
    receive();
    if (transport.rank() == 1) send();
    all.push_back(Clock::now() - start);
  }
  std::sort(all.begin(), all.end());
  return std::chrono::duration_cast<std::chrono::microseconds>(all[all.size() / 2]).count();
}

/// Each rank sends the next one a full message of each size.
void send_of_each_size() {
  unsigned buffers = 64;
  for (const std::size_t size : {1000u, 50'000u, 1000u, 1000u, 16'384u}) {
    buffers = buffers / 2 + transport::launch()->rank;  // not the same on all ranks
    transport::Transport& transport =
        *transport::world({.message_size = size, .send_buffers = buffers, .receive_buffers = 2 * buffers});
    if (transport.most_bytes() != size) throw std::runtime_error("messages do not have that size");
    transport::Buffer message = transport.buffer();
    message.resize(size);
    std::fill(message.data(), message.data() + size, std::byte{42});
    while (!transport.try_send((transport.rank() + 1) % transport.ranks(), message))
      transport.poll(0, [](unsigned, transport::Buffer) {});
    std::size_t received = 0;
    while (received == 0)
      transport.poll(1, [&](unsigned, transport::Buffer from_before) {
        received = from_before.size();
        if (from_before.data()[size - 1] != std::byte{42}) throw std::runtime_error("another message");
        transport.recycle(std::move(from_before));
      });
    if (received != size) throw std::runtime_error("a message was cut off");
  }
  transport::world({.message_size = 16'384})->finish();
}

struct Tick {};
/// The last LP of some throws in its second commit; none of them ever has nothing to do.
struct Clerk {
  void start(Context<Clerk>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Clerk>& cx, const Tick&) {
    cx.send(cx.self(), 1, Tick{});
    if (cx.now() >= 2 && cx.self().index() + 1 == cx.lp_count())
      cx.in_order([] { throw std::runtime_error("no more paper"); });
  }
};

/// Whose loads are not the same on all ranks.
struct Drifter {
  static inline double share = 1;
  static double load(const NoParams&, std::uint32_t index) { return index < 4 ? share : 1; }
  void start(Context<Drifter>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Drifter>&, const Tick&) {}
};

struct Page {};
/// The first LP sends one page after the other to LPs of all ranks, in one event.
struct Printer {
  static constexpr unsigned kPages = 4000;
  void start(Context<Printer>& cx) {
    if (cx.self().index() == 0) cx.send(cx.self(), 1, Tick{});
  }
  void on(Context<Printer>& cx, const Tick&) {
    for (unsigned page = 0; page < kPages; ++page) cx.send(cx.id(page % cx.lp_count()), 1, Page{});
  }
  void on(Context<Printer>&, const Page&) {}
};

/// Size of messages and latency are those of each run, not those of the first one.
void run_with_other_links() {
  struct Links {
    std::uint64_t message_size;
    double latency;
    std::string_view slower;  ///< as the report says it
  };
  constexpr double kSmallest = 16;  // bytes that an event takes at least in a message
  for (const Links& links :
       {Links{1024, 0, ""}, Links{65'536, 2e-3, ", 2000 µs slower"}, Links{65'536, 5e-3, ", 5000 µs slower"},
        Links{1024, 5e-3, ", 5000 µs slower"}, Links{65'536, 0, ""}, Links{1024, 0, ""}}) {
    Simulation<Printer> simulation;
    simulation.lps<Printer>(8);
    simulation.config.workers = 1;
    simulation.config.message_size = links.message_size;
    simulation.config.emulate_latency = links.latency;
    const Report report = simulation.run();
    if (!report.transport.ends_with(links.slower) ||
        report.transport.ends_with("slower") == links.slower.empty())
      throw std::runtime_error("over " + report.transport + " instead of links" + std::string(links.slower));
    const double most = 1024 / kSmallest, events = report.events_per_message().value_or(0);
    if ((events > most) != (links.message_size > 1024))
      throw std::runtime_error(std::to_string(events) + " events in a message of " +
                               std::to_string(links.message_size) + " bytes");
  }
}

int run_role(std::string_view what, const std::string& argument) {
  if (what == "commit") {
    Simulation<Clerk> simulation;
    simulation.lps<Clerk>(8);
    simulation.config.workers = 1;
    simulation.run();
    return 0;
  }
  if (what == "owners") {
    Drifter::share = std::stod(argument) + 1;
    Simulation<Drifter> simulation;
    simulation.lps<Drifter>(8);
    simulation.config.workers = 1;
    simulation.config.partition = Partition::block;
    simulation.run();
    return 0;
  }
  if (what == "session") return run_session_role(argument);
  if (what == "fault") return run_with_fault(argument);
  if (what == "sizes") {
    transport::world({.message_size = 1000 + transport::launch()->rank});
    return 0;
  }
  if (what == "resized") {
    send_of_each_size();
    return 0;
  }
  if (what == "later") {
    run_with_other_links();
    return 0;
  }
  const bool keeps_contract = what == "contract" || what == "few";
  transport::WorldOptions options;
  if (keeps_contract) options.message_size = 10'000;
  if (what == "few") {
    options.send_buffers = 4;  // the contract sends three messages that nobody takes yet
    options.receive_buffers = 1;
  }
  transport::Transport* const transport = transport::world(options);
  if (!transport) throw std::runtime_error("not started as one of several ranks");
  if (transport::world(options) != transport) throw std::runtime_error("there are two worlds");
  if (what == "round-trip") {
    const std::chrono::duration<double> latency(std::stod(argument));
    transport::DelayedTransport delayed(*transport,
                                        std::chrono::duration_cast<std::chrono::nanoseconds>(latency));
    const long long measured = round_trip(delayed, 200);
    if (transport->rank() == 0) std::printf("%lld us\n", measured);
    delayed.finish();
    return 0;
  }
  if (keeps_contract) {
    keep_contract(
        *transport, scale(),
        {[&] { std::ofstream(argument) << "set"; }, [&] { return std::filesystem::exists(argument); }});
    if (transport->rank() == 0)
      std::printf("%u of %u ranks here, %s\n", transport->ranks_here(), transport->ranks(),
                  transport->description().c_str());
    return 0;
  }
  if (transport->rank() != 1) wait_for_ever(*transport);
  if (what == "killed") std::raise(SIGKILL);
  if (what == "aborted") transport->abort(1);
  throw std::runtime_error("thrown by a test");
}

}  // namespace
}  // namespace anachron::test

int main(int argc, char** argv) {
  try {
    return anachron::test::run_role(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mpi_tests: %s\n", error.what());
    return 3;
  }
}
