#include "comm/transport/mpi/mpi_sends.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace anachron::transport {

MpiSends::MpiSends(const MpiCommunicator& communicator, SpareBuffers& spare, std::size_t most)
    : communicator_(communicator), spare_(spare) {
  set_most(most);
}

void MpiSends::set_most(std::size_t most) {
  most_ = most;
  most_unconfirmed_ = std::max<std::size_t>(most / 2, 1);
  confirm_every_ = std::max<std::uint64_t>(most_unconfirmed_ / 4, 1);
  peers_.assign(communicator_.ranks(), {});
  indices_.resize(most);
  statuses_.resize(most);
  sends_.reserve(most);
  requests_.reserve(most);
}

bool MpiSends::try_send(unsigned to, Buffer& message) {
  if (!has_room(to)) {
    complete();
    if (!has_room(to)) return false;
  }
  Peer& peer = peers_[to];
  const bool is_confirming = confirms(peer.sent + 1);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code =
      (is_confirming ? MPI_Issend : MPI_Isend)(message.data(), static_cast<int>(message.size()), MPI_BYTE,
                                               static_cast<int>(to), kMpiTag, communicator_.get(), &request);
  if (code != MPI_SUCCESS) communicator_.fail(code, fmt::format("MPI_Isend to rank {}", to));
  requests_.push_back(request);
  sends_.push_back({std::exchange(message, Buffer()), to, ++peer.sent});
  return true;
}

void MpiSends::complete() {
  if (sends_.empty()) return;
  const int count = static_cast<int>(requests_.size());
  int completed = 0;
  const int code = MPI_Testsome(count, requests_.data(), &completed, indices_.data(), statuses_.data());
  if (code != MPI_SUCCESS) check_each(code, "MPI_Testsome", completed);
  if (completed != 0 && completed != MPI_UNDEFINED) remove_complete();
}

void MpiSends::wait() {
  const int count = static_cast<int>(requests_.size());
  const int code = MPI_Waitall(count, requests_.data(), statuses_.data());
  if (code != MPI_SUCCESS) check_each(code, "MPI_Waitall", count);
  remove_complete();
}

/// Which of the requests it was, and why.
void MpiSends::check_each(int code, const char* operation, int count) const {
  if (code == MPI_ERR_IN_STATUS)
    for (int i = 0; i < count; ++i)
      if (const int error = statuses_[static_cast<std::size_t>(i)].MPI_ERROR;
          error != MPI_SUCCESS && error != MPI_ERR_PENDING)
        communicator_.fail(error, fmt::format("{} of what was sent", operation));
  communicator_.fail(code, operation);
}

void MpiSends::remove_complete() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    Send& send = sends_[i];
    if (requests_[i] != MPI_REQUEST_NULL) {
      if (kept != i) {
        sends_[kept] = std::move(send);
        requests_[kept] = requests_[i];
      }
      ++kept;
      continue;
    }
    if (confirms(send.number)) peers_[send.to].confirmed = send.number;
    spare_.put(std::move(send.message));
  }
  sends_.resize(kept);
  requests_.resize(kept);
}

}  // namespace anachron::transport
