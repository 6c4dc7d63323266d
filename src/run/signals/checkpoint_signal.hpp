// A signal that asks a run for a checkpoint.
#pragma once

#include <csignal>

namespace anachron {

/// While it lives, SIGUSR1 asks for a checkpoint instead of ending the program. One at a time.
class CheckpointSignal {
 public:
  CheckpointSignal();
  ~CheckpointSignal();
  CheckpointSignal(const CheckpointSignal&) = delete;
  CheckpointSignal& operator=(const CheckpointSignal&) = delete;

  /// The signal would end the program: nobody else waits for it.
  static bool is_free();
  /// Whether it has come since the last call.
  static bool take() noexcept;

 private:
  struct sigaction before_{};
};

}  // namespace anachron
