// The trace of committed events as a file: text for people, CSV for programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <anachron/base/trace.hpp>

#include "run/files/growing_file.hpp"
#include "run/files/output_file.hpp"

namespace anachron {

/// The first line of a trace as CSV, and one for each event. With the end of the line.
std::string trace_head();
void append_trace_row(const CommittedEvent& event, std::string& to);

/// Written while the run goes on. A regular file is there when it is closed, as a whole
/// (run/files/output_file.hpp); a pipe or a terminal can be followed. Not for several threads at a time.
class TraceFile {
 public:
  /// CSV when `path` ends with ".csv", else text; "-": standard output. Throws InputError.
  explicit TraceFile(const std::string& path) : TraceFile(path, std::nullopt) {}
  /// The same for a run with checkpoints, whose trace grows in their folder until it is closed. It goes on
  /// from `kept` bytes of what is in folder `from`.
  static TraceFile beside_checkpoints(const std::string& path, const std::filesystem::path& folder,
                                      const std::filesystem::path& from, std::uint64_t kept);

  /// Throws std::runtime_error when the disk is full.
  void show(const CommittedEvent& event);
  /// All that was shown is on the disk, in the folder of checkpoints. Returns how many bytes that is. Throws
  /// std::runtime_error.
  std::uint64_t sync() { return so_far_->sync(); }
  void close();
  /// The same when the run has failed: what it had shown by then says how it came to that. Nothing shown: an
  /// old file stays. Throws nothing, as there is an error already.
  void close_after_failure() noexcept;

 private:
  TraceFile(const std::string& path, std::optional<GrowingFile> so_far);
  void write(std::string_view text);

  OutputStream out_;
  std::optional<GrowingFile> so_far_;  // in the folder of checkpoints
  bool is_csv_;
  bool has_shown_ = false;
  std::string line_;  // kept for its memory
};

}  // namespace anachron
