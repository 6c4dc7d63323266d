// The files that a run writes while it goes on, and what it writes when it fails.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <anachron/run/config.hpp>

#include "run/options/engine_options.hpp"
#include "run/traces/flight_file.hpp"
#include "run/traces/timeline_file.hpp"
#include "run/traces/trace_file.hpp"

namespace anachron {

class Traces {
 public:
  /// Opens what `options` ask for and has a run with `config` write there; both must outlive it. `say` tells
  /// the user. Throws InputError.
  Traces(const RunOptions& options, Config& config, const std::function<void(const std::string&)>& say);
  Traces(const Traces&) = delete;
  Traces& operator=(const Traces&) = delete;

  /// The run has ended: the files are there. Throws std::runtime_error when the disk is full.
  void close();
  /// The same when the run has failed. Throws nothing, as there is an error already.
  void close_after_failure() noexcept;

 private:
  std::optional<TraceFile> trace_;  // on rank 0
  std::optional<TimelineFile> timeline_;
  std::optional<FlightFile> flight_;
};

}  // namespace anachron
