#include "sched/mapping/detector.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>

namespace anachron::sched {

/// What each worker has found in its last period. Relaxed: each value on its own may be a little old.
class Findings {
 public:
  explicit Findings(unsigned workers) : of_(workers) {}
  void tell(unsigned worker, double value) { of_[worker].value.store(value, std::memory_order_relaxed); }
  double of(unsigned worker) const { return of_[worker].value.load(std::memory_order_relaxed); }
  unsigned workers() const { return static_cast<unsigned>(of_.size()); }

 private:
  struct alignas(kNoSharing) PerWorker {  // written by its worker, read by all once per period
    std::atomic<double> value{0};
  };
  std::vector<PerWorker> of_;
};

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Finds seconds per event; 0: it has executed none.
class ProcessingTime final : public Detector {
 public:
  ProcessingTime(unsigned worker, double threshold, const Activity& activity, Findings& findings)
      : worker_(worker), threshold_(threshold), activity_(activity), findings_(findings) {}

  void begin_turn() override { began_ = Clock::now(); }
  void end_turn(Turn turn) override {
    if (turn.executed == 0) return;
    seconds_ += seconds_between(began_, Clock::now());
    events_ += turn.executed;
  }
  std::optional<unsigned> detect() override {
    if (events_ == 0 || seconds_ < kPeriod) return std::nullopt;
    findings_.tell(worker_, seconds_ / static_cast<double>(events_));
    seconds_ = 0;
    events_ = 0;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    unsigned slowest = worker_;
    for (unsigned worker = 0; worker < findings_.workers(); ++worker) {
      const double per_event = findings_.of(worker);
      if (per_event == 0 || !activity_.is_active(worker)) continue;
      least = std::min(least, per_event);
      if (per_event > most) most = per_event, slowest = worker;
    }
    if (!(most > threshold_ * least)) return std::nullopt;
    findings_.tell(slowest, 0);  // until it has something new to say
    return slowest;
  }

 private:
  // Seconds: so long that what only takes part of a millisecond, as a page fault or a commit, is not taken
  // for another program. A time slice of another program, some milliseconds, is far more.
  static constexpr double kPeriod = 0.5e-3;

  const unsigned worker_;
  const double threshold_;  // of the ratio of two workers
  const Activity& activity_;
  Findings& findings_;
  Clock::time_point began_;
  double seconds_ = 0;
  std::uint64_t events_ = 0;
};

class ProcessingInterference final : public Detector {
 public:
  ProcessingInterference(unsigned worker, const Activity& activity) : worker_(worker), activity_(activity) {}
  std::optional<unsigned> detect() override {
    if (activity_.count() <= 1) return std::nullopt;  // the last goes on whatever it finds
    return timed_yield() > kLongestYield ? std::optional(worker_) : std::nullopt;
  }

 private:
  const unsigned worker_;
  const Activity& activity_;
};

/// What the system knows of the calling thread.
class SchedulerStatistics {
 public:
  SchedulerStatistics() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0 && !waited_of_file()) ::close(std::exchange(file_, -1));
  }
  SchedulerStatistics(const SchedulerStatistics&) = delete;
  SchedulerStatistics& operator=(const SchedulerStatistics&) = delete;
  ~SchedulerStatistics() {
    if (file_ >= 0) ::close(file_);
  }

  /// Seconds that the thread was ready to run, and another one ran.
  double waited_s() const {
    if (const auto waited = waited_of_file()) return *waited;
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return static_cast<double>(usage.ru_nivcsw) * kPerSwitch;
  }

 private:
  static constexpr double kPerSwitch = 3e-3;  // a usual time slice

  // "RAN WAITED SLICES", in nanoseconds.
  std::optional<double> waited_of_file() const {
    std::array<char, 128> text;
    const ssize_t length = file_ < 0 ? -1 : ::pread(file_, text.data(), text.size(), 0);
    if (length <= 0) return std::nullopt;
    const char* const end = text.data() + length;
    std::uint64_t ran = 0, waited = 0;
    const auto first = std::from_chars(text.data(), end, ran);
    if (first.ec != std::errc() || first.ptr == end || ran == 0) return std::nullopt;
    if (std::from_chars(first.ptr + 1, end, waited).ec != std::errc()) return std::nullopt;
    return static_cast<double>(waited) * 1e-9;
  }

  int file_;
};

/// Finds the share of time in which the thread was ready to run, and another one ran.
class KernelAccount final : public Detector {
 public:
  KernelAccount(unsigned worker, const Activity& activity, Findings& findings)
      : worker_(worker), activity_(activity), findings_(findings) {}
  void end_turn(Turn turn) override {
    executed_ += turn.executed;
    undone_ += turn.undone;
  }
  std::optional<unsigned> detect() override {
    const auto now = Clock::now();
    const double passed = seconds_between(since_, now);
    if (passed < kPeriod) return std::nullopt;
    const double waited = statistics_.waited_s();
    const double share = (waited - waited_) / passed;
    since_ = now;
    waited_ = waited;
    usual_share_.add(share);
    findings_.tell(worker_, usual_share_.possible());
    usual_undone_.add(static_cast<double>(undone_) /
                      static_cast<double>(std::max<std::uint64_t>(executed_, 1)));
    executed_ = undone_ = 0;
    return is_held_up(usual_share_.lasting(), least_of_others(), usual_undone_.value())
               ? std::optional(worker_)
               : std::nullopt;
  }

 private:
  static constexpr double kPeriod = 10e-3;  // seconds, more than a time slice

  double least_of_others() const {
    double least = std::numeric_limits<double>::infinity();
    for (unsigned worker = 0; worker < findings_.workers(); ++worker)
      if (worker != worker_ && activity_.is_active(worker)) least = std::min(least, findings_.of(worker));
    return least;
  }

  const unsigned worker_;
  const Activity& activity_;
  Findings& findings_;
  SchedulerStatistics statistics_;
  Usual usual_share_, usual_undone_;
  std::uint64_t executed_ = 0, undone_ = 0;  // events, in the period
  Clock::time_point since_ = Clock::now();
  double waited_ = statistics_.waited_s();
};

}  // namespace

Detectors::Detectors(anachron::Detector kind, double apte_threshold, unsigned workers,
                     const Activity& activity)
    : kind_(kind),
      apte_threshold_(apte_threshold),
      activity_(activity),
      findings_(std::make_unique<Findings>(workers)) {}
Detectors::~Detectors() = default;

std::unique_ptr<Detector> Detectors::make(unsigned worker) {
  switch (kind_) {
    case anachron::Detector::apte:
      return std::make_unique<ProcessingTime>(worker, apte_threshold_, activity_, *findings_);
    case anachron::Detector::interference:
      return std::make_unique<ProcessingInterference>(worker, activity_);
    case anachron::Detector::kernel:
      break;
  }
  return std::make_unique<KernelAccount>(worker, activity_, *findings_);
}

}  // namespace anachron::sched
