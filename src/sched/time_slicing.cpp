#include "sched/time_slicing.hpp"

namespace anachron::sched {

void TimeSlicing::begin() {
  next_ = 0;
  is_over_ = false;
  began_ = system_.now();
  are_gathered_ = false;
  slices_here_ = kSlicesPerPlace - 1;
}

bool TimeSlicing::wait_for_first(unsigned worker) {
  std::unique_lock lock(mutex_);
  return wait(lock, worker);
}

bool TimeSlicing::look(unsigned worker) {
  if (system_.now() - began_ < kSlice) return true;
  const unsigned other = (worker + 1) % kWorkers;
  std::unique_lock lock(mutex_);
  ++seats_[worker].given;
  slices_here_ = (slices_here_ + 1) % kSlicesPerPlace;
  if (slices_here_ == 0) system_.roam();
  next_ = other;
  lock.unlock();
  seats_[other].is_next.notify_one();
  lock.lock();
  return wait(lock, worker);
}

void TimeSlicing::part() {
  system_.roam();
  are_gathered_ = false;
  slices_here_ = kSlicesPerPlace - 1;
}

bool TimeSlicing::wait(std::unique_lock<std::mutex>& lock, unsigned worker) {
  seats_[worker].is_next.wait(lock, [&] { return next_ == worker || is_over_; });
  if (is_over_) return false;
  began_ = system_.now();
  if (slices_here_ == 0) {
    system_.gather();
    are_gathered_ = true;
  }
  return true;
}

void TimeSlicing::end() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  for (Seat& seat : seats_) seat.is_next.notify_one();
}

}  // namespace anachron::sched
