#include "comm/fabric/ranks/message_aggregator.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace anachron::fabric {
namespace {

constexpr unsigned kLongestPeriod = 64, kLongestInGvtRound = 4;  // rounds of service, adaptive

template <class T>
void put(transport::Buffer& buffer, const T& value) {
  const std::size_t at = buffer.size();
  buffer.resize(at + sizeof value);
  std::memcpy(buffer.data() + at, &value, sizeof value);
}

}  // namespace

MessageAggregator::MessageAggregator(transport::Dispatcher& dispatcher, const RankLayout& layout,
                                     const Options& options, std::uint64_t run)
    : dispatcher_(dispatcher),
      layout_(layout),
      options_(options),
      run_(run),
      most_batch_(dispatcher.most_bytes() - sizeof(MessageHeader) - sizeof(BatchHeader) - 8),
      outgoing_(layout.ranks()),
      incoming_(layout.ranks()),
      credit_(std::make_unique<Credit[]>(layout.ranks())),
      window_(options.window) {
  for (std::size_t i = 0; i < layout.own().count; ++i)
    counters_.push_back(std::make_unique<Counter>(*this, static_cast<PeId>(layout.own().first + i)));
  dispatcher_.on(transport::Kind::events,
                 [this](unsigned from, transport::Buffer& message, std::span<const std::byte> body) {
                   receive(from, message, body);
                 });
}

MessageAggregator::~MessageAggregator() { dispatcher_.on(transport::Kind::events, nullptr); }

bool MessageAggregator::serve(bool waits) {
  take_wire_messages_back();
  bool any = gather();
  any |= pack_all();
  any |= look(waits);
  if (budget_) count_memory();
  return any;
}

/// What PEs have handed in since the last time.
bool MessageAggregator::gather() {
  std::uint64_t count = 0;
  for (const auto& counter : counters_)
    count += counter->out_.drain([this](Batch* const& batch) {
      const unsigned to = layout_.rank_of(batch->to);
      outgoing_[to].queue.push_back(batch);
      outgoing_[to].waiting += batch->bytes.size();
      list(to);
    });
  return count > 0;
}

void MessageAggregator::list(unsigned to) {
  if (!std::exchange(outgoing_[to].is_listed, true)) listed_.push_back(to);
}

bool MessageAggregator::pack_all() {
  bool any = false;
  std::erase_if(listed_, [&](unsigned to) {
    any |= pack(to);
    tell_congestion(to);
    Outgoing& out = outgoing_[to];
    out.is_listed = out.owes_word || !out.queue.empty() || has_batches(out);
    return !out.is_listed;
  });
  return any;
}

/// Fills messages to that rank and sends them, until all have left or the transport takes no more.
bool MessageAggregator::pack(unsigned to) {
  Outgoing& out = outgoing_[to];
  bool any = false;
  while (out.owes_word || !out.queue.empty() || has_batches(out)) {
    if (!out.is_sealed) any |= fill(out);
    if (!send_message(to)) return any;
    any = true;
  }
  return any;
}

void MessageAggregator::tell_congestion(unsigned to) {
  const Outgoing& out = outgoing_[to];
  const std::uint64_t messages =
      options_.consolidates ? out.waiting / dispatcher_.most_bytes() : std::uint64_t{out.queue.size()};
  const bool is_congested = messages >= kMostWaiting;
  std::atomic<bool>& told = credit_[to].is_congested;
  if (told.load(std::memory_order_relaxed) != is_congested)
    told.store(is_congested, std::memory_order_relaxed);
}

void MessageAggregator::begin_message(Outgoing& out) {
  out.message = dispatcher_.message(transport::Kind::events);
  put(out.message, MessageHeader{});  // filled in when it leaves
}

/// Puts batches into the message, as many as fit.
bool MessageAggregator::fill(Outgoing& out) {
  bool any = false;
  if (out.message.capacity() == 0) begin_message(out);
  while (!out.queue.empty() && !out.is_sealed) {
    Batch& batch = *out.queue.front();
    const std::size_t size = batch.bytes.size();
    const bool is_large = size > most_batch_;
    if (!is_large && out.message.room() < cost(size)) {
      out.is_sealed = true;
      break;
    }
    if (is_large && out.sent_of_first == 0 && has_batches(out)) {
      out.is_sealed = true;  // it begins a message of its own
      break;
    }
    any = true;
    if (is_large) {
      const std::size_t first = out.sent_of_first;
      if (first == 0) out.count(batch);
      const std::size_t room = out.message.room() - (first == 0 ? sizeof(BatchHeader) : 0);
      const std::size_t count = std::min(size - first, room);
      append(out, batch, first, count);
      out.sent_of_first = first + count;
      out.is_sealed = true;
      if (out.sent_of_first < size) break;
      out.sent_of_first = 0;
    } else {
      append(out, batch, 0, size);
      out.message.resize(out.message.size() + (padded(size) - size));
      out.count(batch);
      if (!options_.consolidates) out.is_sealed = true;
    }
    out.queue.pop_front();
    out.waiting -= size;
    Counter& counter = this->counter(batch.from);
    counter.back_.push(&batch);
    counter.back_.publish();
  }
  return any;
}

