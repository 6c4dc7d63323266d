// What the first of several threads makes for all.
#pragma once

#include <atomic>
#include <cstdint>

namespace anachron::models::traffic {

class Once {
 public:
  bool is_made() const { return stage_.load(std::memory_order_acquire) == Stage::made; }

  /// Calls `make` unless it is made. A thread that comes while another one is at it waits, which is at most
  /// as long as doing it again. What `make` throws is passed on; the next thread may try.
  template <class Make>
  void make(const Make& make) {
    for (auto stage = Stage::missing; !stage_.compare_exchange_strong(stage, Stage::making);
         stage = Stage::missing) {
      if (stage == Stage::made) return;
      stage_.wait(Stage::making);
    }
    try {
      make();
    } catch (...) {
      set(Stage::missing);
      throw;
    }
    set(Stage::made);
  }

 private:
  enum class Stage : std::uint32_t { missing, making, made };

  void set(Stage stage) {
    stage_.store(stage, std::memory_order_release);
    stage_.notify_all();
  }

  std::atomic<Stage> stage_ = Stage::missing;  // acquire and release: who sees `made` sees what was made
};

}  // namespace anachron::models::traffic
