#include "comm/transport/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <anachron/base/bytes.hpp>
#include <anachron/base/platform.hpp>

namespace anachron::transport {

Exchange::Exchange(Dispatcher& dispatcher) : dispatcher_(dispatcher), incoming_(dispatcher.ranks()) {
  dispatcher_.on(Kind::exchange,
                 [this](unsigned from, Buffer&, std::span<const std::byte> body) { take(from, body); });
}

Exchange::~Exchange() { dispatcher_.on(Kind::exchange, nullptr); }

std::vector<Bytes> Exchange::gather(Bytes own) {
  if (dispatcher_.rank() != 0) {
    send(0, own);
    return {};
  }
  std::vector<Bytes> all;
  all.push_back(std::move(own));
  for (unsigned from = 1; from < dispatcher_.ranks(); ++from) all.push_back(receive(from));
  return all;
}

Bytes Exchange::broadcast(Bytes from_first) {
  // Down a binomial tree: rank r has it from r without its highest bit, and passes it on to r + 2^k.
  const unsigned self = dispatcher_.rank();
  unsigned bit = 1;
  for (; bit <= self; bit *= 2) continue;
  Bytes bytes = self == 0 ? std::move(from_first) : receive(self - bit / 2);
  for (; self + bit < dispatcher_.ranks(); bit *= 2) send(self + bit, bytes);
  return bytes;
}

std::vector<Bytes> Exchange::gather_for_all(Bytes own) {
  Bytes packed;
  ByteWriter out(packed);
  for (const Bytes& bytes : gather(std::move(own))) {
    out.length(bytes.size());
    out.bytes(bytes.data(), bytes.size());
  }
  packed = broadcast(std::move(packed));
  std::vector<Bytes> all;
  for (ByteReader in(packed); in.remaining() > 0;) {
    Bytes& bytes = all.emplace_back(in.length_of(1));
    in.bytes(bytes.data(), bytes.size());
  }
  return all;
}

std::vector<Bytes> Exchange::all_to_all(std::vector<Bytes> to_each) {
  const unsigned self = dispatcher_.rank();
  for (unsigned rank = 0; rank < dispatcher_.ranks(); ++rank)
    if (rank != self) send(rank, std::exchange(to_each[rank], {}));
  std::vector<Bytes> from_each(dispatcher_.ranks());
  for (unsigned rank = 0; rank < dispatcher_.ranks(); ++rank)
    from_each[rank] = rank == self ? std::move(to_each[self]) : receive(rank);
  return from_each;
}

std::int64_t Exchange::sum(std::int64_t own) {
  const auto number = [](std::int64_t n) {
    Bytes bytes(sizeof n);
    std::memcpy(bytes.data(), &n, sizeof n);
    return bytes;
  };
  std::int64_t total = 0;
  for (const Bytes& bytes : gather(number(own))) {
    std::int64_t n = 0;
    std::memcpy(&n, bytes.data(), sizeof n);
    total += n;
  }
  const Bytes bytes = broadcast(number(total));
  std::memcpy(&total, bytes.data(), sizeof total);
  return total;
}

/// In pieces, behind its size.
void Exchange::send(unsigned to, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  std::byte head[sizeof size];
  std::memcpy(head, &size, sizeof size);
  dispatcher_.send(to, Kind::exchange, head);
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), dispatcher_.most_bytes());
    dispatcher_.send(to, Kind::exchange, bytes.first(n));
    bytes = bytes.subspan(n);
    if (!dispatcher_.is_flushed()) dispatcher_.poll();
  }
  // Who goes on may not serve the dispatcher again for long.
  for (Backoff backoff; !dispatcher_.is_flushed(); backoff.wait())
    if (dispatcher_.poll() > 0) backoff.reset();
}

Bytes Exchange::receive(unsigned from) {
  Incoming& incoming = incoming_[from];
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPeriod{100};
  const Clock::time_point began = Clock::now();
  Clock::time_point next = began + kPeriod;
  for (Backoff backoff; incoming.whole.empty(); backoff.wait()) {
    if (dispatcher_.poll() > 0) backoff.reset();
    if (serve_) serve_();
    if (!watch_ || Clock::now() < next) continue;
    next = Clock::now() + kPeriod;
    watch_(from, std::chrono::duration<double>(Clock::now() - began).count());
  }
  Bytes bytes = std::move(incoming.whole.front());
  incoming.whole.pop_front();
  return bytes;
}

void Exchange::take(unsigned from, std::span<const std::byte> body) {
  Incoming& incoming = incoming_[from];
  if (!incoming.is_open) {
    std::memcpy(&incoming.missing, body.data(), sizeof incoming.missing);
    incoming.is_open = true;
    incoming.current.clear();
  } else {
    incoming.current.insert(incoming.current.end(), body.begin(), body.end());
    incoming.missing -= body.size();
  }
  if (incoming.missing > 0) return;
  incoming.whole.push_back(std::exchange(incoming.current, {}));
  incoming.is_open = false;
}

}  // namespace anachron::transport
