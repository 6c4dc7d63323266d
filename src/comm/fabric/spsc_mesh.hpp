// The default fabric of one process: a channel with one producer and one consumer from each PE to each other
// one, through which pointers travel.
#pragma once

#include <memory>
#include <vector>

#include "comm/channel/spsc_channel.hpp"
#include "comm/fabric/fabric.hpp"

namespace anachron::fabric {

class SpscMesh final : public Fabric {
 public:
  explicit SpscMesh(PeRange pes);
  explicit SpscMesh(std::size_t pes) : SpscMesh(PeRange{0, pes}) {}
  ~SpscMesh() override;
  Port& port(PeId pe) override;

 private:
  using Channel = channel::SpscChannel<Message>;
  class End;

  const PeRange pes_;
  std::vector<std::unique_ptr<Channel>>
      channels_;  // from * PEs + to, counted from the first; none from a PE to itself
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::fabric
