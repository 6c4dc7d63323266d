// This process as one of the ranks that mpirun or the like has started.
#pragma once

#include <anachron/run/config.hpp>

namespace anachron {

/// 0 also of a process that is alone.
unsigned own_rank();
unsigned rank_count();

/// `config` with what leads to the other ranks, if there are any, and with the part of this machine's cores
/// and memory that is this rank's. All ranks have to call it. Throws InputError, and std::runtime_error when
/// MPI fails. Checks all of `config` before it talks to another rank. Throws std::logic_error while there is
/// a session over the ranks.
Config over_ranks(const Config& config);

/// What leads to the other ranks, as it was for the last run. Called by all ranks; there are several. Throws
/// as `over_ranks`.
transport::Cluster& cluster_of_launch();

/// Throws InputError when there are other ranks: "WHAT runs in one process only".
void require_one_process(const char* what);

/// While it lives a failure of this rank leaves others waiting for it.
class RanksAtWork {
 public:
  explicit RanksAtWork(const Config& config);
  ~RanksAtWork();
  RanksAtWork(const RanksAtWork&) = delete;
  RanksAtWork& operator=(const RanksAtWork&) = delete;
  /// All ranks have come here, or will.
  void succeeded();

 private:
  bool is_over_ranks_;
};

/// Ends the other ranks if they may be waiting for this one, which has failed and said why; then it does not
/// return, and ends with this status.
void end_others(int status);
/// The same whether they wait already or will, once a run over ranks has begun to be set up.
void end_others_for_good(int status);

}  // namespace anachron
