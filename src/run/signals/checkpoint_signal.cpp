#include "run/signals/checkpoint_signal.hpp"

#include <atomic>

namespace anachron {
namespace {

// A signal handler can reach nothing else. Written by the handler and by the thread that asks.
std::atomic<bool> is_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_checkpoint_signal(int) { is_asked.store(true, std::memory_order_relaxed); }

}  // namespace

CheckpointSignal::CheckpointSignal() {
  is_asked.store(false, std::memory_order_relaxed);
  struct sigaction action{};
  action.sa_handler = on_checkpoint_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, &before_);
}

CheckpointSignal::~CheckpointSignal() { sigaction(SIGUSR1, &before_, nullptr); }

bool CheckpointSignal::is_free() {
  struct sigaction now{};
  return sigaction(SIGUSR1, nullptr, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}

bool CheckpointSignal::take() noexcept { return is_asked.exchange(false, std::memory_order_relaxed); }

}  // namespace anachron
