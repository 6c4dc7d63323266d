#include "comm/fabric/baselines/queue_fabric.hpp"

#include <utility>

#include "comm/channel/chunk_stock.hpp"

namespace anachron::fabric {

template <class Queue>
class QueueFabric<Queue>::End final : public Port {
 public:
  End(const QueueFabric& fabric, QueueChoice choice)
      : fabric_(fabric), choice_(choice), chains_(choice.count()), queues_(choice.count()) {}

  std::size_t hand_over(PeId to, std::span<const Message> messages) override {
    sort(messages);
    // From here on nothing fails.
    std::vector<Queue>& queues = fabric_.ends_[fabric_.pes_.index_of(to)]->queues_;
    for (std::size_t i = 0; i < chains_.size(); ++i)
      if (!chains_[i].empty()) queues[i].push(std::exchange(chains_[i], {}));
    return messages.size();
  }

  std::uint64_t drain(Sink& sink) override {
    for (Queue& queue : queues_) arrived_.append(queue.take_all());
    return arrived_.read([&sink](std::span<const Message>& messages) { sink.take(messages); });
  }

  PeRange near() const override { return fabric_.pes_; }
  std::uint64_t bytes() const override { return stock_.bytes(); }
  void trim() override { stock_.trim(); }

 private:
  void sort(std::span<const Message> messages) {
    try {
      if (chains_.size() == 1) return stock_.append(chains_.front(), messages);
      for (const Message message : messages) stock_.append(chains_[choice_.of(message)], message);
    } catch (...) {
      for (auto& chain : chains_) stock_.drop(chain);
      throw;
    }
  }

  const QueueFabric& fabric_;
  const QueueChoice choice_;
  // Of the PE as a sender.
  channel::ChunkStock<Message> stock_;
  std::vector<channel::ChunkChain<Message>> chains_;  // by queue of the receiver; empty but in `hand_over`
  // Of the PE as a receiver. Others put into the queues.
  std::vector<Queue> queues_;
  channel::ArrivedChunks<Message> arrived_;
};

template <class Queue>
QueueFabric<Queue>::QueueFabric(PeRange pes, std::size_t queues) : pes_(pes) {
  for (std::size_t i = 0; i < pes.count; ++i)
    ends_.push_back(std::make_unique<End>(*this, QueueChoice(queues)));
}

template <class Queue>
QueueFabric<Queue>::~QueueFabric() = default;

template <class Queue>
Port& QueueFabric<Queue>::port(PeId pe) {
  return *ends_[pes_.index_of(pe)];
}

template class QueueFabric<channel::MpscQueue<Message>>;
template class QueueFabric<channel::LockedQueue<Message, std::mutex>>;
template class QueueFabric<channel::LockedQueue<Message, channel::SpinLock>>;

}  // namespace anachron::fabric
