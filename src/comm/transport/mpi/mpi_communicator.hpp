// A communicator of our own, and MPI's error codes as exceptions.
#pragma once

#include <mpi.h>

#include <string>

namespace anachron::transport {

/// The tag of all messages: there is but one kind, and one order.
constexpr int kMpiTag = 1;

class MpiCommunicator {
 public:
  /// All ranks of the launch; each of them has to make one. Precondition: MPI is initialised.
  MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;
  ~MpiCommunicator();

  MPI_Comm get() const { return communicator_; }
  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }
  /// Of how many ranks the processes run on this machine.
  unsigned ranks_here() const { return ranks_here_; }
  unsigned rank_here() const { return rank_here_; }

  /// Throws std::runtime_error, which names this rank, the operation and what MPI says, unless `code` is
  /// success.
  void check(int code, const char* operation) const {
    if (code != MPI_SUCCESS) fail(code, operation);
  }
  [[noreturn]] void fail(int code, const std::string& operation) const;

 private:
  void count_here();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  unsigned rank_ = 0, ranks_ = 1, ranks_here_ = 1, rank_here_ = 0;
};

/// Which library it is: "Open MPI 4.1.4". May be called before MPI is initialised.
std::string mpi_library();

}  // namespace anachron::transport
