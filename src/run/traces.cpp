#include "run/traces.hpp"

#include <anachron/base/parse.hpp>

#include "run/rank.hpp"

namespace anachron {

Traces::Traces(const RunOptions& options, Config& config,
               const std::function<void(const std::string&)>& say) {
  if (!options.trace_file.empty()) {
    if (own_rank() == 0) trace_.emplace(options.trace_file);
    // On other ranks it is never called, but says that there is a trace.
    config.trace.show = [this](const CommittedEvent& event) { trace_->show(event); };
  }
  if (!options.timeline_file.empty()) config.timeline = timeline_.emplace(options.timeline_file).output();
  if (options.flight_record == kOff) return;
  const bool is_default = options.flight_record == kAuto;
  const std::filesystem::path path =
      is_default ? FlightFile::default_path() : std::filesystem::path(options.flight_record);
  const auto of = is_default ? FlightFile::Of::engine : FlightFile::Of::all;
  config.flight_record = flight_.emplace(path, of, say).output();
}

void Traces::close() {
  if (trace_) trace_->close();
  if (timeline_) timeline_->close();
}

void Traces::close_after_failure() noexcept {
  if (trace_) trace_->close_after_failure();
  if (timeline_) timeline_->close_after_failure();
}

}  // namespace anachron
