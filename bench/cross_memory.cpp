// Prints what it costs to read another process's memory (cross memory attach, as MPI does for messages above
// its eager limit) beside two copies through shared memory, by size: the least of 3,000 times each, in
// microseconds. Usage: bench_cross_memory

#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr std::size_t kMost = 65536;  // bytes

template <class Do>
double least_us(Do&& act) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3000; ++i) {
    const auto begin = Clock::now();
    act();
    least = std::min(least, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return least;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

}  // namespace

int main() {
  void* const shared = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail("mmap");
  std::vector<char> from(kMost, 1), to(kMost, 2);
  const pid_t other = fork();
  if (other < 0) fail("fork");
  if (other == 0) {
    pause();
    _exit(0);
  }
  for (const std::size_t bytes : {256, 1024, 4096, 8192, 16384, 65536}) {
    const double read = least_us([&] {
      const iovec here{to.data(), bytes}, there{from.data(), bytes};
      if (process_vm_readv(other, &here, 1, &there, 1, 0) < 0) {
        kill(other, SIGKILL);
        fail("process_vm_readv");
      }
    });
    const double copies = least_us([&] {
      std::memcpy(shared, from.data(), bytes);
      asm volatile("" ::"r"(shared) : "memory");
      std::memcpy(to.data(), shared, bytes);
      asm volatile("" ::"r"(to.data()) : "memory");
    });
    std::printf("%zu bytes: read %.2f us, copied twice %.2f us\n", bytes, read, copies);
  }
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}
