#include "run/traces/flight_file.hpp"

#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/watch/recording.hpp"
#include "run/files/output_file.hpp"
#include "run/rank.hpp"

namespace anachron {
namespace {

constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A signal handler can reach nothing but globals. Relaxed, because they carry no other data.

// A handler asks for a record. Taken back by the thread that has started the run.
std::atomic<bool> is_wanted{false};
// What that thread is to die of when it has answered; 0: nothing.
std::atomic<int> dies_of{0};
// The answer to a fatal signal: the record is written. Written by that thread, read by the handler.
std::atomic<bool> is_written{false};
// The thread that answers. When it has crashed itself there is no record.
std::atomic<pid_t> answering{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

// Only async-signal-safe calls in handlers.

extern "C" void on_request(int) { is_wanted.store(true, std::memory_order_relaxed); }

extern "C" void on_fatal(int signal, siginfo_t* info, void*) {
  constexpr int kPatience = 200;  // times 10 ms
  const bool answers = answering.load(std::memory_order_relaxed) == ::gettid();
  if (answers && info->si_code <= 0) {  // another process has sent it
    dies_of.store(signal, std::memory_order_relaxed);
    return is_wanted.store(true, std::memory_order_relaxed);
  }
  if (!answers) {
    is_wanted.store(true, std::memory_order_relaxed);
    const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
    for (int i = 0; i < kPatience && !is_written.load(std::memory_order_relaxed); ++i)
      ::nanosleep(&pause, nullptr);
  }
  // The handler is gone by SA_RESETHAND: the signal now does what it does.
  ::raise(signal);
}

/// Whether there was no handler. Where there was one it stays.
bool install(int signal, struct sigaction action, struct sigaction& before) {
  ::sigaction(signal, nullptr, &before);
  if ((before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL) return false;
  ::sigemptyset(&action.sa_mask);
  return ::sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

std::filesystem::path FlightFile::default_path() {
  std::error_code none;
  return std::filesystem::temp_directory_path(none) / fmt::format("anachron-{}.pftrace", ::getpid());
}

FlightFile::FlightFile(std::filesystem::path path, Of of, std::function<void(const std::string&)> say)
    : path_(std::move(path)), of_(of), say_(std::move(say)) {
  is_wanted.store(false, std::memory_order_relaxed);
  is_written.store(false, std::memory_order_relaxed);
  dies_of.store(0, std::memory_order_relaxed);
  answering.store(::gettid(), std::memory_order_relaxed);
  struct sigaction before{}, request{}, fatal{};
  request.sa_handler = on_request;
  request.sa_flags = SA_RESTART;
  fatal.sa_sigaction = on_fatal;
  fatal.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
  if (install(SIGUSR2, request, before)) replaced_.push_back({SIGUSR2, before});
  for (const int signal : kFatal)
    if (install(signal, fatal, before)) replaced_.push_back({signal, before});
}

FlightFile::~FlightFile() {
  for (const Replaced& replaced : replaced_) ::sigaction(replaced.signal, &replaced.before, nullptr);
}

FlightRecordOutput FlightFile::output() {
  return {.write = [this](std::string_view reason, std::string_view trace) { write(reason, trace); },
          .is_wanted = [] { return is_wanted.exchange(false, std::memory_order_relaxed); }};
}

void FlightFile::write(std::string_view reason, std::string_view trace) {
  if (of_ == Of::engine && reason == engine::Recording::kModelError) return;
  try {
    OutputFile("flight-record", path_).write(trace);
    say_(fmt::format("{}: what the workers did last is in {}, for ui.perfetto.dev", reason, path_.string()));
  } catch (const std::exception& error) {
    say_(fmt::format("{}: no flight record: {}", reason, error.what()));
  }
  is_written.store(true, std::memory_order_relaxed);
  if (const int signal = dies_of.load(std::memory_order_relaxed)) ::raise(signal);
}

}  // namespace anachron
