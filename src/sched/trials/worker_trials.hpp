// Finds out while a model runs how many workers pay, so that a parallel run is not slower than a sequential
// one. Where the model has lookahead, it also finds out whether windows are faster than Time Warp. What two
// cores bring depends on the model, on how far the cores are apart, and on what other programs use them. None
// of it is known before, and all of it changes.
//
// The number in use, the incumbent, alternates with others: a challenger gets a short term, then the better
// one goes on. Each trial that the incumbent wins makes the next term longer, until trials cost
// about 1% of the time. A trial comes earlier when the incumbent's rate changes, or falls below what another
// number is known to reach, unless such alarms were false before. So a wrong answer, which noise may give, is
// found out soon. A machine that changes every second is followed: a core that other programs have left is a
// reason to ask, too.
//
// Where other programs want all cores, a run in Time Warp begins with fewer workers. There fewer workers go
// on when they are hardly slower, and more only when they are clearly faster. What more of them win is taken
// from other programs. One of these may be another such run and do the same; then both are far slower than if
// they shared the cores out. While no core is free there is little to ask.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <anachron/base/figures.hpp>

#include "sched/trials/active_workers.hpp"
#include "sched/trials/other_loads.hpp"

namespace anachron::sched {

class WorkerTrials final : public ActiveWorkers {
 public:
  /// What the system tells of the time of the cores that may be used.
  struct Cores {
    unsigned count = 1;
    std::function<double()> used_s{};     ///< by this process, all cores together; empty: not known
    CountedIdleCores::Seconds idle_s{};   ///< empty: not known
    SampledIdleCores::Threads threads{};  ///< of all programs; empty: not known, else instead of `idle_s`
    bool are_wanted = false;              ///< others want all of them when the run begins
    bool has_time_slicing = false;        ///< a second worker can alternate with one that goes in order
  };

  /// The choices are `most` workers, half of them, and so on; one worker executes in the order of keys. The
  /// run begins with no more workers than cores, and with fewer where other programs want all of these.
  /// `has_windows`: several workers may go in windows, and do so at first. Slow windows show soon, as
  /// waiting; slow Time Warp does not. Beside other programs windows lose little, so workers are not fewer
  /// then.
  WorkerTrials(unsigned most, Cores cores, bool has_windows = false);

  unsigned count() const override { return choices_[present_].workers; }
  bool goes_in_order() const override { return count() == 1 && !is_forced_; }
  bool goes_in_windows() const override { return choices_[present_].in_windows; }
  bool is_time_sliced() const override { return is_time_sliced_; }
  void begin_term(const gvt::TermFacts& now) override;
  bool ends_term(const gvt::TermFacts& now) override;
  void choose(const gvt::TermFacts& now, Cause cause) override;
  std::vector<WorkerTrial> tried() const override;

 private:
  // Seconds of one look at the rate, and of a trial: long enough to see past the start of a term, short
  // enough to cost little. Linux ends the time slice of a thread that asks for its processor time soon after
  // 3 ms, and otherwise at the next tick of its clock. So beside threads that do not ask, each look costs.
  static constexpr double kSample = 10e-3, kSampleInOrder = 30e-3;
  static constexpr double kGlance = 1e-3;  // seconds between two looks at the clock
  static constexpr double kFirstTerm = 20e-3, kLongestTerm = 1.0;
  // When several workers lose less, neither one worker nor, instead of windows, Time Warp can be much faster.
  // Then the first trial can wait. Many runs are over before, and a trial would be a good part of them.
  static constexpr double kLittleLost = 0.2;
  // Windows in which so much is lost are far too small. That is no reason to wait for the end of a term.
  static constexpr double kMuchLost = 0.4;
  // Seconds of a term that do not count: caches are cold, and one worker fetches what it has taken over.
  static constexpr double kSettling = 2e-3, kSettlingInOrder = 5e-3, kLongestSettling = 40e-3;
  static constexpr double kOwn = 0.9;  // of a core: next to nobody else uses it
  // Of a core, for so many seconds: nobody else wants it, though some wait for one.
  static constexpr double kUndisputed = 0.95, kLongEnough = 0.1;
  // After so many samples with less than kOwn a second worker alternates with the only one.
  static constexpr std::size_t kSamplesToSlicing = 2;
  // Workers that are time-sliced, and what they have together of what so many have who run all the time.
  static constexpr unsigned kSliced = 2;
  static constexpr double kShareSliced = 0.9;
  static constexpr double kShared = 0.65;  // of a core: others want about as much of all of them
  // Of the incumbent's rate, what fewer workers need to win: when they are to have two thirds of their cores,
  // and when nearly all. Between the two it is interpolated.
  static constexpr double kHardlySlower = 0.78, kCrowdedShare = 2 / 3., kNoSlower = 1.0;
  static constexpr double kBetter = 1.03;  // times as fast: less is no difference
  static constexpr double kClear = 1.15;   // times as fast: not to be asked again soon
  static constexpr double kChange = 1.25;  // times as fast or slow as before: something has changed
  // In a rate. Beside others there are few of their time slices in a sample, so that one says little.
  static constexpr double kSamples = 5, kSamplesBesideOthers = 20;
  // A change of workers moves what is pending: with several trials it must not be more than 1% of the time.
  static constexpr double kTermPerSwitch = 100, kPausePerSwitch = 10, kCalmPerSwitch = 50;
  // What a trial has cost, in time of the incumbent, must not be more than 1% either, and not much more at
  // first.
  static constexpr double kTermPerTrial = 100, kLeastTermPerTrial = 25;
  static constexpr double kPausePerFalseAlarm = 4;
  // Samples that a disturbance lasts before fewer workers are tried: at first, and times as many after each
  // trial in vain. A trial is in vain when fewer workers were slower or the other program left too soon.
  static constexpr int kPatience = 3, kMorePatience = 10, kMostPatience = 300;
  // After so many samples a load that came counts as one that stays, and one that left as gone.
  static constexpr int kForGood = 25;
  // Times as long until a trial while they come and go: it would tell of the moment only.
  static constexpr double kTermInDoubt = 3;
  // Seconds that fewer must go on for, or they have gained nothing: that others have left is seen after a
  // while only, and they must be changed twice.
  static constexpr double kPaid = 0.5, kPaidPerSwitch = 30;
  // What a trial beside others costs, until one has been measured: changes take whole time slices.
  static constexpr double kTrialBesideOthers = 40e-3;
  static constexpr double kSwitchPerEvent = 40e-9, kLeastSwitch = 0.3e-3;  // seconds, until measured