void MessageAggregator::append(Outgoing& out, const Batch& batch, std::size_t first, std::size_t count) {
  if (first == 0) put(out.message, BatchHeader(batch, batch.bytes.size()));
  const std::size_t at = out.message.size();
  out.message.resize(at + count);
  if (count > 0) std::memcpy(out.message.data() + at, batch.bytes.data() + first, count);
}

/// False: the transport takes no more now.
bool MessageAggregator::send_message(unsigned to) {
  Outgoing& out = outgoing_[to];
  const MessageHeader header{.run = run_, .released = incoming_[to].released};
  std::memcpy(out.message.data() + transport::Dispatcher::kHeader, &header, sizeof header);
  const std::size_t size = out.message.size();
  if (!dispatcher_.try_send(to, out.message)) return false;
  out.message = transport::Buffer();
  out.told = header.released;
  out.is_sealed = out.owes_word = false;
  ++figures_.messages_sent;
  figures_.bytes_sent += size;
  figures_.events_sent += std::exchange(out.events, 0);
  figures_.cancellations_sent += std::exchange(out.cancellations, 0);
  return true;
}

/// Looks for what has arrived; not every time, because a look costs something (Wang et al. 2013, section
/// 3.2). Adaptive: half as often after each look in vain, always after one that found something. While a GVT
/// round waits for messages, history grows: no longer than a few rounds of service then.
bool MessageAggregator::look(bool waits) {
  const bool is_urgent = is_in_round_ && options_.polling_period == 0;
  if (!waits && ++rounds_ < (is_urgent ? std::min(period_, kLongestInGvtRound) : period_)) return false;
  rounds_ = 0;
  const bool found = dispatcher_.poll() > 0;
  ++figures_.probes;
  figures_.successful_probes += found;
  if (options_.polling_period > 0)
    period_ = options_.polling_period;
  else
    period_ = found ? 1 : std::min(2 * period_, kLongestPeriod);
  return found;
}

void MessageAggregator::receive(unsigned from, transport::Buffer& message, std::span<const std::byte> body) {
  MessageHeader header{};
  if (body.size() < sizeof header) throw std::logic_error("anachron: internal error: a message is cut off");
  std::memcpy(&header, body.data(), sizeof header);
  if (header.run != run_) return;  // a word alone: all batches of a run arrive before it ends
  ++figures_.messages_received;
  credit_[from].released.store(header.released, std::memory_order_relaxed);
  body = body.subspan(sizeof header);
  if (body.empty()) return;

  Incoming& in = incoming_[from];
  if (in.large) {  // what follows of it
    transport::Buffer& whole = in.large->buffer;
    const std::size_t at = whole.size();
    whole.resize(at + body.size());
    std::memcpy(whole.data() + at, body.data(), body.size());
    if (whole.room() == 0) route(std::exchange(in.large, nullptr), 0);
    return;
  }
  const BatchHeader first(body);
  WireMessage* const wire = new_wire_message();
  wire->from = from;
  const std::uint64_t whole = sizeof first + first.bytes();
  if (whole > body.size()) {
    copy(*wire, body, whole);
    in.large = wire;
  } else if (2 * body.size() < message.capacity()) {
    copy(*wire, body, body.size());
    route(wire, 0);
  } else {
    const std::size_t begin = static_cast<std::size_t>(body.data() - message.data());
    wire->buffer = std::move(message);
    route(wire, begin);
  }
}

/// Into memory of the wire message's own, for `bytes` in all.
void MessageAggregator::copy(WireMessage& wire, std::span<const std::byte> body, std::uint64_t bytes) {
  wire.buffer = transport::Buffer(bytes);
  wire.buffer.resize(body.size());
  std::memcpy(wire.buffer.data(), body.data(), body.size());
  wire.is_copy = true;
  wire_bytes_ += bytes;
}

