// Fabrics in which each PE has one or several unbounded queues that all other PEs put into. One is a queue
// with many producers per PE (Bachan et al. 2024, Devastator, section 3.3), one the inter-thread event queues
// of MUSE (section 4.1). Pointers travel. A batch is sorted by queues first. So each queue costs one step on
// what threads share, however many messages go into it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "comm/channel/baselines/locked_queue.hpp"
#include "comm/channel/baselines/mpsc_queue.hpp"
#include "comm/channel/baselines/spin_lock.hpp"
#include "comm/fabric/fabric.hpp"
#include "comm/fabric/queue_choice.hpp"

namespace anachron::fabric {

template <class Queue>
class QueueFabric final : public Fabric {
 public:
  /// `queues` of each PE: see QueueChoice.
  QueueFabric(PeRange pes, std::size_t queues);
  ~QueueFabric() override;
  Port& port(PeId pe) override;

 private:
  class End;

  const PeRange pes_;
  std::vector<std::unique_ptr<End>> ends_;
};

/// Each instantiated once.
using MpscFabric = QueueFabric<channel::MpscQueue<Message>>;
using LockedFabric = QueueFabric<channel::LockedQueue<Message, std::mutex>>;
using SpinningFabric = QueueFabric<channel::LockedQueue<Message, channel::SpinLock>>;

}  // namespace anachron::fabric
