// The files that a model writes itself. Over ranks rank 0 has them: observe/output/rank_output.hpp.
#pragma once

#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/time.hpp>
#include <anachron/model/model_file.hpp>

#include "checkpoint/manifest.hpp"
#include "lp/lp_store.hpp"

namespace anachron::engine {

/// In the order in which the shared data name them.
std::vector<const ModelFile*> files_of(const lp::LpStore& lps);

// Called by all ranks, when no PE runs.

/// Opens them, before the start. Throws InputError when one cannot be written.
void open_files(const lp::LpStore& lps, const Config& config);

/// Has each file go on where it was, those that the checkpoint does not know from the beginning. Throws
/// InputError when one is shorter.
void go_on_with_files(const lp::LpStore& lps, const Config& config,
                      const std::vector<checkpoint::WrittenFile>& kept);

/// What comes last: what the `finish` of LPs writes, and the model's last lines. If the run goes on, it
/// writes in place of that.
class LastLines {
 public:
  /// Before `finish`. All of it must outlive this.
  LastLines(const lp::LpStore& lps, const Config& config);
  /// Behind it. Appends why files could not be written.
  void write(Time end, std::vector<std::string>& notes) const;

 private:
  void gather() const;

  const Config& config_;
  const ModelFiles files_;
  std::vector<checkpoint::WrittenFile> before_;  // on rank 0
};

/// Has what was written on the disk. Called by rank 0. Throws std::runtime_error.
std::vector<checkpoint::WrittenFile> sync_files(const lp::LpStore& lps);

}  // namespace anachron::engine
