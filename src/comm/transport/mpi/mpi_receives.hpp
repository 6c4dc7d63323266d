// Receives that are posted all the time, so that what arrives goes straight into buffers of ours.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/transport/mpi/mpi_communicator.hpp"
#include "comm/transport/spare_buffers.hpp"
#include "comm/transport/transport.hpp"

namespace anachron::transport {

class MpiReceives {
 public:
  /// What is given is used as long as this lives.
  MpiReceives(const MpiCommunicator& communicator, SpareBuffers& spare);
  MpiReceives(const MpiReceives&) = delete;
  MpiReceives& operator=(const MpiReceives&) = delete;
  /// Takes them back. Precondition: nobody sends any more.
  ~MpiReceives();

  void post_all();
  /// Messages that have arrived and were not given out are lost. Precondition: no rank sends any more.
  void take_back();
  /// As Transport::poll.
  std::size_t poll(std::size_t limit, const Transport::Receive& take);

 private:
  // What may arrive between two polls without being copied.
  static constexpr std::size_t kPosted = 64;

  struct Posted {
    Buffer buffer;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void post(Posted& receive, Buffer buffer);

  const MpiCommunicator& communicator_;
  SpareBuffers& spare_;
  std::vector<Posted> ring_;
  std::size_t first_ = 0;  ///< The one that was posted first.
};

}  // namespace anachron::transport
