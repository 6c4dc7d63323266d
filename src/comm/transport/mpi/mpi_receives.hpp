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
  /// What is given is used as long as this lives. `posted`: how many, at least 1: what may arrive between two
  /// polls without being copied.
  MpiReceives(const MpiCommunicator& communicator, SpareBuffers& spare, std::size_t posted);
  MpiReceives(const MpiReceives&) = delete;
  MpiReceives& operator=(const MpiReceives&) = delete;
  /// Takes them back. Precondition: nobody sends any more.
  ~MpiReceives();

  /// From the next `post_all` on. Precondition: none is posted.
  void set_posted(std::size_t posted);
  void post_all();
  /// Messages that have arrived and were not given out are lost. Precondition: no rank sends any more.
  void take_back();
  /// As Transport::poll.
  std::size_t poll(std::size_t limit, const Transport::Receive& take);

 private:
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
