#include "mpi/session.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Tick {
  std::uint32_t hops = 0;
};
/// Some that pass on what they get. The last one fails at time 3, if it is to.
struct Runner {
  struct Params {
    bool fails = false;
  };
  std::array<std::uint64_t, 16> passed{};
  void start(Context<Runner>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(Context<Runner>& cx, const Tick& tick) {
    ++passed[tick.hops % passed.size()];
    if (cx.params().fails && cx.now() >= 3 && cx.self().index() + 1 == cx.lp_count())
      throw std::runtime_error("out of breath");
    cx.send(cx.id((cx.self().index() + 3) % cx.lp_count()), 1, Tick{tick.hops + 1});
  }
};
using Run = Session<Runner>;

void come_back_from_a_fault(Run session) {
  session.run_until(2);
  const Mark mark = session.mark();
  try {
    session.run_until(5);
  } catch (const SimulationError& error) {
    session.rewind(mark);
    std::printf("rank %u: %s, and back at %g\n", session.rank(), error.what(), session.now());
  }
}

void interrupt(Run session) {
  const auto first = session.run_until(kForever, {}, [&] { return session.rank() == 1; });
  const auto second = session.run_until(session.now() + 10);
  std::printf("rank %u: %s, then %s\n", session.rank(),
              first == Ending::interrupted ? "interrupted" : "ended",
              second == Ending::finished ? "finished" : "not finished");
}

void act(const std::string& role, Run session) {
  const unsigned rank = session.rank();
  if (role == "fault") return come_back_from_a_fault(std::move(session));
  if (role == "interrupt") return interrupt(std::move(session));
  if (role == "steps") session.run_until(1 + rank);
  if (role == "events") session.schedule(session.id<Runner>(rank), 2, Tick{});
  if (role == "thrown" && rank == 1) throw std::runtime_error("enough");
  if (role == "memory") static_cast<void>(session.mark());
  session.run_until(role == "events" ? 3 : kForever, [&](const Progress&) {
    if (role == "callback" && rank == 1) throw std::runtime_error("enough");
  });
}

}  // namespace

int run_session_role(const std::string& role) {
  Simulation<Runner> simulation;
  simulation.lps<Runner>(8);
  simulation.params<Runner::Params>().fails = role == "fault";
  std::string name = "mpi_tests", workers = "--workers=1", memory = "--memory=8MiB";
  std::array arguments{name.data(), workers.data(), memory.data()};
  return cli(simulation, role == "memory" ? 3 : 2, arguments.data(), [&] { act(role, simulation.open()); });
}

}  // namespace anachron::test
