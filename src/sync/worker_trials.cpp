#include "sync/worker_trials.hpp"

#include <algorithm>
#include <utility>

namespace anachron::sync {

WorkerTrials::WorkerTrials(unsigned most, unsigned cores) {
  for (unsigned workers = most; workers > 1; workers /= 2) choices_.push_back({.workers = workers});
  choices_.push_back({.workers = 1});
  while (choices_[incumbent_].workers > cores && incumbent_ + 1 < choices_.size()) ++incumbent_;
  present_ = first_ = incumbent_;
}

void WorkerTrials::begin_term(const TermFacts& now) {
  window_ = now;
  disturbance_ = {};
  if (std::exchange(is_back_, false)) {
    const double done = static_cast<double>(now.committed - trial_asked_.committed);
    const double lost = now.wall_s - trial_asked_.wall_s - done / choices_[incumbent_].rate.value_or(1);
    trial_s_ = std::max(lost, 0.0);
    stretch_term();
  }
  if (!asked_s_ && term_s_ > 0) return;  // a session goes on: the same term
  switch_s_ = asked_s_ ? (switch_s_ + now.wall_s - *asked_s_) / 2 : usual_switch(now);
  asked_s_.reset();
  if (term_s_ == 0) term_s_ = std::max(kFirstTerm, kTermPerSwitch * switch_s_);
  begun_ = now;
}

bool WorkerTrials::ends_term(const TermFacts& now) {
  if (choices_.size() == 1 || is_forced_) return false;
  disturbance_.is_now |= now.is_disturbed;
  const double lasted = now.wall_s - begun_.wall_s;
  if (lasted < kSettling) {
    window_ = now;
    return false;
  }
  const double seconds = now.wall_s - window_.wall_s;
  if (seconds < kWindow || (is_trial() && seconds < kTrialPerSwitch * switch_s_ && !is_hopeless(now)))
    return false;
  disturbance_.end_window();
  look(now);
  if (!is_trial()) {
    is_alarm_ = lasted < term_s_ || (is_settled() && lasted < kTermPerTrial * 2 * usual_switch(now));
    if (is_alarm_ && (lasted < soonest(now) || !(disturbance_.lasts() || has_changed()))) return false;
    trial_asked_ = now;
  }
  asked_s_ = now.wall_s;
  return true;
}

/// Seconds that a change of workers takes as a rule.
double WorkerTrials::usual_switch(const TermFacts& now) {
  return kLeastSwitch + kSwitchPerEvent * static_cast<double>(now.pending);
}

/// When an alarm may end a term. Each that was false makes the next one later. Several workers who have won
/// by far and are not seen to be disturbed are slower because the model is.
double WorkerTrials::soonest(const TermFacts& now) const {
  const double calm = is_settled() && !disturbance_.lasts() ? kCalmPerSwitch * usual_switch(now) : 0;
  return std::min(std::max(shortest_term(), calm) * alarm_pause_, std::max(term_s_, calm));
}

/// The incumbent's rate is not what it was when it won, or not what another one was seen to reach. That a
/// single worker's changes says nothing: where somebody else uses its core it goes up and down. Nor is it a
/// reason to try fewer workers that more of them have become faster.
bool WorkerTrials::has_changed() const {
  const double rate = *choices_[present_].rate;
  if (!goes_in_order() && rate_at_trial_ &&
      ((present_ > first_ && rate > kChange * *rate_at_trial_) || rate < *rate_at_trial_ / kChange))
    return true;
  return std::any_of(choices_.begin(), choices_.end(), [rate](const Choice& other) {
    return other.rate && *other.rate > kBetter * kBetter * rate;
  });
}

double WorkerTrials::rate_of_window(const TermFacts& now) const {
  return static_cast<double>(now.committed - window_.committed) / (now.wall_s - window_.wall_s);
}

/// A trial need not go on that long.
bool WorkerTrials::is_hopeless(const TermFacts& now) const {
  return rate_of_window(now) * kHopeless < choices_[incumbent_].rate.value_or(0);
}

/// Takes the rate of a window that ends.
void WorkerTrials::look(const TermFacts& now) {
  const double seconds = now.wall_s - window_.wall_s;
  const double rate = rate_of_window(now);
  Choice& choice = choices_[present_];
  choice.wall_s += seconds;
  choice.rate = choice.rate && !is_trial() ? *choice.rate + kWeight * (rate - *choice.rate) : rate;
  window_ = now;
}

double WorkerTrials::shortest_term() const { return std::max(kFirstTerm, kPausePerSwitch * switch_s_); }

void WorkerTrials::choose(const TermFacts&, Cause cause) {
  if (cause == Cause::no_memory) {
    is_forced_ = true;
    present_ = incumbent_ = first_;
    return;
  }
  if (is_trial()) {
    judge_trial();
    is_back_ = present_ != incumbent_;
    present_ = incumbent_;
  } else {
    present_ = next_challenger();
  }
}

void WorkerTrials::judge_trial() {
  const double challenger = choices_[present_].rate.value_or(0);
  const double incumbent = choices_[incumbent_].rate.value_or(0);
  if (challenger > kBetter * incumbent) {
    incumbent_ = present_;
    term_s_ = shortest_term();
    alarm_pause_ = 1;
    for (Choice& choice : choices_) choice.is_beaten = false;
  } else {
    if (is_alarm_) alarm_pause_ *= kPausePerFalseAlarm;
    choices_[present_].is_beaten = incumbent > kClear * challenger;
    growth_ = choices_[present_].is_beaten ? 4 : 2;
  }
  rate_at_trial_ = choices_[incumbent_].rate;
}

/// After a trial that the incumbent has won. Somebody who leaves the cores to more workers than one shows in
/// trials only, while several workers feel it when their cores are taken away: so a clear answer of theirs
/// stands until it has paid for itself.
void WorkerTrials::stretch_term() {
  const double dear = goes_in_order() ? kTermPerSwitch * switch_s_ : kTermPerTrial * trial_s_;
  const double longest = std::max(kLongestTerm, dear);
  term_s_ = is_settled() ? longest : std::min(term_s_ * growth_, longest);
}

/// Several workers have won by far against all whom they are tried against.
bool WorkerTrials::is_settled() const {
  if (goes_in_order()) return false;
  const auto challengers = this->challengers();
  return std::all_of(challengers.begin(), challengers.end(),
                     [&](std::size_t choice) { return choice == incumbent_ || choices_[choice].is_beaten; });
}

/// The next fewer workers, the next more, and one alone; the incumbent where there are none.
std::array<std::size_t, 3> WorkerTrials::challengers() const {
  const std::size_t last = choices_.size() - 1;
  return {std::min(incumbent_ + 1, last), incumbent_ == 0 ? 0 : incumbent_ - 1, last};
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
    if (choice.rate || &choice == &choices_[present_])
      out.push_back({.workers = choice.workers, .rate = choice.rate, .wall_s = choice.wall_s});
  return out;
}

}  // namespace anachron::sync
