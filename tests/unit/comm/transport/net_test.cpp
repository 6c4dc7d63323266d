// What carries bytes between ranks, with a thread for each rank; tests/mpi/ does the same with processes.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <anachron/base/error.hpp>

#include "comm/transport/delayed_transport.hpp"
#include "comm/transport/launch.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "comm/transport/world.hpp"
#include "scale.hpp"
#include "support/rank_threads.hpp"
#include "support/transport_contract.hpp"

namespace anachron::transport {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

enum class Delivery { local, latency, delayed };

struct Case {
  Delivery kind;
  unsigned ranks;
};

class Transports : public testing::TestWithParam<Case> {};

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const char* const kinds[] = {"Local", "Latency", "Delayed"};
  return kinds[static_cast<int>(info.param.kind)] + std::to_string(info.param.ranks) + "Ranks";
}

INSTANTIATE_TEST_SUITE_P(All, Transports,
                         testing::Values(Case{Delivery::local, 2}, Case{Delivery::local, 5},
                                         Case{Delivery::local, 8}, Case{Delivery::latency, 2},
                                         Case{Delivery::latency, 4}, Case{Delivery::delayed, 2},
                                         Case{Delivery::delayed, 4}),
                         case_name);

TEST_P(Transports, KeepTheContract) {
  const auto [kind, ranks] = GetParam();
  LocalCluster cluster(
      ranks, {.most_bytes = 2000, .most_under_way = 16, .latency = kind == Delivery::latency ? 20us : 0us});
  std::atomic<bool> flag = false;
  test::for_all_ranks(ranks, [&, kind = kind](unsigned rank) {
    DelayedTransport delayed(cluster.transport(rank), 20us);
    Transport& transport = kind == Delivery::delayed ? delayed : cluster.transport(rank);
    test::keep_contract(transport, 0.2 * test::scale(), {[&] { flag = true; }, [&] { return flag.load(); }});
  });
}

TEST(LocalCluster, KnowsItsRanks) {
  LocalCluster cluster(3);
  EXPECT_EQ(cluster.transport(2).rank(), 2u);
  EXPECT_EQ(cluster.transport(2).ranks(), 3u);
  EXPECT_EQ(cluster.transport(2).ranks_here(), 3u);
  EXPECT_THROW(cluster.transport(3), std::out_of_range);
}

TEST(LocalCluster, RefusesWhatIsTooMuchUntilSomeIsTaken) {
  LocalCluster cluster(3, {.most_bytes = 8, .most_under_way = 2});
  Transport& sender = cluster.transport(0);
  const auto send = [&](unsigned to) {
    Buffer message = sender.buffer();
    message.resize(5);
    const bool was_sent = sender.try_send(to, message);
    EXPECT_EQ(message.size(), was_sent ? 0u : 5u);
    return was_sent;
  };
  EXPECT_TRUE(send(1));
  EXPECT_TRUE(send(2));
  EXPECT_FALSE(send(1));
  const auto nothing = [](unsigned, Buffer) {};
  EXPECT_EQ(cluster.transport(2).poll(9, nothing), 1u);
  EXPECT_TRUE(send(1));
  EXPECT_FALSE(send(2));
  EXPECT_EQ(cluster.transport(1).poll(9, nothing), 2u);
}

TEST(LocalCluster, ThereIsNoWayToOneselfOrToNobody) {
  LocalCluster cluster(2);
  Buffer message = cluster.transport(0).buffer();
  EXPECT_THROW(cluster.transport(0).try_send(0, message), std::runtime_error);
  EXPECT_THROW(cluster.transport(0).try_send(2, message), std::runtime_error);
}

TEST(LocalCluster, AbortEndsTheProcess) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(LocalCluster(2).transport(1).abort(3), testing::ExitedWithCode(3), "");
}

