// Preloaded into a program that writes checkpoints (tests/support/kills.bash compiles it). Of the calls that
// write, sync, rename and remove files it counts those of the program and of the copy of it that writes. The
// environment says what to do:
//   KILL_AT      before the call with this number, kill the program and its copy; a rename counts before and
//   after it SYNC_SECONDS how long each fsync takes longer SYNC_LOG     a file that lists the path of each
//   file and folder that is synced
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

const pid_t program = getpid();  // the same in the copy
const char* const kill_at = getenv("KILL_AT");
const char* const sync_seconds = getenv("SYNC_SECONDS");
const char* const sync_log = getenv("SYNC_LOG");
// Of the program and its copy together.
std::atomic<long>* const calls = static_cast<std::atomic<long>*>(
    mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));

void count() {
  if (!kill_at || ++*calls != atol(kill_at)) return;
  kill(program, SIGKILL);
  kill(getpid(), SIGKILL);
}

void log_path_of(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  FILE* const log = length > 0 ? fopen(sync_log, "a") : nullptr;
  if (!log) return;
  fprintf(log, "%.*s\n", static_cast<int>(length), path);
  fclose(log);
}

template <class Function, class... Arguments>
auto pass_on(const char* name, Arguments... arguments) {
  count();
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name))(arguments...);
}

}  // namespace

extern "C" {
ssize_t write(int file, const void* bytes, size_t size) {
  return pass_on<ssize_t (*)(int, const void*, size_t)>("write", file, bytes, size);
}
int fsync(int file) {
  if (sync_seconds) usleep(static_cast<useconds_t>(atof(sync_seconds) * 1e6));
  if (sync_log) log_path_of(file);
  return pass_on<int (*)(int)>("fsync", file);
}
int rename(const char* from, const char* to) noexcept {
  const int result = pass_on<int (*)(const char*, const char*)>("rename", from, to);
  count();
  return result;
}
int remove(const char* path) noexcept { return pass_on<int (*)(const char*)>("remove", path); }
int unlinkat(int folder, const char* path, int flags) noexcept {
  return pass_on<int (*)(int, const char*, int)>("unlinkat", folder, path, flags);
}
}
