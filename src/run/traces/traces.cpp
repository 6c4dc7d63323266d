#include "run/traces/traces.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "checkpoint/folder.hpp"
#include "checkpoint/intact.hpp"
#include "checkpoint/manifest.hpp"
#include "run/rank.hpp"

namespace anachron {

namespace {

/// How much of the trace the run goes on from, and where that is.
std::uint64_t kept_of_trace(const std::filesystem::path& checkpoint) {
  const auto bytes = checkpoint::offering_intact(checkpoint, [&] {
                       return checkpoint::read_manifest(checkpoint);
                     }).trace_bytes;
  if (!bytes)
    throw InputError(
        fmt::format("--trace: {} was written by a run without --trace; a trace that begins there "
                    "would lack what was before",
                    checkpoint.string()));
  return *bytes;
}

TraceFile open_trace(const RunOptions& options, CheckpointOptions& checkpoints) {
  if (checkpoints.folder.empty() && checkpoints.resume.empty()) return TraceFile(options.trace_file);
  std::error_code ignored;
  const std::filesystem::path path = options.trace_file;
  if (options.trace_file == "-" || (exists(path, ignored) && !is_regular_file(path, ignored)))
    throw bad_value("trace", options.trace_file, "a file with --checkpoint and --resume");
  const std::filesystem::path& folder = checkpoints.folder;
  if (checkpoints.resume.empty()) return TraceFile::beside_checkpoints(options.trace_file, folder, folder, 0);
  const std::filesystem::path checkpoint = checkpoint::newest_in(checkpoints.resume);
  const std::filesystem::path from = canonical(checkpoint).parent_path();
  return TraceFile::beside_checkpoints(options.trace_file, folder.empty() ? from : folder, from,
                                       kept_of_trace(checkpoint));
}

}  // namespace

Traces::Traces(const RunOptions& options, Config& config,
               const std::function<void(const std::string&)>& say) {
  if (!options.trace_file.empty()) {
    if (own_rank() == 0) trace_.emplace(open_trace(options, config.checkpoint));
    // On other ranks it is never called, but says that there is a trace.
    config.trace.show = [this](const CommittedEvent& event) { trace_->show(event); };
    config.checkpoint.sync_trace = [this] { return trace_->sync(); };
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