/// Seconds of a message under way, at least.
double time_of_a_message(Transport& from, Transport& to) {
  Buffer message = from.buffer();
  const auto start = Clock::now();
  from.try_send(to.rank(), message);
  while (to.poll(1, [](unsigned, Buffer) {}) == 0) std::this_thread::yield();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(LocalCluster, AMessageTakesItsTime) {
  LocalCluster cluster(2, {.latency = 3ms});
  EXPECT_GE(time_of_a_message(cluster.transport(0), cluster.transport(1)), 0.003);
}

TEST(DelayedTransport, AMessageTakesItsTime) {
  LocalCluster cluster(2);
  DelayedTransport slow(cluster.transport(1), 3ms);
  EXPECT_GE(time_of_a_message(cluster.transport(0), slow), 0.003);
  EXPECT_EQ(slow.description(), "in one process, 3000 µs slower");
}

TEST(DelayedTransport, HoldsNoMoreThanALinkWould) {
  LocalCluster cluster(2, {.most_bytes = 1, .most_under_way = 10});
  Transport& sender = cluster.transport(0);
  DelayedTransport slow(cluster.transport(1), 1h);
  std::size_t sent = 0;
  for (int i = 0; i < 3000; ++i) {
    Buffer message = sender.buffer();
    sent += sender.try_send(1, message);
    slow.poll(1, [](unsigned, Buffer) {});
  }
  EXPECT_EQ(sent, 1024u + 10u);
}

class Launches : public testing::Test {
 protected:
  static constexpr const char* kVariables[] = {"OMPI_COMM_WORLD_RANK",
                                               "OMPI_COMM_WORLD_SIZE",
                                               "MV2_COMM_WORLD_RANK",
                                               "MV2_COMM_WORLD_SIZE",
                                               "PMI_RANK",
                                               kAlone,
                                               "PMI_SIZE",
                                               "PMIX_RANK",
                                               "SLURM_PROCID",
                                               "SLURM_NTASKS",
                                               "SLURM_STEP_ID",
                                               "SLURM_STEP_NUM_TASKS"};
  void SetUp() override {
    for (const char* const name : kVariables) unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  static void set(const char* name, const char* value) { setenv(name, value, 1); }
  static std::string seen() {
    const auto found = launch();
    return found ? to_string(*found) : "none";
  }
};

TEST_F(Launches, NoneByNobody) {
  EXPECT_EQ(seen(), "none");
  EXPECT_EQ(world(), nullptr);
}

TEST_F(Launches, ByMpirun) {
  set("OMPI_COMM_WORLD_RANK", "3");
  EXPECT_EQ(seen(), "none");
  set("OMPI_COMM_WORLD_SIZE", "4");
  EXPECT_EQ(seen(), "rank 3 of 4 by mpirun (OMPI_COMM_WORLD_SIZE)");
}

TEST_F(Launches, ByMpiexec) {
  set("PMI_RANK", "0");
  set("PMI_SIZE", "2");
  EXPECT_EQ(seen(), "rank 0 of 2 by mpiexec (PMI_SIZE)");
}

TEST_F(Launches, BySrun) {
  set("SLURM_PROCID", "1");
  set("SLURM_NTASKS", "6");
  set("SLURM_STEP_ID", "0");
  set("SLURM_STEP_NUM_TASKS", "2");
  EXPECT_EQ(seen(), "rank 1 of 2 by srun (SLURM_STEP_NUM_TASKS)");
}

TEST_F(Launches, ABatchScriptIsOneProcess) {
  set("SLURM_PROCID", "0");
  set("SLURM_NTASKS", "6");
  EXPECT_EQ(seen(), "none");
}

TEST_F(Launches, TheNearestStarterCounts) {  // mpirun starts its daemons with srun
  set("SLURM_PROCID", "1");
  set("SLURM_STEP_NUM_TASKS", "2");
  set("OMPI_COMM_WORLD_RANK", "6");
  set("OMPI_COMM_WORLD_SIZE", "8");
  EXPECT_EQ(seen(), "rank 6 of 8 by mpirun (OMPI_COMM_WORLD_SIZE)");
}

TEST_F(Launches, AProcessOfAnExecutorIsAlone) {
  set("OMPI_COMM_WORLD_RANK", "3");
  set("OMPI_COMM_WORLD_SIZE", "4");
  set(kAlone, "1");
  EXPECT_EQ(seen(), "none");
  EXPECT_EQ(world(), nullptr);
}

TEST_F(Launches, NonsenseIsNone) {
  for (const char* const rank : {"", "x", "-1", "4", "1 "}) {
    set("OMPI_COMM_WORLD_RANK", rank);
    set("OMPI_COMM_WORLD_SIZE", "4");
    EXPECT_EQ(seen(), "none") << rank;
  }
}

TEST_F(Launches, OneOfOneIsAlone) {
  set("OMPI_COMM_WORLD_RANK", "0");
  set("OMPI_COMM_WORLD_SIZE", "1");
  EXPECT_EQ(world(), nullptr);
}

TEST_F(Launches, OneOfSeveralNeedsMpi) {
  if (has_mpi()) GTEST_SKIP() << "built with MPI";
  set("OMPI_COMM_WORLD_RANK", "0");
  set("OMPI_COMM_WORLD_SIZE", "4");
  try {
    world();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "started as rank 0 of 4 by mpirun (OMPI_COMM_WORLD_SIZE), but this build is without MPI: install "
        "libopenmpi-dev and configure with -DANACHRON_MPI=ON");
  }
}

}  // namespace
}  // namespace anachron::transport
