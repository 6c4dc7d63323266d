// The timeline of a run as a file, one for each rank.
#pragma once

#include <string>
#include <string_view>

#include <anachron/base/timeline.hpp>

#include "run/output_file.hpp"

namespace anachron {

/// Written while the run goes on; there when it is closed. Each rank of several has its own:
/// run.pftrace, run.rank1.pftrace and so on. Files of ranks on one machine may be put together with `cat`.
class TimelineFile {
 public:
  /// Throws InputError.
  explicit TimelineFile(const std::string& path);

  /// What writes to this file, which must outlive it.
  TimelineOutput output();
  /// Throws std::runtime_error when the disk is full.
  void close() { out_.close(); }
  /// The same when the run has failed. Throws nothing, as there is an error already.
  void close_after_failure() noexcept;

 private:
  OutputStream out_;
};

}  // namespace anachron