/// Brings each batch to its PE.
void MessageAggregator::route(WireMessage* wire, std::size_t begin) {
  const auto bytes = std::span<const std::byte>(wire->buffer.bytes());
  std::uint32_t count = 0;
  wire->bytes = 0;
  BatchHeader header;
  for (std::size_t at = begin; at < bytes.size(); at += cost(header.bytes()), ++count) {
    header = BatchHeader(bytes.subspan(at));
    wire->bytes += cost(header.bytes());
  }
  wire->unread.store(count, std::memory_order_relaxed);  // the channels publish it
  for (std::size_t at = begin; count > 0; at += cost(header.bytes()), --count) {
    header = BatchHeader(bytes.subspan(at));
    ++arrived_[header.colour()];
    auto& deliveries = counter(header.to()).deliveries_;
    deliveries.push({wire, at});
    deliveries.publish();
  }
}

void MessageAggregator::was_read(WireMessage* wire) {
  // Release: the reading is over. Acquire: so it is for the others who have read in it.
  if (wire->unread.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  wire->next = read_.load(std::memory_order_relaxed);
  while (!read_.compare_exchange_weak(wire->next, wire, std::memory_order_release, std::memory_order_relaxed))
    continue;
}

void MessageAggregator::take_wire_messages_back() {
  if (!read_.load(std::memory_order_relaxed)) return;
  WireMessage* wire = read_.exchange(nullptr, std::memory_order_acquire);
  while (wire) {
    WireMessage* const next = wire->next;
    Incoming& in = incoming_[wire->from];
    in.released += wire->bytes;
    if (Outgoing& out = outgoing_[wire->from];
        in.released - out.told >= options_.window / (4 * kNarrow) && !out.owes_word) {
      out.owes_word = true;  // a rank that sends much and is sent little would hear of it too late
      list(wire->from);
    }
    if (std::exchange(wire->is_copy, false))
      wire_bytes_ -= wire->buffer.capacity();
    else
      dispatcher_.transport().recycle(std::move(wire->buffer));
    wire->buffer = transport::Buffer();
    wire->next = spare_;
    spare_ = wire;
    wire = next;
  }
}

/// By the thread that serves the transport.
void MessageAggregator::count_memory() {
  const std::uint64_t held = dispatcher_.transport().held_bytes() + wire_bytes_;
  if (held == counted_) return;
  budget_->take_shared(static_cast<std::int64_t>(held - counted_));
  counted_ = held;
}

void MessageAggregator::note_memory(bool is_scarce) {
  window_.store(is_scarce ? options_.window / kNarrow : options_.window, std::memory_order_relaxed);
}

MessageAggregator::WireMessage* MessageAggregator::new_wire_message() {
  if (spare_) return std::exchange(spare_, spare_->next);
  return wire_messages_.emplace_back(std::make_unique<WireMessage>()).get();
}

std::int64_t MessageAggregator::in_transit(unsigned colour) const {
  std::uint64_t sent = 0;
  for (const auto& counter : counters_) sent += counter->handed_in_[colour];
  return static_cast<std::int64_t>(sent - arrived_[colour]);
}

bool MessageAggregator::is_flushed() const {
  return dispatcher_.is_flushed() &&
         std::all_of(outgoing_.begin(), outgoing_.end(),
                     [this](const Outgoing& out) { return out.queue.empty() && !has_batches(out); });
}

bool MessageAggregator::Counter::refuses(PeId to) const {
  const Credit& credit = aggregator_.credit_[aggregator_.layout_.rank_of(to)];
  return credit.is_congested.load(std::memory_order_relaxed) ||
         credit.handed_in.load(std::memory_order_relaxed) - credit.released.load(std::memory_order_relaxed) >=
             aggregator_.window_.load(std::memory_order_relaxed);
}

Batch* MessageAggregator::Counter::open(PeId to) {
  back_.drain([this](Batch* const& batch) { spare_.push_back(batch); });
  if (spare_.empty()) {
    spare_.reserve(batches_.size() + 1);
    spare_.push_back(batches_.emplace_back(std::make_unique<Batch>()).get());
  }
  Batch* const batch = spare_.back();
  spare_.pop_back();
  batch_bytes_ -= batch->bytes.capacity();
  batch->from = self_;
  batch->to = to;
  batch->count = batch->cancellations = 0;
  batch->bytes.clear();
  return batch;
}

void MessageAggregator::Counter::hand_in(Batch* batch) {
  batch_bytes_ += batch->bytes.capacity();
  batch->colour = colour_;
  ++handed_in_[colour_];
  aggregator_.credit_[aggregator_.layout_.rank_of(batch->to)].handed_in.fetch_add(cost(batch->bytes.size()),
                                                                                  std::memory_order_relaxed);
  out_.push(batch);
  out_.publish();
}

}  // namespace anachron::fabric
