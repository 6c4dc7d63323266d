// How many cores nobody has used of late: by the time that they were idle, which systems count in steps of
// many milliseconds, or by how many threads run or want to, looked at again and again.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace anachron::sched {

class IdleCores {
 public:
  /// Cores, on average.
  struct Answer {
    double idle;    ///< negative where it is known that so many threads wait for one
    double unused;  ///< while no thread waited, whatever was at other times
  };

  virtual ~IdleCores() = default;
  /// What was before says nothing.
  virtual void forget() = 0;
  /// Asked from time to time, at `wall_s` seconds: since the last answer; none: it is too early for another
  /// one, or the system does not tell.
  virtual std::optional<Answer> mean(double wall_s) = 0;
};

class CountedIdleCores final : public IdleCores {
 public:
  /// Seconds that all cores together have been idle, since some time in the past; none: not known.
  using Seconds = std::function<std::optional<double>()>;
  explicit CountedIdleCores(Seconds seconds) : seconds_(std::move(seconds)) {}

  void forget() override { last_.reset(); }
  std::optional<Answer> mean(double wall_s) override {
    if (last_ && wall_s - last_->wall_s < kPeriod) return std::nullopt;
    const std::optional<double> idle_s = seconds_();
    if (!idle_s) return std::nullopt;
    const std::optional<Look> before = std::exchange(last_, Look{wall_s, *idle_s});
    if (!before) return std::nullopt;
    const double idle = (*idle_s - before->idle_s) / (wall_s - before->wall_s);
    return Answer{.idle = idle, .unused = idle};
  }

 private:
  static constexpr double kPeriod = 50e-3;  // seconds: some ticks of the system's clock

  struct Look {
    double wall_s, idle_s;
  };

  Seconds seconds_;
  std::optional<Look> last_{};
};

class SampledIdleCores final : public IdleCores {
 public:
  /// That run or want to, of all programs; none: not known.
  using Threads = std::function<std::optional<unsigned>()>;
  SampledIdleCores(Threads threads, unsigned cores) : threads_(std::move(threads)), cores_(cores) {}

  void forget() override { looks_ = 0; }
  std::optional<Answer> mean(double wall_s) override {
    if (looks_ > 0 && wall_s - last_s_ < kPerCore * cores_) return std::nullopt;
    const std::optional<unsigned> threads = threads_();
    if (!threads) return std::nullopt;
    last_s_ = wall_s;
    if (looks_ == 0) sum_ = {};
    const double idle = static_cast<double>(cores_) - *threads;
    sum_.idle += idle;
    sum_.unused += std::max(idle, 0.0);
    if (++looks_ < kLooks) return std::nullopt;
    looks_ = 0;
    return Answer{.idle = sum_.idle / kLooks, .unused = sum_.unused / kLooks};
  }

 private:
  static constexpr double kPerCore = 30e-6;  // seconds between two looks: the system adds up over all cores
  static constexpr unsigned kLooks = 10;

  Threads threads_;
  unsigned cores_;
  unsigned looks_ = 0;
  Answer sum_{};  // of these looks
  double last_s_ = 0;
};

}  // namespace anachron::sched
