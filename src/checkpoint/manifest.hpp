// What a checkpoint is of, and which files it consists of. It is written last: without it there is no
// checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/figures.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::checkpoint {

/// Where the run stood.
struct Position {
  Time time = 0;
  bool is_reached = false;  ///< events at that time have been executed
  Time last = 0;            ///< of the last event that has been executed
  Ending ending = Ending::finished;
  std::uint64_t committed = 0;
  bool has_depths = true;  ///< the depths of events are right: see RunFigures::critical_path
  event::Outside outside;  ///< of what was scheduled
};

/// Of the options those that decide the results.
struct Experiment {
  std::uint64_t seed = 1, tie_seed = 1;
  Time warm_up = 0;
  Time until = kForever;  ///< may be another one when the run goes on
  std::vector<std::pair<std::string, std::string>> model_options;
};

/// A file that the model writes itself (model/model_file.hpp).
struct WrittenFile {
  std::string name;
  std::uint64_t bytes = 0;  ///< that it had
  std::string heading;      ///< the last one
};

struct Manifest {
  std::string version;               ///< of the program that has written it
  std::vector<std::string> command;  ///< what the program was called with; empty: not known
  Experiment experiment;
  Position position;
  std::vector<std::string> files;  ///< one of each rank, in the same folder
  std::uint64_t bytes = 0;         ///< of all of them
  /// Of the trace that the run had written by then, beside the checkpoints; none: it wrote none.
  std::optional<std::uint64_t> trace_bytes;
  std::vector<WrittenFile> model_files;
};

inline constexpr const char* kManifestFile = "manifest";

/// Throws std::runtime_error that names the file.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);
/// Throws BadFile that names the file and what is wrong with it.
Manifest read_manifest(const std::filesystem::path& folder);

}  // namespace anachron::checkpoint
