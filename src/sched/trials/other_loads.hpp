// What other processes take of the cores: how many cores are idle, and what share workers get beside them.
// Also whether the processes that used the cores have left them, so that more workers may pay again.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace anachron::sched {

/// The mean of the last `kMost` values.
template <std::size_t kMost>
class Recent {
 public:
  void forget() { count_ = 0; }
  void add(double value) { values_[count_++ % values_.size()] = value; }
  std::size_t count() const { return std::min(count_, values_.size()); }
  double mean_or(double other) const {
    double sum = 0;
    for (std::size_t i = 0; i < count(); ++i) sum += values_[i];
    return count() > 0 ? sum / static_cast<double>(count()) : other;
  }

 private:
  std::array<double, kMost> values_{};
  std::size_t count_ = 0;
};

/// How many cores have been idle of late. Systems count idle time in steps of many milliseconds; where they
/// tell how many threads run or want to, that is looked at again and again instead.
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

/// How many threads of other processes want the cores, when each of so many workers, who never sleep, gets
/// this share of one. Precondition: share > 0.
constexpr double foreign_threads(double share, unsigned workers, unsigned cores) {
  return std::max(0.0, cores / share - workers);
}

/// The share of a core that each of so many workers gets beside them.
constexpr double fair_share(double foreign_threads, unsigned workers, unsigned cores) {
  return std::min(1.0, cores / (foreign_threads + workers));
}

/// The share that a worker gets in the long run: at first what is expected, then more and more what it was.
/// For some hundredths of a second it may be anything, as the system takes a while to move others to where
/// workers have left.
class LongShare {
 public:
  explicit LongShare(double expected) : used_s_(expected * kWeight) {}

  /// Seconds of a core that it has had, of so many.
  void add(double used_s, double wall_s) {
    const double kept = std::exp(-wall_s / kMemory);
    used_s_ = used_s_ * kept + used_s;
    wall_s_ = wall_s_ * kept + wall_s;
  }
  double value() const { return used_s_ / wall_s_; }

 private:
  static constexpr double kWeight = 0.2,
                          kMemory = 1;  // seconds: of what is expected; how long all of it counts

  double used_s_, wall_s_ = kWeight;
};

/// Whether other processes that used the cores have left them.
class OtherLoads {
 public:
  /// `cores`: null: not known.
  explicit OtherLoads(std::unique_ptr<IdleCores> cores) : cores_(std::move(cores)) {}

  /// Forgets what it has seen: more workers are tried.
  void forget() {
    was_taken_ = false;
    is_too_little_.reset();
    free_ = 0;
    unused_.forget();
    pause();
  }
  /// Others were seen to want all cores: they may have left them before the first look.
  void assume_taken() { was_taken_ = true; }
  /// The time since the last look says nothing: workers have changed.
  void pause() {
    if (cores_) cores_->forget();
  }

  /// From time to time, at `wall_s` seconds, while fewer workers are active than there are.
  void look(double wall_s) {
    if (!cores_) return;
    if (const auto cores = cores_->mean(wall_s)) note(*cores);
  }

  /// There was no core left, and still is none.
  bool is_taken() const { return was_taken_ && free_ == 0 && !is_at_times(); }
  /// Not even for all who want one.
  bool is_too_little() const { return is_too_little_.value_or(false); }
  /// As far as is known: where idle time is counted, nobody is seen to wait.
  bool is_enough() const { return !is_too_little_.value_or(true); }
  /// There was no core left, and for a while there has been one, or now and again.
  bool has_come() const { return was_taken_ && (free_ >= kFree || is_at_times()); }

 private:
  static constexpr double kTaken = 0.5, kRoom = 0.75, kTooLittle = -0.5;  // idle cores
  static constexpr int kFree = 2;  // answers in a row: a moment says nothing
  static constexpr std::size_t kAnswers = 8;
  static constexpr double kUnused = 0.2;  // of a core

  void note(IdleCores::Answer cores) {
    if (cores.idle < kTaken) was_taken_ = true;
    is_too_little_ = cores.idle < kTooLittle;
    free_ = cores.idle > kRoom ? free_ + 1 : 0;
    unused_.add(cores.unused);
  }

  /// Others who come and go leave so much of a core that more workers may pay, however many they are while
  /// they are there.
  bool is_at_times() const { return unused_.count() == kAnswers && unused_.mean_or(0) > kUnused; }

  std::unique_ptr<IdleCores> cores_;
  bool was_taken_ = false;
  std::optional<bool> is_too_little_;
  int free_ = 0;
  Recent<kAnswers> unused_;
};

}  // namespace anachron::sched
