#include "engine/watch/recording.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>

#include "pe/in_order.hpp"

namespace anachron::engine {

Recording::Recording(const Parts& parts, std::span<topo::WorkerClock> clocks, gvt::GvtManager& manager,
                     mem::Budget& budget)
    : parts_(parts),
      recorder_(clocks.size(), budget.limit(), static_cast<bool>(parts.config.timeline.write)) {
  for (std::size_t worker = 0; worker < clocks.size(); ++worker)
    clocks[worker].phases.record_in(&recorder_.of_worker(worker));
  manager.record_in(&recorder_);
  if (parts.config.memory) budget.take_fixed(recorder_.bytes());
}

observe::TimelineOf Recording::timeline_of() const {
  return {.recorder = recorder_,
          .lps = parts_.lps,
          .rank = parts_.rank.value_or(0),
          .has_ranks = parts_.rank.has_value(),
          .first_pe = parts_.own_pes.first,
          .pes = *parts_.config.pes};
}

bool Recording::is_wanted() const {
  const FlightRecordOutput& output = parts_.config.flight_record;
  return output.write && output.is_wanted && output.is_wanted();
}

void Recording::write(std::string_view reason, bool is_asked_for) {
  const FlightRecordOutput& output = parts_.config.flight_record;
  if (!output.write || (is_written_ && !is_asked_for)) return;
  if (!is_asked_for) {
    if (pe::runs_in_order(parts_.config)) return;  // it has one thread, which did one thing
    is_written_ = true;
  }
  observe::Timeline last(timeline_of(), parts_.tick, TimelineOutput::kLimit);
  last.collect();
  last.finish();
  output.write(reason, last.take());
}

Recording::Streaming::Streaming(Recording& recording) {
  if (!recording.parts_.config.timeline.write) return;
  thread_ = std::jthread([&recording](const std::stop_token& stop) {
    try {
      recording.stream(stop);
    } catch (...) {
      recording.parts_.control.abort(std::current_exception());
    }
  });
}

Recording::Streaming::~Streaming() = default;  // has the thread stop, and waits for it

void Recording::stream(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kPeriod{20};
  const TimelineOutput& output = parts_.config.timeline;
  std::mutex mutex;
  std::condition_variable_any stopped;
  for (bool is_over = false; !is_over;) {
    {
      std::unique_lock lock(mutex);
      is_over = stopped.wait_for(lock, stop, kPeriod, [&stop] { return stop.stop_requested(); });
    }
    if (!timeline_) timeline_.emplace(timeline_of(), parts_.tick, output.limit);
    timeline_->collect();
    if (is_over) timeline_->finish();
    output.write(timeline_->take());
  }
}

}  // namespace anachron::engine
