// A text file that a model writes while it runs. It belongs into the LPs' shared data.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/time.hpp>

namespace anachron {

/// Text that LPs write through `Context::in_order`, so that the file has the same bytes in every mode and on
/// any number of ranks. When the shared data name the file, rank 0 writes what LPs of all ranks have to say.
/// A run that goes on from a checkpoint goes on with the file as well:
///
///     struct Journal {
///       an::ModelFile file;
///       explicit Journal(const Params& params) : file("--journal", params.journal) {}
///       void output_files(an::ModelFiles& to) const { to.add(file); }
///     };
///
/// What is not named is opened by each rank for itself.
class ModelFile {
 public:
  /// `name` tells it from other files of the model, and is in errors. A run opens the file before it starts.
  /// It keeps what is in it until something is written.
  ModelFile(std::string name, std::string path);
  ~ModelFile();
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  /// `text` comes first of all, under `heading`: see `under`. For the constructor of the shared data.
  void begin_with(std::string text, std::string heading = {});

  /// What tells it from other files of the model.
  const std::string& name() const { return name_; }
  /// Where it is.
  const std::string& path() const { return path_; }
  /// To write to; const, as shared data are, since actions in order come one at a time. Throws InputError if
  /// the file cannot be written.
  std::ostream& stream() const;
  /// The same. But first it writes `heading`, unless that is the last one that was written: for example the
  /// time that what follows has in common.
  std::ostream& under(std::string_view heading) const;
  /// The last one.
  const std::string& heading() const { return heading_; }
  /// Throws std::runtime_error if something could not be written. The engine does so at the end of a run,
  /// and has the report's notes say it.
  void flush() const;

  // For the engine:

  /// Throws InputError if the file cannot be written.
  void open() const;
  /// How many bytes it has; 0: it is a pipe. Throws std::runtime_error if they could not be written.
  std::uint64_t size() const;
  /// The same, and all of it is on the disk.
  std::uint64_t sync() const;
  /// Keeps so many bytes; what is written from now on comes behind them, under the heading that was the last
  /// one. Throws InputError if there are fewer.
  void go_on(std::uint64_t bytes, std::string heading = {}) const;

  /// What was written under a heading, by one call of `stream` or `under` or by several.
  struct Piece {
    bool has_heading = false;
    std::string heading, text;
  };
  /// From now on nothing comes into the file: it is another rank's, which gets the pieces.
  void divert() const { is_elsewhere_ = true; }
  /// What was written since the last call. Precondition: it was diverted.
  std::vector<Piece> take() const;
  /// Writes a piece of another rank.
  void add(const Piece& piece) const;

 private:
  void cut(std::uint64_t bytes) const;
  std::ostream& begin_piece(bool has_heading, std::string_view heading) const;
  void end_piece() const;
  [[noreturn]] void fail(const std::string& why) const;

  const std::string name_, path_;
  std::string head_;
  mutable bool is_regular_ = false;  // no pipe, which cannot be cut
  mutable std::unique_ptr<std::ofstream> file_;
  mutable bool is_begun_ = false;
  mutable std::uint64_t kept_ = 0;
  mutable std::string heading_;
  mutable bool is_elsewhere_ = false;
  mutable std::vector<Piece> pieces_;  // the text of the last one is still in `text_`
  mutable std::ostringstream text_;
};

/// Collects the files that shared data name.
class ModelFiles {
 public:
  struct Entry {
    const ModelFile* file;
    std::function<void(Time)> at_end;  ///< may be empty
  };

  /// `at_end(time)` may write last lines when the run has ended. A session that goes on takes them back.
  /// Throws std::logic_error when there is another file of that name. `file` must live as long as the run.
  void add(const ModelFile& file, std::function<void(Time)> at_end = {});
  /// What was added, in that order.
  const std::vector<Entry>& all() const { return all_; }

 private:
  std::vector<Entry> all_;
};

}  // namespace anachron
