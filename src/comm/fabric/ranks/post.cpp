#include "comm/fabric/ranks/post.hpp"

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

Post::Post(transport::Hub& hub, const RankLayout& layout, const Options& options, std::uint64_t run)
    : hub_(hub),
      layout_(layout),
      options_(options),
      run_(run),
      most_parcel_(hub.most_bytes() - sizeof(MessageHeader) - sizeof(ParcelHeader) - 8),
      outgoing_(layout.ranks()),
      incoming_(layout.ranks()),
      credit_(std::make_unique<Credit[]>(layout.ranks())),
      window_(options.window) {
  for (std::size_t i = 0; i < layout.own().count; ++i)
    counters_.push_back(std::make_unique<Counter>(*this, static_cast<PeId>(layout.own().first + i)));
  hub_.on(transport::Kind::events, [this](unsigned from, transport::Buffer& message,
                                          std::span<const std::byte> body) { receive(from, message, body); });
}

Post::~Post() { hub_.on(transport::Kind::events, nullptr); }

bool Post::serve(bool waits) {
  take_letters_back();
  bool any = gather();
  any |= pack_all();
  any |= look(waits);
  if (budget_) count_memory();
  return any;
}

/// What PEs have handed in since the last time.
bool Post::gather() {
  std::uint64_t count = 0;
  for (const auto& counter : counters_)
    count += counter->out_.drain([this](Parcel* const& parcel) {
      const unsigned to = layout_.rank_of(parcel->to);
      outgoing_[to].queue.push_back(parcel);
      outgoing_[to].waiting += parcel->bytes.size();
      list(to);
    });
  return count > 0;
}

void Post::list(unsigned to) {
  if (!std::exchange(outgoing_[to].is_listed, true)) listed_.push_back(to);
}

bool Post::pack_all() {
  bool any = false;
  std::erase_if(listed_, [&](unsigned to) {
    any |= pack(to);
    tell_congestion(to);
    Outgoing& out = outgoing_[to];
    out.is_listed = out.owes_word || !out.queue.empty() || has_parcels(out);
    return !out.is_listed;
  });
  return any;
}

/// Fills messages to that rank and sends them, until all have left or the transport takes no more.
bool Post::pack(unsigned to) {
  Outgoing& out = outgoing_[to];
  bool any = false;
  while (out.owes_word || !out.queue.empty() || has_parcels(out)) {
    if (!out.is_sealed) any |= fill(out);
    if (!send_message(to)) return any;
    any = true;
  }
  return any;
}

void Post::tell_congestion(unsigned to) {
  const Outgoing& out = outgoing_[to];
  const std::uint64_t messages =
      options_.consolidates ? out.waiting / hub_.most_bytes() : std::uint64_t{out.queue.size()};
  const bool is_congested = messages >= kMostWaiting;
  std::atomic<bool>& told = credit_[to].is_congested;
  if (told.load(std::memory_order_relaxed) != is_congested)
    told.store(is_congested, std::memory_order_relaxed);
}

void Post::begin_message(Outgoing& out) {
  out.message = hub_.message(transport::Kind::events);
  put(out.message, MessageHeader{});  // filled in when it leaves
}

/// Puts parcels into the message, as many as fit.
bool Post::fill(Outgoing& out) {
  bool any = false;
  if (out.message.capacity() == 0) begin_message(out);
  while (!out.queue.empty() && !out.is_sealed) {
    Parcel& parcel = *out.queue.front();
    const std::size_t size = parcel.bytes.size();
    const bool is_large = size > most_parcel_;
    if (!is_large && out.message.room() < cost(size)) {
      out.is_sealed = true;
      break;
    }
    if (is_large && out.sent_of_first == 0 && has_parcels(out)) {
      out.is_sealed = true;  // it begins a message of its own
      break;
    }
    any = true;
    if (is_large) {
      const std::size_t first = out.sent_of_first;
      if (first == 0) out.events += parcel.count;
      const std::size_t room = out.message.room() - (first == 0 ? sizeof(ParcelHeader) : 0);
      const std::size_t count = std::min(size - first, room);
      append(out, parcel, first, count);
      out.sent_of_first = first + count;
      out.is_sealed = true;
      if (out.sent_of_first < size) break;
      out.sent_of_first = 0;
    } else {
      append(out, parcel, 0, size);
      out.message.resize(out.message.size() + (padded(size) - size));
      out.events += parcel.count;
      if (!options_.consolidates) out.is_sealed = true;
    }
    out.queue.pop_front();
    out.waiting -= size;
    Counter& counter = this->counter(parcel.from);
    counter.back_.push(&parcel);
    counter.back_.publish();
  }
  return any;
}

