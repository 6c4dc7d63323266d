// Gang scheduling of another process: all its threads run, or none (Feitelson and Rudolph, Gang scheduling
// performance benefits for fine-grain synchronization, 1992; Wang et al. 2015, section 8.7).
#pragma once

#include <sys/types.h>

#include <chrono>

namespace anachron {

/// A process that is stopped and goes on as a whole. However this program ends, also by SIGKILL, the process
/// goes on then: a child of this program waits for that.
class Gang {
 public:
  /// Throws InputError where there is no such process, or none that may be signalled. Forks: before there are
  /// threads.
  explicit Gang(int pid);
  ~Gang();
  Gang(const Gang&) = delete;
  Gang& operator=(const Gang&) = delete;

  void stop();
  void go_on();
  /// The process is no more.
  bool has_ended() const;

 private:
  void signal(int number) const;

  int process_ = -1;       // a descriptor of the process: its number may be another one's later
  int guardian_end_ = -1;  // closed when this program ends
  pid_t guardian_ = -1;
};

/// Turns of the same length, of the gang first.
class Slices {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  Slices(double length_s, Clock::time_point begin)
      : length_(std::chrono::duration_cast<Clock::duration>(Seconds(length_s))),
        since_(begin),
        until_(begin + length_) {}

  bool is_gangs() const { return is_gangs_; }
  Clock::time_point until() const { return until_; }
  /// The other side has the next turn, from now on.
  void turn(Clock::time_point now) {
    end(now);
    is_gangs_ = !is_gangs_;
    until_ = now + length_;
    ++count_;
  }
  /// The present turn ends.
  void end(Clock::time_point now) {
    (is_gangs_ ? gang_s_ : load_s_) += Seconds(now - since_).count();
    since_ = now;
  }

  unsigned count() const { return count_; }
  double gang_s() const { return gang_s_; }
  double load_s() const { return load_s_; }

 private:
  Clock::duration length_;
  Clock::time_point since_, until_;
  bool is_gangs_ = true;
  unsigned count_ = 1;
  double gang_s_ = 0, load_s_ = 0;
};

}  // namespace anachron
