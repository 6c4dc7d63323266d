// A copy of this process, which does one thing with memory as it is now while this process goes on.
#pragma once

#include <cstdint>
#include <functional>

#include <sys/types.h>

namespace anachron::topo {

/// By fork(): memory is shared until one of the two writes to it. The copy has one thread, gives way to other
/// processes, and ends with this one.
class ProcessCopy {
 public:
  /// There may be enough memory for a copy in which all is written to.
  static bool fits();

  /// Makes one, which calls `action`. That must not need other threads, nor files that are open. Throws
  /// std::runtime_error when the system makes none.
  explicit ProcessCopy(const std::function<std::uint64_t()>& action);
  /// Ends it if it is still there.
  ~ProcessCopy();
  ProcessCopy(const ProcessCopy&) = delete;
  ProcessCopy& operator=(const ProcessCopy&) = delete;

  /// What `action` has returned there. Throws std::runtime_error with what it threw there, or when the copy
  /// was killed. Once, on any thread.
  std::uint64_t wait();

  /// Its number; -1: it was waited for.
  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
  int result_ = -1;  // a pipe
};

}  // namespace anachron::topo