void Post::append(Outgoing& out, const Parcel& parcel, std::size_t first, std::size_t count) {
  if (first == 0) put(out.message, ParcelHeader(parcel, parcel.bytes.size()));
  const std::size_t at = out.message.size();
  out.message.resize(at + count);
  if (count > 0) std::memcpy(out.message.data() + at, parcel.bytes.data() + first, count);
}

/// False: the transport takes no more now.
bool Post::send_message(unsigned to) {
  Outgoing& out = outgoing_[to];
  const MessageHeader header{.run = run_, .released = incoming_[to].released};
  std::memcpy(out.message.data() + transport::Hub::kHeader, &header, sizeof header);
  const std::size_t size = out.message.size();
  if (!hub_.try_send(to, out.message)) return false;
  out.message = transport::Buffer();
  out.told = header.released;
  out.is_sealed = out.owes_word = false;
  ++figures_.messages_sent;
  figures_.bytes_sent += size;
  figures_.events_sent += std::exchange(out.events, 0);
  return true;
}

/// Looks for what has arrived; not every time, because a look costs something (Wang et al. 2013, section
/// 3.2). Adaptive: half as often after each look in vain, always after one that found something. While a GVT
/// round waits for messages, history grows: no longer than a few rounds of service then.
bool Post::look(bool waits) {
  const bool is_urgent = is_in_round_ && options_.polling_period == 0;
  if (!waits && ++rounds_ < (is_urgent ? std::min(period_, kLongestInGvtRound) : period_)) return false;
  rounds_ = 0;
  const bool found = hub_.poll() > 0;
  ++figures_.probes;
  figures_.successful_probes += found;
  if (options_.polling_period > 0)
    period_ = options_.polling_period;
  else
    period_ = found ? 1 : std::min(2 * period_, kLongestPeriod);
  return found;
}

void Post::receive(unsigned from, transport::Buffer& message, std::span<const std::byte> body) {
  MessageHeader header{};
  if (body.size() < sizeof header) throw std::logic_error("anachron: internal error: a message is cut off");
  std::memcpy(&header, body.data(), sizeof header);
  if (header.run != run_) return;  // a word alone: all parcels of a run arrive before it ends
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
  const ParcelHeader first(body);
  Letter* const letter = new_letter();
  letter->from = from;
  const std::uint64_t whole = sizeof first + first.bytes();
  if (whole > body.size()) {
    copy(*letter, body, whole);
    in.large = letter;
  } else if (2 * body.size() < message.capacity()) {
    copy(*letter, body, body.size());
    route(letter, 0);
  } else {
    const std::size_t begin = static_cast<std::size_t>(body.data() - message.data());
    letter->buffer = std::move(message);
    route(letter, begin);
  }
}

/// Into memory of the letter's own, for `bytes` in all.
void Post::copy(Letter& letter, std::span<const std::byte> body, std::uint64_t bytes) {
  letter.buffer = transport::Buffer(bytes);
  letter.buffer.resize(body.size());
  std::memcpy(letter.buffer.data(), body.data(), body.size());
  letter.is_copy = true;
  letter_bytes_ += bytes;
}

/// Brings each parcel to its PE.
void Post::route(Letter* letter, std::size_t begin) {
  const auto bytes = std::span<const std::byte>(letter->buffer.bytes());
  std::uint32_t count = 0;
  letter->bytes = 0;
  ParcelHeader header;
  for (std::size_t at = begin; at < bytes.size(); at += cost(header.bytes()), ++count) {
    header = ParcelHeader(bytes.subspan(at));
    letter->bytes += cost(header.bytes());
  }
  letter->unread.store(count, std::memory_order_relaxed);  // the channels publish it
  for (std::size_t at = begin; count > 0; at += cost(header.bytes()), --count) {
    header = ParcelHeader(bytes.subspan(at));
    ++arrived_[header.colour()];
    auto& deliveries = counter(header.to()).deliveries_;
    deliveries.push({letter, at});
    deliveries.publish();
  }
}

