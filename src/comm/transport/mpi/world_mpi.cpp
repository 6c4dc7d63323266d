#include <mpi.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

#include "comm/transport/launch.hpp"
#include "comm/transport/mpi/mpi_communicator.hpp"
#include "comm/transport/mpi/mpi_transport.hpp"
#include "comm/transport/world.hpp"

namespace anachron::transport {
namespace {

// Through shared memory the rate of bytes is highest here, or within a tenth of it with CMA; larger messages
// would take memory and come later (bench/results/transport.txt, by bench/transport.cpp).
constexpr std::size_t kDefaultMessageSize = 16 * 1024;

/// MPI from its initialisation to its end. A process has one at most, and never another one after it.
class Session {
 public:
  Session(const Launch& launch, std::size_t message_size, const MpiBuffers& buffers) {
    initialise();
    require_known(launch);
    transport_ = std::make_unique<MpiTransport>(message_size, buffers);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  ~Session() {
    if (!transport_->is_finished()) {
      // Something went wrong, here or elsewhere. MPI_Finalize would wait for the others; without it mpirun
      // sees that this process has failed and ends them. MPI may still write into the buffers.
      static_cast<void>(transport_.release());
      return;
    }
    transport_.reset();
    finalise();
  }

  MpiTransport& transport() { return *transport_; }

 private:
  void initialise() {
    int is_finalised = 0, is_initialised = 0, provided = 0;
    MPI_Finalized(&is_finalised);
    if (is_finalised) throw std::runtime_error("MPI was finalised already, and cannot be initialised again");
    MPI_Initialized(&is_initialised);
    if (is_initialised) {  // by the program that uses this library, or by a call that threw
      MPI_Query_thread(&provided);
    } else {
      // Any thread may call MPI, but one at a time.
      if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
        throw std::runtime_error("MPI_Init_thread has failed");
      has_initialised_ = true;
    }
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error(
          fmt::format("{} was built or initialised for one thread only; "
                      "MPI_THREAD_SERIALIZED is needed",
                      mpi_library()));
  }

  void require_known(const Launch& launch) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (static_cast<unsigned>(rank) == launch.rank && static_cast<unsigned>(ranks) == launch.ranks) return;
    if (ranks == 1) finalise();  // waits for nobody
    throw InputError(
        fmt::format("started as {}, but the MPI library of this build, {}, says rank {} of {}: start it with "
                    "the mpirun that "
                    "belongs to this library, or with srun --mpi=pmix; for independent runs, unset {}",
                    to_string(launch), mpi_library(), rank, ranks, launch.by));
  }

  void finalise() {
    if (has_initialised_) MPI_Finalize();
  }

  bool has_initialised_ = false;  // by us
  std::unique_ptr<MpiTransport> transport_;
};

}  // namespace

bool has_mpi() { return true; }

Transport* world(const WorldOptions& options) {
  const auto started = launch();
  if (!started || started->ranks == 1) return nullptr;
  const std::size_t size = options.message_size.value_or(kDefaultMessageSize);
  if (size < 1 || size > INT_MAX)
    throw InputError(fmt::format("message size: {} bytes; from 1 to {} are possible", size, INT_MAX));
  // MPI's state is one per process, whatever we do: it cannot be initialised again once it was finalised, and
  // that is due when the program ends. Hence a static here. Callers see a pointer that they pass on.
  const MpiBuffers buffers{.sends = options.send_buffers, .receives = options.receive_buffers};
  static Session session(*started, size, buffers);
  session.transport().set_up(size, buffers);
  return &session.transport();
}

}  // namespace anachron::transport
