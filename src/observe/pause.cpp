#include "observe/pause.hpp"

namespace anachron::observe {

void Pause::begin() {
  const std::scoped_lock lock(mutex_);
  if (is_forbidden_ || is_on()) return;
  clock_.store(-now().count(), std::memory_order_relaxed);
}

void Pause::end() {
  const std::scoped_lock lock(mutex_);
  end_locked();
}

void Pause::forbid() {
  const std::scoped_lock lock(mutex_);
  is_forbidden_ = true;
  end_locked();
}

void Pause::allow() {
  const std::scoped_lock lock(mutex_);
  is_forbidden_ = false;
}

void Pause::end_locked() {
  if (!is_on()) return;
  clock_.store((steady() - now()).count(), std::memory_order_relaxed);
  is_over_.notify_all();
}

void Pause::wait(const std::function<void(bool)>& serve) {
  std::unique_lock lock(mutex_);
  while (is_on()) {
    if (!serve) {
      is_over_.wait(lock);
      continue;
    }
    lock.unlock();
    serve(true);
    lock.lock();
    if (is_on()) is_over_.wait_for(lock, kService);
  }
}

}  // namespace anachron::observe