void Post::was_read(Letter* letter) {
  // Release: the reading is over. Acquire: so it is for the others who have read in it.
  if (letter->unread.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  letter->next = read_.load(std::memory_order_relaxed);
  while (!read_.compare_exchange_weak(letter->next, letter, std::memory_order_release,
                                      std::memory_order_relaxed))
    continue;
}

void Post::take_letters_back() {
  if (!read_.load(std::memory_order_relaxed)) return;
  Letter* letter = read_.exchange(nullptr, std::memory_order_acquire);
  while (letter) {
    Letter* const next = letter->next;
    Incoming& in = incoming_[letter->from];
    in.released += letter->bytes;
    if (Outgoing& out = outgoing_[letter->from];
        in.released - out.told >= options_.window / (4 * kNarrow) && !out.owes_word) {
      out.owes_word = true;  // a rank that sends much and is sent little would hear of it too late
      list(letter->from);
    }
    if (std::exchange(letter->is_copy, false))
      letter_bytes_ -= letter->buffer.capacity();
    else
      hub_.transport().recycle(std::move(letter->buffer));
    letter->buffer = transport::Buffer();
    letter->next = spare_;
    spare_ = letter;
    letter = next;
  }
}

/// By the thread that serves the transport.
void Post::count_memory() {
  const std::uint64_t held = hub_.transport().held_bytes() + letter_bytes_;
  if (held == counted_) return;
  budget_->take_shared(static_cast<std::int64_t>(held - counted_));
  counted_ = held;
}

void Post::note_memory(bool is_scarce) {
  window_.store(is_scarce ? options_.window / kNarrow : options_.window, std::memory_order_relaxed);
}

Post::Letter* Post::new_letter() {
  if (spare_) return std::exchange(spare_, spare_->next);
  return letters_.emplace_back(std::make_unique<Letter>()).get();
}

std::int64_t Post::in_transit(unsigned colour) const {
  std::uint64_t sent = 0;
  for (const auto& counter : counters_) sent += counter->handed_in_[colour];
  return static_cast<std::int64_t>(sent - arrived_[colour]);
}

bool Post::is_flushed() const {
  return hub_.is_flushed() && std::all_of(outgoing_.begin(), outgoing_.end(), [this](const Outgoing& out) {
           return out.queue.empty() && !has_parcels(out);
         });
}

bool Post::Counter::refuses(PeId to) const {
  const Credit& credit = post_.credit_[post_.layout_.rank_of(to)];
  return credit.is_congested.load(std::memory_order_relaxed) ||
         credit.handed_in.load(std::memory_order_relaxed) - credit.released.load(std::memory_order_relaxed) >=
             post_.window_.load(std::memory_order_relaxed);
}

Parcel* Post::Counter::open(PeId to) {
  back_.drain([this](Parcel* const& parcel) { spare_.push_back(parcel); });
  if (spare_.empty()) {
    spare_.reserve(parcels_.size() + 1);
    spare_.push_back(parcels_.emplace_back(std::make_unique<Parcel>()).get());
  }
  Parcel* const parcel = spare_.back();
  spare_.pop_back();
  parcel_bytes_ -= parcel->bytes.capacity();
  parcel->from = self_;
  parcel->to = to;
  parcel->count = 0;
  parcel->bytes.clear();
  return parcel;
}

void Post::Counter::hand_in(Parcel* parcel) {
  parcel_bytes_ += parcel->bytes.capacity();
  parcel->colour = colour_;
  ++handed_in_[colour_];
  post_.credit_[post_.layout_.rank_of(parcel->to)].handed_in.fetch_add(cost(parcel->bytes.size()),
                                                                       std::memory_order_relaxed);
  out_.push(parcel);
  out_.publish();
}

}  // namespace anachron::fabric
