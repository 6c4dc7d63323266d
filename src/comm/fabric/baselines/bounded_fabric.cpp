#include "comm/fabric/baselines/bounded_fabric.hpp"

#include "comm/channel/baselines/bounded_queue.hpp"

namespace anachron::fabric {

class BoundedFabric::End final : public Port {
 public:
  End(const BoundedFabric& fabric, QueueChoice choice, std::size_t capacity)
      : fabric_(fabric), choice_(choice) {
    for (std::size_t i = 0; i < choice.count(); ++i) queues_.push_back(std::make_unique<Queue>(capacity));
  }

  std::size_t hand_over(PeId to, std::span<const Message> messages) override {
    const auto& queues = fabric_.ends_[fabric_.pes_.index_of(to)]->queues_;
    std::size_t accepted = 0;
    // What is accepted is the front of the batch, so the first queue that is full ends it.
    while (accepted < messages.size()) {
      const std::span<const Message> row = for_one_queue(messages.subspan(accepted));
      const std::size_t taken = queues[choice_.of(row.front())]->push(row);
      accepted += taken;
      if (taken < row.size()) break;
    }
    return accepted;
  }

  std::uint64_t drain(Sink& sink) override {
    std::uint64_t count = 0;
    for (const auto& queue : queues_)
      count += queue->drain([&sink](std::span<const Message>& messages) { sink.take(messages); });
    return count;
  }

  PeRange near() const override { return fabric_.pes_; }
  std::uint64_t bytes() const override { return queues_.size() * queues_.front()->bytes(); }

 private:
  using Queue = channel::BoundedQueue<Message>;

  /// The messages at the front that go into the same queue.
  std::span<const Message> for_one_queue(std::span<const Message> messages) const {
    if (choice_.count() == 1) return messages;
    std::size_t n = 1;
    while (n < messages.size() && choice_.of(messages[n]) == choice_.of(messages.front())) ++n;
    return messages.first(n);
  }

  const BoundedFabric& fabric_;
  const QueueChoice choice_;
  std::vector<std::unique_ptr<Queue>> queues_;  // of the PE as a receiver; others put into them
};

BoundedFabric::BoundedFabric(PeRange pes, std::size_t queues, std::size_t capacity) : pes_(pes) {
  for (std::size_t i = 0; i < pes.count; ++i)
    ends_.push_back(std::make_unique<End>(*this, QueueChoice(queues), capacity));
}

BoundedFabric::~BoundedFabric() = default;

Port& BoundedFabric::port(PeId pe) { return *ends_[pes_.index_of(pe)]; }

}  // namespace anachron::fabric
