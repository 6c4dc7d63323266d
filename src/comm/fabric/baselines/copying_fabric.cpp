#include "comm/fabric/baselines/copying_fabric.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/event/type_table.hpp>

#include "comm/fabric/baselines/copy_event.hpp"
#include "comm/fabric/ranks/received_events.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;

void require_copyable(std::span<const event::LpTypeEntry> types) {
  const event::TypeTable table(types);
  std::string missing;
  for (const auto& [lp_type, ops] : table.entries())
    if (!ops->trivially_copyable && !ops->copy && !ops->encode && !ops->expands_into)
      missing +=
          fmt::format("{}{} of {}", missing.empty() ? "" : ", ", ops->event_name, types[lp_type].name());
  if (!missing.empty())
    throw InputError(
        fmt::format("--events copied: events that can be neither copied nor encoded: {}; valid is "
                    "--events shared",
                    missing));
}

}  // namespace

class CopyingFabric::End final : public Port, private Sink {
 public:
  End(Port& within, PeId self, PeRange pes)
      : within_(within), self_(self), pes_(pes), made_(pes.count), received_(pes.first + pes.count) {}

  void attach(mem::EventPool& pool) override {
    pool_ = &pool;
    within_.attach(pool);
  }

  std::size_t hand_over(PeId to, std::span<const Message> messages) override {
    // What was refused the last time comes again, and has been copied.
    std::vector<Message>& copies = made_[pes_.index_of(to)];
    const std::size_t made = std::min(copies.size(), messages.size());
    copies.reserve(messages.size());
    for (const Message message : messages.subspan(made)) copies.push_back(copy_of(message));
    const std::size_t accepted = within_.hand_over(to, std::span(copies).first(messages.size()));
    copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(accepted));
    return accepted;
  }

  std::uint64_t drain(Sink& sink) override {
    sink_ = &sink;
    if (!arrived_.empty()) give();
    return within_.drain(*this);
  }

  PeRange near() const override { return {self_, 1}; }
  PeRange here() const override { return within_.here(); }
  bool wants_to_forget() const override { return true; }
  void forget(const EventHeader& e) override { received_.forget(e); }
  void cut() override { within_.cut(); }
  Copied copied() const override { return copied_; }
  Probes probes() const override { return received_.probes(); }
  void discard() override {
    for (std::vector<Message>& copies : made_) {
      for (const Message message : copies) drop(message);
      copies.clear();
    }
    within_.discard();
  }
  std::uint64_t bytes() const override {
    std::uint64_t sum = within_.bytes() + received_.bytes() + arrived_.capacity() * sizeof(Message);
    for (const std::vector<Message>& copies : made_) sum += copies.capacity() * sizeof(Message);
    return sum;
  }
  void trim() override {
    for (std::vector<Message>& copies : made_)
      if (copies.empty()) std::vector<Message>().swap(copies);
    within_.trim();
  }

 private:
  Message copy_of(Message message) {
    const EventHeader& e = *message.target();
    if (message.cancels()) {
      copied_.recall_bytes += sizeof e;
      return Message::cancellation(&copy_header(e, *pool_));
    }
    ++copied_.events;
    copied_.bytes += e.ops->bytes;
    return Message::event(&copier_.copy(e, *pool_));
  }
  void drop(Message message) {
    if (message.cancels())
      drop_header(*message.target(), *pool_);
    else
      drop_event(*message.target(), *pool_);
  }

  // As the sink of the fabric within.
  void take(std::span<const Message>& messages) override {
    constexpr std::size_t kAnnounced = 16;
    arrived_.reserve(arrived_.size() + messages.size());
    for (const Message message : messages.first(std::min(kAnnounced, messages.size())))
      prefetch(message.target());
    while (!messages.empty()) {
      if (messages.size() > kAnnounced) prefetch(messages[kAnnounced].target());
      arrived_.push_back(own(messages.front()));
      messages = messages.subspan(1);
    }
    give();
  }
  mem::EventPool& pool() override { return sink_->pool(); }

  /// The same for this PE: its copy is known from now on, or was.
  Message own(Message message) {
    EventHeader& e = *message.target();
    if (!message.cancels()) {
      received_.insert(e);
      return message;
    }
    EventHeader& cancelled = received_.find(e.match);
    drop_header(e, *pool_);
    return Message::cancellation(&cancelled);
  }

  /// When the sink throws, those that are left come again.
  void give() {
    std::span<const Message> left(arrived_);
    const struct Rest {
      std::vector<Message>& arrived;
      std::span<const Message>& left;
      ~Rest() { arrived.erase(arrived.begin(), arrived.end() - static_cast<std::ptrdiff_t>(left.size())); }
    } rest{arrived_, left};
    while (!left.empty()) sink_->take(left);
  }

  Port& within_;
  const PeId self_;
  const PeRange pes_;
  mem::EventPool* pool_ = nullptr;
  EventCopier copier_;
  std::vector<std::vector<Message>> made_;  // by destination: copies that were not accepted yet
  ReceivedEvents received_;
  std::vector<Message> arrived_;  // and not taken
  Sink* sink_ = nullptr;          // of the drain in progress
  Copied copied_;
};

CopyingFabric::CopyingFabric(std::unique_ptr<Fabric> within, PeRange pes,
                             std::span<const event::LpTypeEntry> types)
    : within_(std::move(within)), pes_(pes) {
  require_copyable(types);
  for (std::size_t i = 0; i < pes.count; ++i) {
    const auto pe = static_cast<PeId>(pes.first + i);
    ends_.push_back(std::make_unique<End>(within_->port(pe), pe, pes));
  }
}

CopyingFabric::~CopyingFabric() = default;

Port& CopyingFabric::port(PeId pe) { return *ends_[pes_.index_of(pe)]; }

}  // namespace anachron::fabric
