#include "run/load/load_threads.hpp"

#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "run/signals/interrupt.hpp"

namespace anachron {

namespace {

using Nanoseconds = std::chrono::nanoseconds;

constexpr Nanoseconds kLook = std::chrono::milliseconds(10);  // how often a sleeping thread looks for the end

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

Nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

}  // namespace

LoadThreads::LoadThreads(const LoadOptions& options)
    : options_(options), shop_(make_workshop(options)), used_(options.threads) {}

double LoadThreads::work_per_s() const {
  double all = 0;
  for (const LoadUsage& usage : used_) all += static_cast<double>(usage.work);
  return wall_s_ > 0 ? all / wall_s_ : 0;
}

/// However the thread that waits leaves: all others end then.
struct LoadThreads::End {
  LoadThreads& load;
  ~End() {
    load.ends_.store(true, std::memory_order_relaxed);
    load.pause(false);
  }
};

void LoadThreads::run(Gang* gang) {
  began_ = Clock::now();
  if (gang) {
    slices_.emplace(options_.slice.value_or(kUsualSlice), began_);
    pause(true);
  }
  {
    std::vector<std::jthread> threads;
    const End end{*this};
    start(threads);
    wait_for_end(gang);
  }  // joins
  wall_s_ = seconds(Clock::now() - began_);
  for (const LoadUsage& usage : used_)
    if (!usage.error.empty()) throw std::runtime_error(usage.error);
}

void LoadThreads::start(std::vector<std::jthread>& threads) try {
  for (unsigned thread = 0; thread < used_.size(); ++thread)
    threads.emplace_back([this, thread] { work(thread); });
} catch (const std::system_error& error) {
  throw std::runtime_error(fmt::format("--threads: cannot start {}: {}", used_.size(), error.what()));
}

bool LoadThreads::is_over() const {
  return InterruptGuard::requested() || ends() ||
         (options_.seconds && seconds(Clock::now() - began_) >= *options_.seconds);
}

void LoadThreads::wait_for_end(Gang* gang) {
  while (!is_over()) {
    Nanoseconds sleep = kLook;
    if (gang && !gang_ended_s_) {
      take_turns(*gang);
      sleep = std::min<Nanoseconds>(sleep, slices_->until() - Clock::now());
    }
    if (sleep > Nanoseconds(0)) std::this_thread::sleep_for(sleep);
  }
  if (gang && !gang_ended_s_) slices_->end(Clock::now());
}

/// Never both at a time. Where the process has ended, the load goes on alone.
void LoadThreads::take_turns(Gang& gang) {
  if (gang.has_ended()) {
    slices_->end(Clock::now());
    gang_ended_s_ = seconds(Clock::now() - began_);
    return pause(false);
  }
  if (Clock::now() < slices_->until()) return;
  if (slices_->is_gangs()) {
    gang.stop();
    slices_->turn(Clock::now());
    pause(false);
  } else {
    pause(true);
    slices_->turn(Clock::now());
    gang.go_on();
  }
}

void LoadThreads::pause(bool is_paused) {
  is_paused_.store(is_paused, std::memory_order_relaxed);
  if (!is_paused) is_paused_.notify_all();
}

double LoadThreads::await_turn() const {
  if (!is_paused_.load(std::memory_order_relaxed)) [[likely]]
    return 0;
  const auto began = Clock::now();
  is_paused_.wait(true, std::memory_order_relaxed);
  return seconds(Clock::now() - began);
}

void LoadThreads::work(unsigned thread) {
  LoadUsage& usage = used_[thread];
  // Or else the system lets a sleep of a microsecond take fifty more.
  prctl(PR_SET_TIMERSLACK, 1);
  try {
    const std::unique_ptr<Work> work = shop_->make(thread);
    std::optional<TemporaryFile> file;
    if (options_.io) file.emplace();
    while (!ends()) {
      work_for_a_period(*work, usage);
      ++usage.periods;
      if (options_.period && !ends()) rest(file);
    }
  } catch (const std::exception& error) {
    usage.error = error.what();
    ends_.store(true, std::memory_order_relaxed);
  }
  usage.cpu_s = std::chrono::duration<double>(processor_time()).count();
}

/// Until the end or for a period of processor time: what the system gives to others is no work.
void LoadThreads::work_for_a_period(Work& work, LoadUsage& usage) {
  const auto began = Clock::now();
  const auto until =
      options_.period ? processor_time() + std::chrono::microseconds(*options_.period) : Nanoseconds::max();
  double paused_s = 0;
  std::uint64_t done = 0;
  do {
    paused_s += await_turn();
    done += work.step();
  } while (!ends() && (!options_.period || processor_time() < until));
  usage.work += done;
  usage.on_s += seconds(Clock::now() - began) - paused_s;
}

void LoadThreads::rest(std::optional<TemporaryFile>& file) const {
  const auto until = Clock::now() + std::chrono::microseconds(*options_.period);
  if (file) file->write();
  while (!ends()) {
    const auto left = until - Clock::now();
    if (left <= Nanoseconds(0)) return;
    std::this_thread::sleep_for(std::min<Nanoseconds>(left, kLook));
  }
}

}  // namespace anachron
