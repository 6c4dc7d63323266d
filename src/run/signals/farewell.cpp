#include "run/signals/farewell.hpp"

#include <atomic>
#include <cerrno>
#include <fstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "checkpoint/folder.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {
namespace {

// A signal handler can reach nothing else. Written by the handler, read by the thread that waits.
std::atomic<bool> is_impatient{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A signal to a process and then to its group is one request, as for InterruptGuard.
extern "C" void on_another_signal(int) {
  const int saved = errno;
  constexpr std::chrono::milliseconds kSameRequest{300};
  const auto since = InterruptGuard::since_request();
  if (since && *since > kSameRequest) is_impatient.store(true, std::memory_order_relaxed);
  errno = saved;
}

/// Whether this child process is a launcher such as mpirun. A program such as `env` that has made itself the
/// launcher counts, too.
bool is_launcher(pid_t child) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", child)), name);
  return name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "orterun" || name == "prterun";
}

}  // namespace

Farewell::Farewell(pid_t child, std::filesystem::path folder, std::chrono::duration<double> grace)
    : child_(child),
      folder_(std::move(folder)),
      grace_(grace),
      before_(checkpoint::checkpoints_in(folder_)),
      waits_(is_launcher(child)) {
  if (!waits_) {
    ::kill(child_, SIGTERM);
    return;
  }
  is_impatient.store(false, std::memory_order_relaxed);
  interrupt_ = listen_to(SIGINT, on_another_signal);
  terminate_ = listen_to(SIGTERM, on_another_signal);
  ::kill(child_, SIGUSR1);
}

Farewell::~Farewell() {
  if (waits_) end();
}

void Farewell::look() {
  if (!waits_ || !has_waited_enough()) return;
  end();
  ::kill(child_, SIGTERM);
}

bool Farewell::has_waited_enough() const {
  return is_impatient.load(std::memory_order_relaxed) || Clock::now() - began_ > grace_ ||
         checkpoint::checkpoints_in(folder_) != before_;
}

void Farewell::end() {
  waits_ = false;
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

}  // namespace anachron
