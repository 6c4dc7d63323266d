// Ranks in one process, a thread or more each: for tests, in which all that ranks do can be tried, also under
// sanitizers, without processes and without MPI.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "comm/transport/transport.hpp"

namespace anachron::transport {

class LocalCluster {
 public:
  struct Options {
    std::size_t most_bytes = 16 * 1024;
    /// Messages under way from each rank, beyond which try_send says no.
    std::size_t most_under_way = 64;
    /// How long a message takes.
    std::chrono::nanoseconds latency{0};
  };
  LocalCluster(unsigned ranks, const Options& options);
  explicit LocalCluster(unsigned ranks) : LocalCluster(ranks, Options()) {}
  ~LocalCluster();

  /// That rank's end. Valid as long as the cluster.
  Transport& transport(unsigned rank);

 private:
  class End;
  struct Shared;
  std::unique_ptr<Shared> shared_;
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::transport
