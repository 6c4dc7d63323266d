#include "comm/transport/dispatcher.hpp"

#include <cstring>
#include <stdexcept>

namespace anachron::transport {

void Dispatcher::on(Kind kind, Receive receive) {
  const auto at = static_cast<std::size_t>(kind);
  receivers_[at] = std::move(receive);
  if (!receivers_[at]) return;
  for (Early& early : std::exchange(early_[at], {})) deliver(receivers_[at], early.from, early.message);
}

Buffer Dispatcher::message(Kind kind) {
  Buffer message = transport_.buffer();
  std::memcpy(message.data(), &kind, kHeader);
  message.resize(kHeader);
  return message;
}

bool Dispatcher::try_send(unsigned to, Buffer& message) {
  if (!waiting_[to].empty()) flush();
  return waiting_[to].empty() && transport_.try_send(to, message);
}

void Dispatcher::send(unsigned to, Kind kind, std::span<const std::byte> body) {
  Buffer message = this->message(kind);
  if (!body.empty()) std::memcpy(message.data() + kHeader, body.data(), body.size());
  message.resize(kHeader + body.size());
  if (try_send(to, message)) return;
  if (waiting_[to].empty()) waits_for_.push_back(to);
  waiting_[to].push_back(std::move(message));
}

std::size_t Dispatcher::poll() {
  flush();
  return transport_.poll(kMostAtOnce,
                         [this](unsigned from, Buffer message) { hand_over(from, std::move(message)); });
}

void Dispatcher::flush() {
  std::erase_if(waits_for_, [this](unsigned to) {
    std::deque<Buffer>& waiting = waiting_[to];
    while (!waiting.empty() && transport_.try_send(to, waiting.front())) waiting.pop_front();
    return waiting.empty();
  });
}

void Dispatcher::hand_over(unsigned from, Buffer message) {
  Kind kind{};
  if (message.size() < kHeader) throw std::logic_error("anachron: internal error: a message without a kind");
  std::memcpy(&kind, message.data(), kHeader);
  const auto at = static_cast<std::size_t>(kind);
  if (at >= kKinds) throw std::logic_error("anachron: internal error: a message of an unknown kind");
  if (receivers_[at])
    deliver(receivers_[at], from, message);
  else
    early_[at].push_back({from, std::move(message)});
}

void Dispatcher::deliver(const Receive& receive, unsigned from, Buffer& message) {
  const auto body = std::span<const std::byte>(message.bytes()).subspan(kHeader);
  receive(from, message, body);
  if (message.capacity() > 0) transport_.recycle(std::move(message));
}

}  // namespace anachron::transport
