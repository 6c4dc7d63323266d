// Where a run writes checkpoints, and from which one it goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/time.hpp>

namespace anachron {

/// A checkpoint has the LPs' states and all that waits for them. A run goes on from it with any number of
/// workers, PEs and ranks, in any mode, and gives the results that it would have given. States and events
/// must be Encodable (InputError otherwise).
///
///     simulation.config.checkpoint.folder = "run-17";
///     simulation.config.checkpoint.resume = "run-17";  // to go on
struct CheckpointOptions {
  std::string folder{};  ///< where they are written; empty: there are none. Of one run only
  /// Seconds of wall time from one to the next; 0: none but for the reasons below.
  double every_s = 600;
  /// Instead: simulated time, > 0. Checkpoints are at its multiples. Needs a finite `until`.
  std::optional<Time> every{};
  /// The run writes one and ends as if it were interrupted, after so many seconds.
  std::optional<double> max_wall_s{};
  /// Asked five times a second: whether to write one now.
  std::function<bool()> asked{};
  /// Called on rank 0 when one could not be written, each reason once. The run goes on, and the report's
  /// notes have it, too.
  std::function<void(const std::string& why)> failed{};
  /// The folder whose newest checkpoint the run goes on from; empty: it begins at the beginning. Options that
  /// decide the results must be the same (InputError), but for `until`.
  std::string resume{};

  /// What the program keeps of a run beside the LPs, such as rows of tables: that of this rank, as pieces of
  /// bytes. Called on each rank, between two stretches of the run.
  using AddOutput = std::function<void(std::span<const std::byte> piece)>;
  std::function<void(const AddOutput& add)> save_output{};
  /// Called on rank 0, when a run goes on, with each piece that some rank had saved.
  std::function<void(std::span<const std::byte> piece)> restore_output{};

  // Filled in by `anachron::cli`.

  /// What the LPs are made of, by option: values, and hashes of files. Compared when a run goes on; empty:
  /// `Config::model_options` are.
  std::vector<std::pair<std::string, std::string>> inputs{};
  /// Has all that a trace has shown on the disk, and returns how many bytes that is; empty: there is no
  /// trace. Throws std::runtime_error. Called on rank 0.
  std::function<std::uint64_t()> sync_trace{};
  /// What the program was called with.
  std::vector<std::string> command{};
};

}  // namespace anachron
