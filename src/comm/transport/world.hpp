// The ranks that this process was started with.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "comm/transport/transport.hpp"

namespace anachron::transport {

/// How mpirun, srun or the like have started this process.
struct Launch {
  unsigned rank = 0, ranks = 1;
  std::string by;  ///< the variable of the environment that tells
};

/// A process with this variable in its environment is no rank, whatever has started it. The Python package
/// sets it where an executor, such as that of mpi4py.futures, makes runs in several processes.
inline constexpr const char* kAlone = "ANACHRON_ALONE";

/// From the environment alone: nothing is initialised. None: the process runs alone.
std::optional<Launch> launch();

/// Whether this build can talk to other ranks.
bool has_mpi();

/// What messages between ranks may take.
struct WorldOptions {
  std::optional<std::size_t> message_size{};         ///< bytes of a message at most; none: the default
  unsigned send_buffers = 64, receive_buffers = 64;  ///< see MpiBuffers; at least 1
};

/// The transport between the ranks of this process's launch. Initialises MPI when it is first called, and
/// finalises it when the program ends and `Transport::finish` was called. Null when there was no launch, or
/// one with a single rank. Throws InputError when there are several and this build is without MPI, or the MPI
/// library does not know of them; it says what to do.
/// The options count from now on. Called by all ranks, between two runs. Throws InputError when another rank
/// has another message size.
Transport* world(const WorldOptions& options = {});

}  // namespace anachron::transport
