// When a run writes checkpoints, and how its ranks do that together.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>

#include "checkpoint/folder.hpp"
#include "checkpoint/manifest.hpp"
#include "checkpoint/state_file.hpp"
#include "engine/session/session.hpp"

namespace anachron::engine {

/// They are taken between two stretches of the run. Then a copy of the process writes what there was, while
/// the run goes on. Over ranks, at the end, and where cores or memory do not suffice for a copy, the run
/// stands still until all is written. A checkpoint that cannot be written is a note, and the run goes on.
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
    std::string error{};
    std::uint64_t bytes = 0;
    std::string place{};  ///< of the checkpoint that is complete
  };
  void write(bool goes_on);
  bool can_copy() const;
  Files write_here();
  bool write_aside();
  void hear_of_copy();
  void note(Files done);
  void note_failure(const std::string& what);
  std::string shared(const std::function<std::string()>& action, std::string& error) const;
  std::uint64_t write_own(const std::filesystem::path& place, checkpoint::StateWriter::Threads threads);
  Files gather(const Files& own) const;
  // Called by rank 0:
  checkpoint::Manifest manifest() const;
  std::string complete(checkpoint::Manifest manifest, std::uint64_t bytes);

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
  std::future<Files> aside_;  // of the copy, and of the thread that waits for it
  bool has_run_out_of_time_ = false;
};

/// One, into a folder that this session writes to only.
std::string write_checkpoint(Session& session, const std::string& folder);

}  // namespace anachron::engine
