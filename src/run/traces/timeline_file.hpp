// The timeline of a run as a file, one for each rank.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <anachron/base/timeline.hpp>

#include "run/files/output_file.hpp"
#include "run/traces/chrome_trace.hpp"

namespace anachron {

/// Written while the run goes on; there when it is closed. Each rank of several has its own:
/// run.pftrace, run.rank1.pftrace and so on. Files of ranks on one machine may be put together with `cat`.
/// A name that ends in .json has Chrome's format, in less detail: it takes five times the room.
class TimelineFile {
 public:
  /// Throws InputError.
  explicit TimelineFile(const std::string& path);

  /// What writes to this file, which must outlive it.
  TimelineOutput output();
  /// Throws std::runtime_error when the disk is full.
  void close();
  /// The same when the run has failed. Throws nothing, as there is an error already.
  void close_after_failure() noexcept;

 private:
  OutputStream out_;
  std::optional<ChromeTrace> json_;  // where the file's name asks for that
};

}  // namespace anachron
