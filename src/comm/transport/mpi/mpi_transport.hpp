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

/// How much may be under way (Bauer et al. 2009, section III-B: input parameters, which size the arrays of
/// requests).
struct MpiBuffers {
  std::size_t sends = 64;     ///< messages that MPI has not finished sending
  std::size_t receives = 64;  ///< receives that are posted
  friend bool operator==(const MpiBuffers&, const MpiBuffers&) = default;
};

class MpiTransport final : public Transport {
 public:
  /// Among all ranks of MPI_COMM_WORLD; each of them has to make one at the same time. All functions throw
  /// std::runtime_error when MPI fails; this one throws InputError when another rank has another size.
  /// Precondition: MPI is initialised with MPI_THREAD_SERIALIZED or more, 1 <= most_bytes <= INT_MAX, and
  /// there is a buffer of each kind.
  MpiTransport(std::size_t most_bytes, const MpiBuffers& buffers);

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

  /// From now on messages hold so many bytes, and so many may be under way. Each rank has to call this at the
  /// same time, for its own buffers. Throws InputError when another rank has another size. Preconditions: as
  /// of the constructor; each rank has received all that it will look at of what was sent before.
  void set_up(std::size_t most_bytes, const MpiBuffers& buffers);

  /// May be called again, after more was sent.
  void finish() override;
  void abort(int status) noexcept override;

  /// `finish` has returned and nothing was sent since. Only then this may be destroyed, before MPI is
  /// finalised: else others may still send to buffers of this.
  bool is_finished() const { return is_finished_; }

 private:
  MpiCommunicator communicator_;
  SpareBuffers spare_;
  MpiBuffers buffers_;
  MpiSends sends_;
  MpiReceives receives_;
  bool is_finished_ = false;
};

}  // namespace anachron::transport
