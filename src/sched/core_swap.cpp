#include "sched/core_swap.hpp"

#include <algorithm>

namespace anachron::sched {

CoreSwap::CoreSwap(System system)
    : system_(std::move(system)), seats_(system_.groups.size()), cores_(seats_.size()) {
  for (unsigned worker = 0; worker < seats_.size(); ++worker) seats_[worker].core = worker;
}

void CoreSwap::Success::arrived(Nanoseconds now, bool was_soon) {
  ++tries_;
  failed_ += !was_soon;
  const bool has_failed = failed_ >= (pays_ ? kFailures : 1);
  if (!has_failed && tries_ < kBout) return;
  if (has_failed) not_before_ = now + (pays_ ? kPause : kLongPause);
  pays_ = !has_failed;
  tries_ = failed_ = 0;
}

/// `seen`: when the other worker was last heard of. A third one may have given it a core since. A worker that
/// does not come to the core that it was given, as it waits for something else, needs no other.
bool CoreSwap::hand_over(unsigned worker, unsigned other, Nanoseconds seen, Nanoseconds used) {
  {
    Lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    const Nanoseconds now = system_.now();
    Seat &from = seats_[worker], &to = seats_[other];
    if (!to.takes_part.load(std::memory_order_relaxed) || to.seen.load(std::memory_order_relaxed) != seen ||
        to.is_moved.load(std::memory_order_relaxed) || !success_.may_try(now))
      return false;

    to.was_stopped = !waits(to);
    if (to.was_stopped) {
      Core& contested = cores_[to.core];
      const Nanoseconds ours = seen - contested.ours_since;
      contested.others_until =
          seen + (ours > kUndisturbed ? kLeastForOthers : std::clamp(ours, kLeastForOthers, kMostForOthers));
    }
    std::swap(from.core, to.core);
    system_.exchange(worker, other);
    to.moved = now;
    to.used = used;
    to.giver = worker;
    to.seen.store(now, std::memory_order_relaxed);
    to.is_moved.store(true, std::memory_order_relaxed);
    if (to.waits.exchange(false, std::memory_order_relaxed)) to.is_given.notify_one();
    ++from.given;
    wait(lock, from);
  }
  system_.move(worker);
  return true;
}

/// Until it is given another core, or may go to that which others want.
void CoreSwap::wait(Lock& lock, Seat& seat) {
  seat.waits.store(true, std::memory_order_relaxed);
  system_.sleep(seat.is_given, lock, cores_[seat.core].others_until, [&seat] { return !waits(seat); });
  if (!seat.waits.exchange(false, std::memory_order_relaxed)) return;
  const Nanoseconds now = system_.now();
  cores_[seat.core].ours_since = now;
  seat.seen.store(now, std::memory_order_relaxed);
}

CoreSwap::Runner::Runner(CoreSwap& core_swap, unsigned worker)
    : core_swap_(core_swap), worker_(worker), seat_(core_swap.seats_[worker]), other_(worker) {
  turn_to_next();
}

void CoreSwap::Runner::pause() {
  seat_.takes_part.store(false, std::memory_order_relaxed);
  last_look_.reset();
}

bool CoreSwap::Runner::look(Time reached, bool had_work) {
  const Nanoseconds now = core_swap_.system_.now();
  turns_ = 0;
  if (last_look_) adapt(now - *last_look_);
  if (seat_.is_moved.load(std::memory_order_relaxed)) arrive(now);
  last_look_ = now;
  seat_.seen.store(now, std::memory_order_relaxed);
  seat_.reached.store(reached, std::memory_order_relaxed);
  seat_.takes_part.store(true, std::memory_order_relaxed);
  if (other_ == worker_ || !is_stopped(now, reached, had_work)) return false;

  const Nanoseconds seen = core_swap_.seats_[other_].seen.load(std::memory_order_relaxed);
  const bool is_given = core_swap_.hand_over(worker_, other_, seen, *used_);
  if (is_given) last_look_ = core_swap_.system_.now();
  turn_to_next();
  return is_given;
}

/// A look reads the clock and a cache line that another worker writes.
void CoreSwap::Runner::adapt(Nanoseconds since_last) {
  if (since_last < kOften) turns_per_look_ = std::min(2 * turns_per_look_, kMostTurns);
  if (since_last > kSeldom) turns_per_look_ = std::max(turns_per_look_ / 2, 1u);
}

/// It was given a core and is there. Unless that was at once, others have had the core first. Who had waited
/// of its own accord gets the core from the giver directly: that tells nothing of others.
void CoreSwap::Runner::arrive(Nanoseconds now) {
  const std::scoped_lock lock(core_swap_.mutex_);
  seat_.is_moved.store(false, std::memory_order_relaxed);
  const Nanoseconds used = core_swap_.system_.used(worker_) - seat_.used;
  const bool was_soon = now - seat_.moved - used < kGap;
  if (seat_.was_stopped) core_swap_.success_.arrived(now, was_soon);
  core_swap_.pays_.store(core_swap_.success_.pays(), std::memory_order_relaxed);
  if (!was_soon) core_swap_.cores_[seat_.core].ours_since = now;
  if (waits(core_swap_.seats_[seat_.giver])) core_swap_.system_.settle(seat_.giver);
}

/// Whether the other one was stopped, or waits, and this worker should rather: it is ahead, or has nothing to
/// do. Found out in two looks, between which the other one has had no core.
bool CoreSwap::Runner::is_stopped(Nanoseconds now, Time reached, bool had_work) {
  const Seat& other = core_swap_.seats_[other_];
  const Nanoseconds silent = now - other.seen.load(std::memory_order_relaxed);
  if (!other.takes_part.load(std::memory_order_relaxed) || silent < kSilence) {
    turn_to_next();
    return false;
  }
  if (silent < suspect_after_ || (had_work && other.reached.load(std::memory_order_relaxed) >= reached))
    return false;
  const Nanoseconds used = core_swap_.system_.used(other_);
  if (waits(other)) {
    used_ = used;
    return true;
  }
  const std::optional<Nanoseconds> before = std::exchange(used_, used);
  if (before == used) return true;
  if (before) suspect_after_ = 2 * silent;
  return false;
}

/// In its group; itself if it is alone there.
void CoreSwap::Runner::turn_to_next() {
  const std::vector<unsigned>& groups = core_swap_.system_.groups;
  const auto count = static_cast<unsigned>(groups.size());
  for (unsigned tried = 0; tried < count; ++tried) {
    other_ = (other_ + 1) % count;
    if (other_ != worker_ && groups[other_] == groups[worker_]) break;
  }
  suspect_after_ = kSilence;
  used_.reset();
}

}  // namespace anachron::sched
