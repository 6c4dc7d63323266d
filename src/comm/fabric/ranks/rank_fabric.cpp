#include "comm/fabric/ranks/rank_fabric.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace anachron::fabric {

class RankFabric::End final : public Port {
 public:
  End(Port& within, MessageAggregator::Counter& counter, const RankLayout& layout, const WireTypes& types,
      const Owners& owners)
      : within_(within),
        counter_(counter),
        own_(layout.own()),
        writer_(types, owners),
        reader_(types, layout.pes()),
        promised_(layout.pes()) {}

  void attach(mem::EventPool& pool) override { within_.attach(pool); }

  std::size_t hand_over(PeId to, std::span<const Message> messages) override {
    return own_.contains(to) ? within_.hand_over(to, messages) : hand_in(to, messages);
  }

  std::uint64_t drain(Sink& sink) override {
    std::uint64_t count = within_.drain(sink);
    if (!arrived_.empty()) count += give(sink);
    counter_.fetch([&](PeId from, std::span<const std::byte> bytes, std::uint32_t messages) {
      arrived_.reserve(messages);
      std::uint64_t promised = 0;
      if (bytes.size() < sizeof promised)
        throw std::logic_error("anachron: internal error: a batch is cut off");
      std::memcpy(&promised, bytes.data(), sizeof promised);
      bytes = bytes.subspan(sizeof promised);
      while (!bytes.empty()) arrived_.push_back(reader_.read(bytes, sink.pool()));
      reader_.release(from, promised);
      count += give(sink);
    });
    return count;
  }

  PeRange near() const override { return within_.near(); }
  PeRange here() const override { return own_; }
  void promise(PeId to, std::uint64_t count) override {
    own_.contains(to) ? within_.promise(to, count) : static_cast<void>(promised_[to] = count);
  }
  std::vector<std::uint64_t> arrivals() const override { return reader_.arrivals(); }
  void forget_arrivals_since(std::span<const std::uint64_t> before) override {
    reader_.forget_arrivals_since(before);
  }
  bool wants_to_forget() const override { return within_.wants_to_forget(); }
  void forget(const event::EventHeader& e) override {
    if (own_.contains(e.match.pe())) within_.forget(e);
  }
  Copied copied() const override { return within_.copied(); }
  Probes probes() const override {
    Probes all = within_.probes();
    all.lookups += reader_.probes().lookups;
    all.lookup_probes += reader_.probes().lookup_probes;
    return all;
  }
  void discard() override { within_.discard(); }
  void cut() override {
    within_.cut();
    counter_.cut();
  }
  std::uint64_t bytes() const override {
    return within_.bytes() + counter_.bytes() + reader_.bytes() + arrived_.capacity() * sizeof(Message);
  }
  void trim() override { within_.trim(); }

 private:
  std::size_t hand_in(PeId to, std::span<const Message> messages) {
    std::size_t accepted = 0;
    while (accepted < messages.size() && !counter_.refuses(to)) {
      Batch* const batch = counter_.open(to);
      const auto* const promised = reinterpret_cast<const std::byte*>(&promised_[to]);
      batch->bytes.assign(promised, promised + sizeof promised_[to]);
      std::size_t whole = 0;  // bytes of the messages that fit, and of what is before them
      do {
        writer_.write(batch->bytes, messages[accepted + batch->count], to);
        if (batch->count > 0 && batch->bytes.size() > counter_.most_bytes()) break;
        whole = batch->bytes.size();
        ++batch->count;
      } while (whole < counter_.most_bytes() && accepted + batch->count < messages.size());
      batch->bytes.resize(whole);
      batch->cancellations = static_cast<std::uint32_t>(
          std::ranges::count_if(messages.subspan(accepted, batch->count),
                                [](const Message& message) { return message.cancels(); }));
      accepted += batch->count;
      counter_.hand_in(batch);
    }
    return accepted;
  }

  /// When the sink throws, those that are left come again.
  std::uint64_t give(Sink& sink) {
    const std::uint64_t count = arrived_.size();
    std::span<const Message> left(arrived_);
    const struct Rest {
      std::vector<Message>& arrived;
      std::span<const Message>& left;
      ~Rest() { arrived.erase(arrived.begin(), arrived.end() - static_cast<std::ptrdiff_t>(left.size())); }
    } rest{arrived_, left};
    while (!left.empty()) sink.take(left);
    return count;
  }

  Port& within_;
  MessageAggregator::Counter& counter_;
  const PeRange own_;
  WireWriter writer_;
  WireReader reader_;
  std::vector<std::uint64_t> promised_;  // by PE; ahead of the messages of each batch
  std::vector<Message> arrived_;         // and not taken
};

RankFabric::RankFabric(std::unique_ptr<Fabric> within, MessageAggregator& aggregator,
                       const RankLayout& layout, const WireTypes& types, const Owners& owners)
    : within_(std::move(within)), own_(layout.own()) {
  types.events.require_encodable();
  for (std::size_t i = 0; i < own_.count; ++i) {
    const auto pe = static_cast<PeId>(own_.first + i);
    ends_.push_back(std::make_unique<End>(within_->port(pe), aggregator.counter(pe), layout, types, owners));
  }
}

RankFabric::~RankFabric() = default;

Port& RankFabric::port(PeId pe) { return *ends_[own_.index_of(pe)]; }

}  // namespace anachron::fabric
