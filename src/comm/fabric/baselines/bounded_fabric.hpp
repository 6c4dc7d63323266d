// The fabric with bounded lock-free queues, one or several per PE, that all others put into: MUSE's lock-free
// inter-thread event queues (section 4.1). Pointers travel. When a queue is full, what follows stays with the
// sender, who tries again in its next turn; nobody waits.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "comm/fabric/fabric.hpp"
#include "comm/fabric/queue_choice.hpp"

namespace anachron::fabric {

class BoundedFabric final : public Fabric {
 public:
  /// `queues` of each PE: see QueueChoice. `capacity`: of each queue, in messages, at least 1.
  BoundedFabric(PeRange pes, std::size_t queues, std::size_t capacity);
  ~BoundedFabric() override;
  Port& port(PeId pe) override;

 private:
  class End;

  const PeRange pes_;
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::fabric
