#include "sched/trials/worker_trials.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "throttle/costs.hpp"

namespace anachron::sched {
namespace {

std::unique_ptr<IdleCores> make_idle_cores(const WorkerTrials::Cores& cores) {
  if (cores.threads) return std::make_unique<SampledIdleCores>(cores.threads, cores.count);
  return cores.idle_s ? std::make_unique<CountedIdleCores>(cores.idle_s) : nullptr;
}

}  // namespace

WorkerTrials::WorkerTrials(unsigned most, Cores cores, bool has_windows)
    : cores_(std::move(cores)), other_loads_(make_idle_cores(cores_)) {
  for (unsigned workers = most; workers > 1; workers /= 2) {
    if (has_windows) choices_.push_back({.workers = workers, .in_windows = true});
    choices_.push_back({.workers = workers});
  }
  choices_.push_back({.workers = 1});
  while (choices_[incumbent_].workers > cores_.count && incumbent_ + 1 < choices_.size()) ++incumbent_;
  present_ = first_ = incumbent_;
  if (cores_.are_wanted && !has_windows && incumbent_ + 1 < choices_.size()) begin_with_fewer();
}

/// As if these had won a trial. Others who leave soon are some who come and go.
void WorkerTrials::begin_with_fewer() {
  present_ = ++incumbent_;
  term_s_ = kLongestTerm;
  gave_way_s_ = 0;
  other_loads_.assume_taken();
}

void WorkerTrials::begin_term(const gvt::TermFacts& now) {
  choices_[present_].was_active = true;
  begin_sample(mark(now));
  next_look_s_ = now.wall_s + kGlance;
  disturbance_ = {};
  is_time_sliced_ = cores_.has_time_slicing && goes_in_order() && is_guess();
  if (!is_trial()) shares_.latest.forget();
  other_loads_.pause();
  if (std::exchange(is_back_, false)) {
    const double done = static_cast<double>(now.committed - trial_.asked.committed);
    const double lost = now.wall_s - trial_.asked.wall_s - done / choices_[incumbent_].rate.value_or(1);
    trial_.cost_s = std::max(lost, 0.0);
    stretch_term();
  }
  if (std::exchange(has_begun_, true) && !asked_s_) return;  // a session goes on: the same term
  switch_s_ = asked_s_ ? (switch_s_ + now.wall_s - *asked_s_) / 2 : usual_switch(now);
  asked_s_.reset();
  if (term_s_ == 0) term_s_ = std::max(kFirstTerm, kTermPerSwitch * switch_s_);
  begun_ = sample_;
}

bool WorkerTrials::ends_term(const gvt::TermFacts& now) {
  if (choices_.size() == 1 || is_forced_) return false;
  disturbance_.is_now |= now.is_disturbed;
  shares_.awake.add(now.awake == 0 ? count() : now.awake);
  if (now.wall_s < next_look_s_) return false;
  next_look_s_ = now.wall_s + kGlance;
  if (!is_trial() && count() < choices_.front().workers) other_loads_.look(now.wall_s);
  // The second worker is counted as well, for a while after its turn: only without it an idle core shows.
  if (cores_.threads && other_loads_.is_enough()) is_time_sliced_ = false;
  if (!has_small_windows(now)) {
    if (!ends_sample(now)) return false;
    if (!is_trial() && !wants_trial(now)) return false;
  }
  if (!is_trial()) trial_.asked = now;
  asked_s_ = now.wall_s;
  return true;
}

/// Whether enough has been seen for a look at the rate, which is taken then.
bool WorkerTrials::ends_sample(const gvt::TermFacts& now) {
  const double least = !is_measuring()                  ? settling()
                       : goes_in_order() && !is_trial() ? kSampleInOrder
                                                        : kSample;
  if (now.wall_s - sample_.now.wall_s < least) return false;
  if (!is_measuring() && !is_warm(now)) return false;
  const Mark here = mark(now);
  const double seconds = seconds_since(sample_, here);
  if (!is_measuring()) {
    if (seconds >= settling()) begin_sample(here);
    return false;
  }
  if (is_trial() && seconds < kSample) return false;
  look(here);
  disturbance_.end_sample(patience_);
  return true;
}

/// The incumbent's term is over, or there is an alarm.
bool WorkerTrials::wants_trial(const gvt::TermFacts& now) {
  const double lasted = now.wall_s - begun_.now.wall_s;
  alarm_.is_on =
      lasted < wanted_term(now) || (has_beaten_all() && lasted < kTermPerTrial * 2 * usual_switch(now));
  // Those who disturb may leave soon: a trial beside them would tell nothing of the time after.
  const bool is_in_doubt = !goes_in_order() && !disturbance_.is_over() && !is_disturbed();
  if (!alarm_.is_on) return !is_in_doubt || lasted >= kTermInDoubt * wanted_term(now) + patience_ * kSample;
  return lasted >= soonest(now) &&
         (is_disturbed() || other_loads_.has_come() || others_yield() || has_changed());
}

/// Threads wait for cores, and one worker has its core nevertheless. If they are of a low priority, more
/// workers pay; if they are of another session, a trial shows that these do not.
bool WorkerTrials::others_yield() const {
  if (!cores_.used_s || !goes_in_order() || is_time_sliced_ || !other_loads_.is_too_little()) return false;
  const double wall_s = sample_.now.wall_s - begun_.now.wall_s, used_s = sample_.used_s - begun_.used_s;
  return wall_s > kLongEnough && used_s > kUndisputed * wall_s;
}

/// Seconds of a term that do not count.
double WorkerTrials::settling() const { return goes_in_order() ? kSettlingInOrder : kSettling; }

/// A trial beside others has executed as many events as were pending when it began: each was fetched once.
/// Meanwhile the system has moved the others to where workers have left. Without others a trial tells sooner.
bool WorkerTrials::is_warm(const gvt::TermFacts& now) const {
  return !is_trial() || !trial_.was_beside_others ||
         now.committed - begun_.now.committed >= begun_.now.pending ||
         now.wall_s - begun_.now.wall_s >= kLongestSettling;
}

/// Seconds until the next trial. Several workers can be a bad choice by far, as with a small model or small
/// windows. That shows before the first trial of fewer in what they undo and wait for. Where they are not, a
/// trial must not be more than 2% of the time. More than few workers beside threads that wait for cores will
/// hardly pay.
double WorkerTrials::wanted_term(const gvt::TermFacts& now) const {
  const Choice& present = choices_[present_];
  if (other_loads_.is_too_little())
    return std::max(term_s_, kTermPerTrial * (trial_.cost_s > 0 ? trial_.cost_s : kTrialBesideOthers));
  if (now.executed == 0 || knows_any([&](const Choice& c) { return c.workers < present.workers; }))
    return term_s_;
  if (lost(now) >= kLittleLost) return term_s_;
  const double usual_trial = 2 * usual_switch(now) + kSettlingInOrder + kSample;
  return std::max({term_s_, kLongestTerm, kTermPerTrial / 2 * usual_trial});
}

/// There is a rate of such a choice.
template <class Predicate>
bool WorkerTrials::knows_any(const Predicate& is_meant) const {
  return std::any_of(choices_.begin(), choices_.end(),
                     [&](const Choice& choice) { return choice.rate && is_meant(choice); });
}

/// Of the time of several workers, since the run began.
double WorkerTrials::lost(const gvt::TermFacts& now) const {
  if (now.executed == 0) return 0;
  const double undone = static_cast<double>(now.rolled_back) / static_cast<double>(now.executed);
  return throttle::kRollbackCost * undone + now.waiting_s / (now.wall_s * count());
}

/// The first windows are hardly worth a rate.
bool WorkerTrials::has_small_windows(const gvt::TermFacts& now) const {
  return goes_in_windows() && is_measuring() && present_ == first_ && !rate_at_trial_ &&
         lost(now) > kMuchLost;
}

/// Seconds that a change of workers takes as a rule.
double WorkerTrials::usual_switch(const gvt::TermFacts& now) {
  return kLeastSwitch + kSwitchPerEvent * static_cast<double>(now.pending);
}

/// When an alarm may end a term. Each that was false makes the next one later. Several workers who have won
/// by far and are not seen to be disturbed are slower because the model is.
double WorkerTrials::soonest(const gvt::TermFacts& now) const {
  const double calm = has_beaten_all() && !is_disturbed() ? kCalmPerSwitch * usual_switch(now) : 0;
  return std::min(std::max(shortest_term(), calm) * alarm_.pause, std::max(term_s_, calm));
}

/// Other programs use the workers' cores, and have done so for a while.
bool WorkerTrials::is_disturbed() const { return disturbance_.samples >= patience_; }

/// The incumbent's rate is not what it was when it won, or not what another number was seen to reach. These
/// changes say nothing:
///   - that of a single worker's rate, which goes up and down where another program uses its core;
///   - that more workers have become faster, as a reason to try fewer;
///   - that fewer were once faster, if that was with cores that other programs have now;
///   - any change during a disturbance: the disturbance has changed, and is waited for.
bool WorkerTrials::has_changed() const {
  if (is_crowded() || !disturbance_.is_past()) return false;
  const double rate = *choices_[present_].rate;
  if (!goes_in_order() && rate_at_trial_ &&
      ((count() < choices_[first_].workers && rate > kChange * *rate_at_trial_) ||
       rate < *rate_at_trial_ / kChange))
    return true;
  return std::any_of(choices_.begin(), choices_.end(), [rate](const Choice& other) {
    return other.rate && *other.rate > kBetter * kBetter * rate;
  });
}

WorkerTrials::Mark WorkerTrials::mark(const gvt::TermFacts& now) const {
  return {.now = now, .used_s = cores_.used_s ? cores_.used_s() / count() : now.wall_s};
}

void WorkerTrials::begin_sample(const Mark& here) {
  sample_ = here;
  shares_.awake.forget();
}

/// Events per second, in the long run. Of fewer workers than have shared the cores with other programs
/// before: what they commit while they have a core, times what they will have of it.
double WorkerTrials::rate_of_sample(const Mark& here) const {
  const double wall_s = here.now.wall_s - sample_.now.wall_s, used_s = here.used_s - sample_.used_s;
  const double rate = static_cast<double>(here.now.committed - sample_.now.committed) / wall_s;
  return count() < shares_.workers && used_s > 0 ? rate * wall_s / used_s * shares_.of_fewer.value() : rate;
}

/// Seconds that count: while others have most of its core, one worker in order, which never waits, tells
/// little.
double WorkerTrials::seconds_since(const Mark& begin, const Mark& here) const {
  const double wall_s = here.now.wall_s - begin.now.wall_s;
  return goes_in_order() ? std::min(wall_s, 2 * (here.used_s - begin.used_s)) : wall_s;
}

/// Takes the rate of a sample that ends.
void WorkerTrials::look(const Mark& here) {
  const double wall_s = here.now.wall_s - sample_.now.wall_s, used_s = here.used_s - sample_.used_s;
  if (count() < shares_.workers) shares_.of_fewer.add(used_s, wall_s);
  const double rate = rate_of_sample(here);
  Choice& choice = choices_[present_];
  if (is_trial()) {
    choice.rate = rate;
    choice.samples = 1;
  } else {
    const double share = std::min(used_s * count() / (wall_s * shares_.awake.mean_or(count())), 1.0);
    shares_.latest.add(share);
    disturbance_.is_now |= count() > 1 && share < kShared;
    // A program that is there at first is likely to stay. One that comes later has been seen to come.
    const bool has_just_begun = choice.samples == 0;
    if (has_just_begun && count() > 1 && !disturbance_.is_now) patience_ = kForGood;
    is_time_sliced_ |= cores_.has_time_slicing && goes_in_order() &&
                       shares_.latest.count() >= kSamplesToSlicing && shares_.latest.mean_or(1) < kOwn;
    const double most = shares_.latest.mean_or(1) < kOwn ? kSamplesBesideOthers : kSamples;
    choice.samples = std::min(choice.samples + 1, most);
    choice.rate = choice.rate.value_or(0) + (rate - choice.rate.value_or(0)) / choice.samples;
  }
  choice.wall_s += wall_s;
  begin_sample(here);
}

/// The incumbent gives way to fewer workers in a trial, which is too short to see what these get of the cores
/// beside other programs. That is reckoned from what the incumbent gets. A worker in windows wastes nothing
/// of its share, which is no less than that of workers that are time-sliced.
void WorkerTrials::expect_share() {
  const double share = shares_.latest.mean_or(0);
  const unsigned workers = choices_[present_].workers, before = choices_[incumbent_].workers;
  if (workers >= before || share <= 0) return;
  shares_.workers = before;
  const double others = foreign_threads(share, before, cores_.count);
  shares_.fair = fair_share(others, workers, cores_.count);
  double sliced = 0;
  if (cores_.has_time_slicing && workers == 1 && !choices_[incumbent_].in_windows)
    sliced = kShareSliced * std::min(1.0, kSliced * fair_share(others, kSliced, cores_.count));
  shares_.of_fewer = LongShare(std::max(shares_.fair, sliced));
}

double WorkerTrials::shortest_term() const { return std::max(kFirstTerm, kPausePerSwitch * switch_s_); }

void WorkerTrials::choose(const gvt::TermFacts& now, Cause cause) {
  if (cause == Cause::no_memory) {
    is_forced_ = true;
    present_ = incumbent_ = first_;
    return;
  }
  if (is_trial()) {
    judge_trial(now.wall_s);
    is_back_ = present_ != incumbent_;
    present_ = incumbent_;
  } else {
    trial_.was_crowded = is_crowded();
    trial_.was_beside_others = shares_.latest.mean_or(1) < kOwn;
    present_ = next_challenger();
    expect_share();
    other_loads_.forget();
  }
}

/// The share of the cores that fewer workers have was predicted, not measured.
bool WorkerTrials::is_guess() const { return count() < shares_.workers && shares_.fair < kOwn; }

/// More workers could be active, but all cores are taken.
bool WorkerTrials::is_crowded() const {
  return count() < choices_.front().workers && other_loads_.is_taken();
}

/// Times the incumbent's rate, for the challenger to win. Beside others windows waste nothing, and need not
/// give way to fewer that are slower.
double WorkerTrials::wanted_gain() const {
  if (is_guess() && !choices_[incumbent_].in_windows) {
    const double share = std::clamp(shares_.of_fewer.value(), kCrowdedShare, kOwn);
    return kHardlySlower + (kNoSlower - kHardlySlower) * (share - kCrowdedShare) / (kOwn - kCrowdedShare);
  }
  if (trial_.was_beside_others && count() < choices_[incumbent_].workers) return kNoSlower;
  return trial_.was_crowded && count() > choices_[incumbent_].workers ? kClear : kBetter;
}

void WorkerTrials::judge_trial(double now_s) {
  const double challenger = choices_[present_].rate.value_or(0);
  const double incumbent = choices_[incumbent_].rate.value_or(0);
  const bool has_won = challenger > wanted_gain() * incumbent;
  if (has_won) {
    const bool is_sure =
        is_guess() || (count() > choices_[incumbent_].workers && challenger > kClear * incumbent);
    term_s_ = is_sure ? kLongestTerm : shortest_term();
    follow(now_s);
    incumbent_ = present_;
    alarm_.pause = 1;
    for (Choice& choice : choices_) choice.is_beaten = false;
  } else {
    if (alarm_.is_on) alarm_.pause *= kPausePerFalseAlarm;
    if (alarm_.is_on && trial_.was_beside_others && count() < choices_[incumbent_].workers)
      patience_ = more_patience();
    choices_[present_].is_beaten = incumbent > kClear * challenger;
    growth_ = choices_[present_].is_beaten ? 4 : 2;
  }
  // Fewer workers go on where others were seen to want all cores, and these may leave before the first look.
  if (has_won ? is_guess() : trial_.was_crowded) other_loads_.assume_taken();
  rate_at_trial_ = choices_[incumbent_].rate;
}

/// The challenger takes the incumbent's place. Short disturbances are ignored: each change of workers costs.
void WorkerTrials::follow(double now_s) {
  if (count() < choices_[incumbent_].workers) {
    if (trial_.was_beside_others) gave_way_s_ = now_s;
    return;
  }
  if (!gave_way_s_) return;
  const double lasted = now_s - *std::exchange(gave_way_s_, std::nullopt);
  const bool has_paid = lasted >= kPaid + kPaidPerSwitch * switch_s_;
  patience_ = has_paid ? kPatience : more_patience();
}

/// After a trial that the incumbent has won. Several workers feel it when another program takes their cores.
/// A single worker does not feel it when that program ends: only a trial shows that. So a clear answer for
/// several workers stands until it has paid for itself. A clear answer for fewer stands, too, while all cores
/// are taken: when they no longer are, the engine sees it.
void WorkerTrials::stretch_term() {
  const bool is_sure = has_beaten_all() || trial_.was_crowded;
  const double dear =
      goes_in_order() && !is_sure ? kTermPerSwitch * switch_s_ : kTermPerTrial * trial_.cost_s;
  const double longest = std::max(kLongestTerm, dear);
  const double usual = std::max(term_s_ * growth_, kLeastTermPerTrial * trial_.cost_s);
  term_s_ = is_sure ? longest : std::min(usual, longest);
}

/// Several workers have won by far against all whom they are tried against.
bool WorkerTrials::has_beaten_all() const {
  if (goes_in_order()) return false;
  const auto challengers = this->challengers();
  return std::all_of(challengers.begin(), challengers.end(),
                     [&](std::size_t choice) { return choice == incumbent_ || choices_[choice].is_beaten; });
}

/// The same workers the other way, the next fewer and the next more, in both ways, and one alone; the
/// incumbent where there are none.
std::array<std::size_t, 5> WorkerTrials::challengers() const {
  const std::size_t last = choices_.size() - 1, reach = choices_.front().in_windows ? 2 : 1;
  return {std::min(incumbent_ + 1, last), incumbent_ - std::min<std::size_t>(incumbent_, 1), last,
          std::min(incumbent_ + reach, last), incumbent_ - std::min(incumbent_, reach)};
}

std::size_t WorkerTrials::next_challenger() {
  const auto candidates = challengers();
  for (;;)
    if (const std::size_t candidate = candidates[turn_++ % candidates.size()]; candidate != incumbent_)
      return candidate;
}

std::vector<WorkerTrial> WorkerTrials::tried() const {
  std::vector<WorkerTrial> out;
  for (const Choice& choice : choices_)
    if (choice.was_active)
      out.push_back({.workers = choice.workers,
                     .in_windows = choice.in_windows,
                     .rate = choice.rate,
                     .wall_s = choice.wall_s});
  return out;
}

}  // namespace anachron::sched
