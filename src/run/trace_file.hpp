// The trace of committed events as a file: text for people, CSV for programs.
#pragma once

#include <string>

#include <anachron/base/trace.hpp>

#include "run/output_file.hpp"

namespace anachron {

/// The first line of a trace as CSV, and one for each event. With the end of the line.
std::string trace_head();
void append_trace_row(const CommittedEvent& event, std::string& to);

/// Written while the run goes on. A regular file is there when it is closed, as a whole
/// (run/output_file.hpp); a pipe or a terminal can be followed. Not for several threads at a time.
class TraceFile {
 public:
  /// CSV when `path` ends with ".csv", else text; "-": standard output. Throws InputError.
  explicit TraceFile(const std::string& path);

  /// Throws std::runtime_error when the disk is full.
  void show(const CommittedEvent& event);
  void close();
  /// The same when the run has failed: what it had shown by then says how it came to that. Nothing shown: an
  /// old file stays. Throws nothing, as there is an error already.
  void close_after_failure() noexcept;

 private:
  OutputStream out_;
  bool is_csv_;
  bool has_shown_ = false;
  std::string line_;  // kept for its memory
};

}  // namespace anachron
