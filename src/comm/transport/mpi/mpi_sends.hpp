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
  /// What is given is used as long as this lives. `most`: messages under way, at least 1.
  MpiSends(const MpiCommunicator& communicator, SpareBuffers& spare, std::size_t most);

  /// From now on. Precondition: none is under way.
  void set_most(std::size_t most);

  /// Algorithm 3: looks for sends that are complete only when there is no room for another one.
  bool try_send(unsigned to, Buffer& message);
  /// Takes back the buffers of sends that are complete.
  void complete();
  /// Waits until all are.
  void wait();

 private:
  // A short send is complete for MPI as soon as it has been copied. A receiver that does not keep up must
  // keep all of them. So every confirm_every_-th message to a rank is sent in the synchronous mode, which
  // completes when a posted receive has taken it. Messages of one rank are matched in order, so those before
  // it were taken as well. What is unconfirmed bounds the memory of the receiver, and costs one short answer
  // per confirm_every_ messages.

  struct Peer {
    std::uint64_t sent = 0, confirmed = 0;
  };
  struct Send {
    Buffer message;
    unsigned to = 0;
    std::uint64_t number = 0;  ///< Of the messages to that rank; from 1.
  };

  bool confirms(std::uint64_t number) const { return number % confirm_every_ == 0; }
  bool has_room(unsigned to) const {
    return sends_.size() < most_ && peers_[to].sent - peers_[to].confirmed < most_unconfirmed_;
  }
  void check_each(int code, const char* operation, int count) const;
  void remove_complete();

  const MpiCommunicator& communicator_;
  SpareBuffers& spare_;
  std::size_t most_ = 0;                                    ///< Under way.
  std::uint64_t most_unconfirmed_ = 0, confirm_every_ = 0;  ///< Of a rank: half of that, and an eighth.
  std::vector<Peer> peers_;
  std::vector<Send> sends_;            ///< Under way.
  std::vector<MPI_Request> requests_;  ///< Theirs, in the same order.
  std::vector<int> indices_;           ///< Where MPI says which ones,
  std::vector<MPI_Status> statuses_;   ///< and how it went.
};

}  // namespace anachron::transport
