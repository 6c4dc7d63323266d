#include "sched/team.hpp"

#include <utility>

namespace anachron::sched {

Team::Team(unsigned members) : done_(members) {
  threads_.reserve(members);
  for (unsigned i = 0; i < members; ++i)
    threads_.emplace_back([this, i](const std::stop_token& stop) { live(i, stop); });
}

void Team::begin(std::function<void(unsigned)> work) {
  const std::scoped_lock lock(mutex_);
  work_ = std::move(work);
  ++begun_;
  done_ = 0;
  has_begun_.notify_all();
}

bool Team::wait_for(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return all_done_.wait_for(lock, patience, [this] { return done_ == threads_.size(); });
}

void Team::wait() {
  std::unique_lock lock(mutex_);
  all_done_.wait(lock, [this] { return done_ == threads_.size(); });
}

unsigned Team::done() {
  const std::scoped_lock lock(mutex_);
  return done_;
}

void Team::live(unsigned member, const std::stop_token& stop) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (has_begun_.wait(lock, stop, [&] { return begun_ != seen; })) {
    seen = begun_;
    lock.unlock();
    work_(member);  // unchanged until all are done
    lock.lock();
    if (++done_ == threads_.size()) all_done_.notify_all();
  }
}

}  // namespace anachron::sched