  struct Choice {
    unsigned workers = 1;
    bool in_windows = false;
    std::optional<double> rate{};  // events per second, of late
    double samples = 0;            // from which it comes
    double wall_s = 0;             // that it was active
    bool was_active = false;
    bool is_beaten = false;  // by far, when this incumbent was last compared with it
  };

  struct Mark {
    gvt::TermFacts now;
    double used_s = 0;  // that each of the present workers has had a core, since some time in the past
  };

  /// Of the cores, beside others.
  struct Shares {
    Recent<3> latest;      // of each worker of the incumbent who was awake, in its last samples
    Recent<64> awake;      // workers, in the present sample
    unsigned workers = 0;  // that had shares, when those of fewer were reckoned from these
    double fair = 1;       // of a core, expected of each of fewer workers beside the same foreign load
    LongShare of_fewer{1};
  };

  /// Another program uses a worker's core. One that does so for a moment is gone before a trial tells.
  struct Disturbance {
    static constexpr int kCalm = 8;  // samples without, until rates are what they were before it

    void end_sample(int most) {
      calm = is_now ? 0 : std::min(calm + 1, kForGood);
      samples = is_past() ? 0 : std::clamp(samples + (is_now ? 1 : -1), 0, most);
      is_now = false;
    }
    bool is_past() const { return calm >= kCalm; }
    bool is_over() const { return calm >= kForGood; }

    bool is_now = false;  // in the present sample
    int samples = 0;      // disturbed ones minus undisturbed ones, at least 0
    int calm = kForGood;  // since the last with
  };

  bool ends_sample(const gvt::TermFacts& now);
  bool wants_trial(const gvt::TermFacts& now);
  /// The first sample of the term has begun.
  bool is_measuring() const { return sample_.now.wall_s > begun_.now.wall_s; }
  bool is_disturbed() const;
  bool others_yield() const;
  bool has_changed() const;
  bool is_trial() const { return present_ != incumbent_; }
  Mark mark(const gvt::TermFacts& now) const;
  void begin_sample(const Mark& here);
  double rate_of_sample(const Mark& here) const;
  double seconds_since(const Mark& begin, const Mark& here) const;
  void look(const Mark& here);
  void expect_share();
  double shortest_term() const;
  double settling() const;
  bool is_warm(const gvt::TermFacts& now) const;
  double wanted_term(const gvt::TermFacts& now) const;
  double lost(const gvt::TermFacts& now) const;
  bool has_small_windows(const gvt::TermFacts& now) const;
  template <class Predicate>
  bool knows_any(const Predicate& is_meant) const;
  double soonest(const gvt::TermFacts& now) const;
  static double usual_switch(const gvt::TermFacts& now);
  bool has_beaten_all() const;
  std::array<std::size_t, 5> challengers() const;
  std::size_t next_challenger();
  void begin_with_fewer();
  bool is_guess() const;
  bool is_crowded() const;
  double wanted_gain() const;
  void judge_trial(double now_s);
  void follow(double now_s);
  int more_patience() const { return std::min(kMorePatience * patience_, kMostPatience); }
  void stretch_term();

  const Cores cores_;
  std::vector<Choice> choices_;  // most workers first
  std::size_t first_ = 0, present_ = 0, incumbent_ = 0;
  std::size_t turn_ = 0;             // of the challengers
  double term_s_ = 0;                // until the next trial
  double growth_ = 1;                // of the term, after a trial that the incumbent has won
  double switch_s_ = 0;              // what a change of workers costs
  struct Trial {                     // the last one
    gvt::TermFacts asked;            // when it was asked for
    bool was_crowded = false;        // when more workers could be active, but all cores were taken
    bool was_beside_others = false;  // other programs had part of the workers' cores
    double cost_s = 0;               // what the last trial that the incumbent has won has cost
  } trial_;
  bool has_begun_ = false;  // the first term
  bool is_back_ = false;    // the next term is the incumbent's again
  Disturbance disturbance_;
  int patience_ = kPatience;
  std::optional<double> gave_way_s_;  // when more workers gave way to the incumbent, beside others
  Shares shares_;
  OtherLoads other_loads_;               // while more workers could be active
  std::optional<double> rate_at_trial_;  // of the incumbent, when it was last compared
  Mark begun_, sample_;                  // of the present term, and of its present sample
  bool is_time_sliced_ = false;          // the present term, of one worker
  double next_look_s_ = 0;
  std::optional<double> asked_s_;  // when the last term was to end, until the next one begins
  struct Alarm {                   // ends a term of the incumbent before its time
    bool is_on = false;            // the last term ended so
    double pause = 1;              // until the next one, times the shortest
  } alarm_;
  bool is_forced_ = false;  // a single worker has had no memory
};

}  // namespace anachron::sched
