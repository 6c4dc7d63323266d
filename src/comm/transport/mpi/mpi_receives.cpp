#include "comm/transport/mpi/mpi_receives.hpp"

#include <utility>

namespace anachron::transport {

MpiReceives::MpiReceives(const MpiCommunicator& communicator, SpareBuffers& spare, std::size_t posted)
    : communicator_(communicator), spare_(spare), ring_(posted) {}

MpiReceives::~MpiReceives() { take_back(); }

void MpiReceives::take_back() {
  for (Posted& receive : ring_) {
    if (receive.request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&receive.request);
    MPI_Wait(&receive.request, MPI_STATUS_IGNORE);
    receive.buffer = Buffer();
  }
  first_ = 0;
}

void MpiReceives::set_posted(std::size_t posted) { ring_ = std::vector<Posted>(posted); }

void MpiReceives::post_all() {
  for (Posted& receive : ring_) post(receive, spare_.get());
}

void MpiReceives::post(Posted& receive, Buffer buffer) {
  receive.buffer = std::move(buffer);
  communicator_.check(MPI_Irecv(receive.buffer.data(), static_cast<int>(receive.buffer.capacity()), MPI_BYTE,
                                MPI_ANY_SOURCE, kMpiTag, communicator_.get(), &receive.request),
                      "MPI_Irecv");
}

// Messages of one rank match receives in the order in which those were posted. But a long one may still be on
// its way when a short one behind it is complete. So only the first one is looked at: a message of another
// rank may have to wait for it, and no test-some is needed.
std::size_t MpiReceives::poll(std::size_t limit, const Transport::Receive& take) {
  std::size_t taken = 0;
  for (; taken < limit; ++taken) {
    spare_.have_one();  // before anything has changed
    Posted& first = ring_[first_];
    int is_complete = 0;
    MPI_Status status;
    communicator_.check(MPI_Test(&first.request, &is_complete, &status), "MPI_Test of a receive");
    if (!is_complete) break;
    int size = 0;
    communicator_.check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    Buffer message = std::move(first.buffer);
    message.resize(static_cast<std::size_t>(size));
    post(first, spare_.get());
    first_ = (first_ + 1) % ring_.size();
    take(static_cast<unsigned>(status.MPI_SOURCE), std::move(message));
  }
  return taken;
}

}  // namespace anachron::transport
