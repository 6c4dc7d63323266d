// Messages that MPI has not finished sending, and how many may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/transport/mpi/mpi_communicator.hpp"
#include "comm/transport/spare_buffers.hpp"

namespace anachron::transport {

class MpiSends {
 public:
  /// What is given is used as long as this lives.
  MpiSends(const MpiCommunicator& communicator, SpareBuffers& spare);

  /// Algorithm 3: looks for sends that are complete only when there is no room for another one.
  bool try_send(unsigned to, Buffer& message);
  /// Takes back the buffers of sends that are complete.
  void complete();
  /// Waits until all are.
  void wait();

 private:
  // Enough for the round trip on a fast link with messages of the default size; more would be memory only.
  static constexpr std::size_t kMost = 64;
  // A short send is complete for MPI as soon as it has been copied. A receiver that does not keep up must
  // keep all of them. So every kConfirmEvery-th message to a rank is sent in the synchronous mode, which
  // completes when a posted receive has taken it. Messages of one rank are matched in order, so those before
  // it were taken as well. What is unconfirmed bounds the memory of the receiver, and costs one short answer
  // per kConfirmEvery messages.
  static constexpr std::uint64_t kMostUnconfirmed = 32, kConfirmEvery = 8;

  struct Peer {
    std::uint64_t sent = 0, confirmed = 0;
  };
  struct Send {
    Buffer message;
    unsigned to = 0;
    std::uint64_t number = 0;  ///< Of the messages to that rank; from 1.
  };

  static bool confirms(std::uint64_t number) { return number % kConfirmEvery == 0; }
  bool has_room(unsigned to) const {
    return sends_.size() < kMost && peers_[to].sent - peers_[to].confirmed < kMostUnconfirmed;
  }
  void check_each(int code, const char* operation, int count) const;
  void remove_complete();

  const MpiCommunicator& communicator_;
  SpareBuffers& spare_;
  std::vector<Peer> peers_;
  std::vector<Send> sends_;            ///< Under way.
  std::vector<MPI_Request> requests_;  ///< Theirs, in the same order.
  std::vector<int> indices_;           ///< Where MPI says which ones,
  std::vector<MPI_Status> statuses_;   ///< and how it went.
};

}  // namespace anachron::transport
