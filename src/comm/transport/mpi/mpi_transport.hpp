// Messages between MPI ranks: a bounded array of sends under way and a ring of receives that are posted all
// the time, both looked at in each poll. Bauer, Carothers, Holder, "Scalable Time Warp on Blue Gene
// Supercomputers", §III-A, algorithms 1 to 3; the bound on what a receiver has to keep is this engine's.
#pragma once

#include <cstddef>
#include <string>

#include "comm/transport/mpi/mpi_communicator.hpp"
#include "comm/transport/mpi/mpi_receives.hpp"
#include "comm/transport/mpi/mpi_sends.hpp"
#include "comm/transport/spare_buffers.hpp"
#include "comm/transport/transport.hpp"

namespace anachron::transport {

class MpiTransport final : public Transport {
 public:
  /// Among all ranks of MPI_COMM_WORLD; each of them has to make one at the same time. All functions throw
  /// std::runtime_error when MPI fails; this one throws InputError when another rank has another size.
  /// Precondition: MPI is initialised with MPI_THREAD_SERIALIZED or more, and 1 <= most_bytes <= INT_MAX.
  explicit MpiTransport(std::size_t most_bytes);

  unsigned rank() const override { return communicator_.rank(); }
  unsigned ranks() const override { return communicator_.ranks(); }
  unsigned ranks_here() const override { return communicator_.ranks_here(); }
  unsigned rank_here() const override { return communicator_.rank_here(); }
  std::string description() const override { return mpi_library(); }

  std::size_t most_bytes() const override { return spare_.capacity(); }
  Buffer buffer() override { return spare_.get(); }
  void recycle(Buffer buffer) override;
  std::uint64_t held_bytes() const override { return spare_.held_bytes(); }

  bool try_send(unsigned to, Buffer& message) override;
  std::size_t poll(std::size_t limit, const Receive& take) override;

  /// From now on messages hold so many bytes. Each rank has to call this at the same time. Throws InputError
  /// when another rank has another size. Preconditions: as of the constructor; each rank has received all
  /// that it will look at of what was sent before.
  void set_most_bytes(std::size_t bytes);

  /// May be called again, after more was sent.
  void finish() override;
  void abort(int status) noexcept override;

  /// `finish` has returned and nothing was sent since. Only then this may be destroyed, before MPI is
  /// finalised: else others may still send to buffers of this.
  bool is_finished() const { return is_finished_; }

 private:
  MpiCommunicator communicator_;
  SpareBuffers spare_;
  MpiSends sends_;
  MpiReceives receives_;
  bool is_finished_ = false;
};

}  // namespace anachron::transport
