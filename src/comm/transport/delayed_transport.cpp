#include "comm/transport/delayed_transport.hpp"

#include <utility>

#include <fmt/format.h>

namespace anachron::transport {
namespace {

// What a slow link holds. More stays with the inner transport, which tells senders that they are too fast.
constexpr std::size_t kMostWaiting = 1024;

}  // namespace

std::string DelayedTransport::description() const {
  const double microseconds = std::chrono::duration<double, std::micro>(latency_).count();
  return fmt::format("{}, {} µs slower", inner_.description(), microseconds);
}

void DelayedTransport::recycle(Buffer buffer) { inner_.recycle(std::move(buffer)); }

std::size_t DelayedTransport::poll(std::size_t limit, const Receive& take) {
  // Also with room for none: what was sent has to get on.
  inner_.poll(kMostWaiting - waiting_.size(), [&](unsigned from, Buffer bytes) {
    waiting_.push_back({from, Clock::now() + latency_, std::move(bytes)});
  });
  std::size_t taken = 0;
  const auto now = Clock::now();
  for (; taken < limit && !waiting_.empty() && waiting_.front().due <= now; ++taken) {
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    take(message.from, std::move(message.bytes));
  }
  return taken;
}

}  // namespace anachron::transport
