#include "comm/transport/mpi/mpi_transport.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

namespace anachron::transport {
namespace {

void require_same(const MpiCommunicator& communicator, std::size_t size) {
  // The least of x and of -x.
  std::array<std::int64_t, 2> bounds{static_cast<std::int64_t>(size), -static_cast<std::int64_t>(size)};
  communicator.check(MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 2, MPI_INT64_T, MPI_MIN, communicator.get()),
                     "MPI_Allreduce");
  if (bounds[0] != -bounds[1])
    throw InputError(
        fmt::format("message size: {} bytes in one rank and {} in another; it has to be the same", bounds[0],
                    -bounds[1]));
}

}  // namespace

MpiTransport::MpiTransport(std::size_t most_bytes, const MpiBuffers& buffers)
    : spare_(most_bytes),
      buffers_(buffers),
      sends_(communicator_, spare_, buffers.sends),
      receives_(communicator_, spare_, buffers.receives) {
  require_same(communicator_, most_bytes);
  receives_.post_all();
}

void MpiTransport::set_up(std::size_t most_bytes, const MpiBuffers& buffers) {
  require_same(communicator_, most_bytes);
  // A rank whose buffers stay as they are has to meet the others.
  int changes = most_bytes != spare_.capacity() || buffers != buffers_ ? 1 : 0;
  communicator_.check(MPI_Allreduce(MPI_IN_PLACE, &changes, 1, MPI_INT, MPI_MAX, communicator_.get()),
                      "MPI_Allreduce");
  if (!changes) return;
  sends_.wait();
  communicator_.check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
  receives_.take_back();
  spare_.restart(most_bytes);
  buffers_ = buffers;
  sends_.set_most(buffers.sends);
  receives_.set_posted(buffers.receives);
  receives_.post_all();
  communicator_.check(MPI_Barrier(communicator_.get()), "MPI_Barrier");  // others may send longer ones now
}

void MpiTransport::recycle(Buffer buffer) { spare_.put(std::move(buffer)); }

bool MpiTransport::try_send(unsigned to, Buffer& message) {
  if (to >= ranks() || to == rank())
    throw std::runtime_error(fmt::format("rank {}: there is no way to rank {} of {}", rank(), to, ranks()));
  if (message.size() > most_bytes())
    throw std::runtime_error(fmt::format("rank {}: a message of {} bytes to rank {}, where {} are the most",
                                         rank(), message.size(), to, most_bytes()));
  is_finished_ = false;
  return sends_.try_send(to, message);
}

// Algorithm 2: what arrives comes first, to drain the network; then what was sent.
std::size_t MpiTransport::poll(std::size_t limit, const Receive& take) {
  const std::size_t taken = receives_.poll(limit, take);
  sends_.complete();
  return taken;
}

void MpiTransport::finish() {
  sends_.wait();
  communicator_.check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
  is_finished_ = true;
}

void MpiTransport::abort(int status) noexcept {
  std::fflush(nullptr);
  MPI_Abort(communicator_.get(), status);
  std::_Exit(status);  // where MPI_Abort has come back
}

}  // namespace anachron::transport
