#include "comm/transport/launch.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace anachron::transport {
namespace {

/// Two variables that a starter of processes gives to each of them.
struct Starter {
  const char* name;
  const char* rank;
  const char* ranks;
};

// The launcher that is nearest to the process comes first. Where srun has started mpirun, once per machine,
// what it said to mpirun is still in the environment of the ranks.
//
// SLURM_PROCID and SLURM_NTASKS are also there in a batch script, which is one process, whatever it has asked
// for; and in a shell that salloc gives. SLURM_STEP_NUM_TASKS is about the step that this process is of, n
// for `srun -n n`, and a batch script is of none. Whether srun has also got a PMI for its tasks does not show
// in a way that all versions share. A launch without one counts too: if MPI does not know of the other ranks,
// that is an error with advice. Otherwise n times the same simulation would overwrite one another's files.
constexpr std::array kStarters{
    Starter{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
    Starter{"mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},    // MVAPICH2
    Starter{"mpiexec", "PMI_RANK", "PMI_SIZE"},                         // MPICH, Intel MPI, srun --mpi=pmi2
    Starter{"srun", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},  // PMIx itself has no variable for the size
    Starter{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
};

std::optional<unsigned> number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  unsigned out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<Launch> launch() {
  if (std::getenv(kAlone)) return std::nullopt;
  for (const Starter& starter : kStarters) {
    const auto rank = number(starter.rank), ranks = number(starter.ranks);
    if (rank && ranks && *rank < *ranks) return Launch{*rank, *ranks, starter.ranks};
  }
  return std::nullopt;
}

std::string to_string(const Launch& launch) {
  std::string_view name = "something";
  for (const Starter& starter : kStarters)
    if (launch.by == starter.ranks) name = starter.name;
  return fmt::format("rank {} of {} by {} ({})", launch.rank, launch.ranks, name, launch.by);
}

}  // namespace anachron::transport
