// The C interface of the Python package: Ctrl-C during a call of the library. Python's own handler runs only
// when the main thread comes back to Python, which it does not while a handler of the model is in an endless
// loop.

#include <atomic>
#include <csignal>

#include "errors.hpp"

namespace {

/// How often Ctrl-C was pressed since the calls in progress began; loops of compiled handlers read it.
std::atomic<int> asked = 0;
static_assert(std::atomic<int>::is_always_lock_free && sizeof asked == sizeof(int));

struct sigaction before;

}  // namespace

/// Counts Ctrl-C from now on, instead of what Python does with it. By the main thread only.
ANACHRON_EXPORT void anachron_interrupts_begin() {
  asked.store(0, std::memory_order_relaxed);
  struct sigaction counting{};
  counting.sa_handler = [](int) { asked.fetch_add(1, std::memory_order_relaxed); };
  sigemptyset(&counting.sa_mask);
  sigaction(SIGINT, &counting, &before);
}
/// Returns how often it was pressed.
ANACHRON_EXPORT int anachron_interrupts_end() {
  sigaction(SIGINT, &before, nullptr);
  return asked.exchange(0, std::memory_order_relaxed);
}
ANACHRON_EXPORT const void* anachron_end_asked() { return &asked; }
