// When a run writes checkpoints, and how its ranks do that together.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>

#include "checkpoint/folder.hpp"
#include "engine/session.hpp"

namespace anachron::engine {

/// Between two stretches of the run it stands still. A checkpoint that cannot be written is a note, and the
/// run goes on.
class Checkpoints {
 public:
  /// The options are those of the session's configuration, or others. Throws InputError when options are not
  /// valid, something cannot be encoded, or the folder cannot be used.
  explicit Checkpoints(Session& session);
  Checkpoints(Session& session, CheckpointOptions options);

  /// Session::run_until the end, with checkpoints on the way. Interrupted, it writes one, too.
  Ending run(const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted);

  /// Writes one now. Returns where it is; throws std::runtime_error when it cannot be written.
  std::string write_now();

  /// Adds what became of them.
  void tell(Outcome& outcome) const;

 private:
  using Clock = std::chrono::steady_clock;

  /// Why a stretch has ended before its time; on all ranks the same.
  struct Why {
    bool is_interrupted = false, is_out_of_time = false;
  };

  class TellsOfWaits;

  Time next_time() const;
  bool is_due();
  bool is_out_of_time() const;
  Why agree(const Why& own) const;
  /// What ranks have put into files; `error` is empty if that is all.
  struct Files {
    std::string error;
    std::uint64_t bytes = 0;
  };
  void write();
  void note_failure(const std::string& what);
  std::string shared(const std::function<std::string()>& action, std::string& error) const;
  Files write_own(const std::filesystem::path& place);
  Files gather(const Files& own) const;
  /// Returns where the checkpoint is. Called by rank 0.
  std::string complete(std::uint64_t bytes);

  Session& session_;
  const CheckpointOptions options_;
  transport::Exchange* const exchange_;  // null: there is one rank
  const unsigned rank_;
  std::optional<checkpoint::Folder> folder_;  // of rank 0
  const Clock::time_point began_ = Clock::now();
  Clock::time_point last_ = began_;
  struct Written {       // so far
    std::string newest;  // where it is
    std::uint64_t count = 0, bytes = 0;
    double seconds = 0;
  } written_;
  struct Failure {
    std::string what;
    unsigned times = 1;  // in a row
  };
  std::vector<Failure> failures_;
  bool has_run_out_of_time_ = false;
};

/// One, into a folder that this session writes to only.
std::string write_checkpoint(Session& session, const std::string& folder);

}  // namespace anachron::engine
