// A text file that a model writes while it runs. It belongs into the LPs' shared data.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace anachron {

/// Text that LPs write through `Context::in_order`, so that the file has the same bytes in every mode. When
/// the shared data name the file, a run that goes on from a checkpoint goes on with it as well:
///
///     struct Journal {
///       an::ModelFile file;
///       explicit Journal(const Params& params) : file("--journal", params.journal) {}
///       void output_files(an::ModelFiles& to) const { to.add(file); }
///     };
///
/// Over ranks each process writes a file of its own, from the beginning.
class ModelFile {
 public:
  /// `name` tells it from other files of the model, and is in errors. Throws InputError if the file cannot be
  /// written. It keeps what is in it until something is written.
  ModelFile(std::string name, std::string path);
  ~ModelFile();
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  /// What tells it from other files of the model.
  const std::string& name() const { return name_; }
  /// Where it is.
  const std::string& path() const { return path_; }
  /// How much of it an earlier part of the run has written, in bytes.
  std::uint64_t kept() const { return kept_; }
  /// To write to; const, as shared data are, since actions in order come one at a time.
  std::ostream& stream() const;
  /// Throws std::runtime_error if something could not be written. The engine does so at the end of a run,
  /// and has the report's notes say it.
  void flush() const;

  // For checkpoints:

  /// What was written is on the disk. Returns how many bytes the file has. Throws std::runtime_error.
  std::uint64_t sync() const;
  /// Keeps so many bytes; what is written from now on comes behind them. Throws InputError if there are
  /// fewer.
  void go_on(std::uint64_t bytes) const;

 private:
  void cut(std::uint64_t bytes) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string name_, path_;
  bool is_regular_ = false;  // no pipe, which cannot be cut
  std::unique_ptr<std::ofstream> file_;
  mutable bool is_begun_ = false;
  mutable std::uint64_t kept_ = 0;
};

/// Collects the files that shared data name.
class ModelFiles {
 public:
  /// Throws std::logic_error when there is another one of that name. `file` must live as long as the run.
  void add(const ModelFile& file);
  /// What was added, in that order.
  const std::vector<const ModelFile*>& all() const { return all_; }

 private:
  std::vector<const ModelFile*> all_;
};

}  // namespace anachron
