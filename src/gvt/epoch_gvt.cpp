#include "gvt/epoch_gvt.hpp"

#include <algorithm>
#include <cstddef>

namespace anachron::gvt {

void EpochGvt::arrive(Member& member) {
  const std::uint64_t phase = phase_.load(std::memory_order_relaxed);  // cannot change before this PE arrives
  member.passed = phase;
  // Acquire and release: the last to arrive sees the summaries of all, and passes them on with the phase.
  const std::size_t before = arrived_.fetch_add(1, std::memory_order_acq_rel);
  if (before == 0 && phase % 2 == 0) began_ = Clock::now();
  if (before + 1 < present_) return;
  if (phase % 2 == 1) return reduce_(*this, summaries_);
  if (collect_) return collect_(*this);
  open_reports();
}

void EpochGvt::open(const Round& round) {
  round_ = round;
  called_.store(false, std::memory_order_relaxed);
  latency_s_ += std::chrono::duration<double>(Clock::now() - began_).count();
  // Nobody changes the phase until this does: all members have arrived.
  open_phase(phase_.load(std::memory_order_relaxed) + 1);
}

void EpochGvt::restart(std::span<const Summary> absent) {
  present_ = members_.size() - absent.size();
  std::copy(absent.begin(), absent.end(), summaries_.begin() + static_cast<std::ptrdiff_t>(present_));
  for (Member& member : members_) member = {};
  phase_.store(0, std::memory_order_relaxed);
  arrived_.store(0, std::memory_order_relaxed);
}

std::unique_ptr<Gvt> make_gvt(anachron::Gvt algorithm, std::size_t members, Gvt::Reduce reduce,
                              Gvt::Collect collect) {
  if (algorithm == anachron::Gvt::barrier)
    return std::make_unique<BarrierGvt>(members, std::move(reduce), std::move(collect));
  return std::make_unique<EpochGvt>(members, std::move(reduce), std::move(collect));
}

}  // namespace anachron::gvt
