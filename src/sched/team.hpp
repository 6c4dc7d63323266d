// The threads of a run. They live as long as it does and sleep between two pieces of work, so that each stays
// where it was bound and near the memory that it touched first.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace anachron::sched {

class Team {
 public:
  /// Throws std::system_error when there are no more threads to be had.
  explicit Team(unsigned members);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Has each member call `work(member)` once. Precondition: all are done with the work before; `work` throws
  /// nothing.
  void begin(std::function<void(unsigned)> work);
  /// Waits until all are done; not longer than `patience`. Returns whether they are.
  bool wait_for(std::chrono::milliseconds patience);
  void wait();
  /// How many are done.
  unsigned done();

 private:
  void live(unsigned member, const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any has_begun_;
  std::condition_variable all_done_;
  std::function<void(unsigned)> work_;
  std::uint64_t begun_ = 0;  // pieces of work
  unsigned done_ = 0;
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace anachron::sched
