// What the threads of a load do, a small step at a time. The kinds stand for what the PARSEC benchmarks do to
// a simulation beside them (Wang et al., AIR, ACM TOMACS 25(3), 2015, section 8.7).
//
//   compute      Multiplies numbers, each of which waits for the one before. As swaptions or blackscholes.
//   stream       Goes through more memory than the last level cache has. As streamcluster or canneal.
//   communicate  Passes messages round a ring of threads, through queues with locks. As dedup or
//   fluidanimate. io           Writes a file and waits until it is on the disk.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "run/load/load_options.hpp"

namespace anachron {

/// A file that has no name, and is gone with the program.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Writes 64 KiB and waits until the disk has them.
  void write();

 private:
  std::vector<char> bytes_;
  int file_ = -1;
};

/// Of one thread, and used by it.
class Work {
 public:
  virtual ~Work() = default;
  /// Does a little, some microseconds where nothing holds it up. Returns how many units that was; 0: it has
  /// waited for another thread in vain.
  virtual std::uint64_t step() = 0;
};

/// For all threads of a load.
class Workshop {
 public:
  virtual ~Workshop() = default;
  /// For the calling thread. Throws std::runtime_error where there is no memory or no file.
  virtual std::unique_ptr<Work> make(unsigned thread) = 0;
  /// In which the work is counted.
  virtual std::string_view unit() const = 0;
  /// Bytes that all threads go through together; 0: the kind is about something else.
  virtual std::uint64_t memory() const { return 0; }
};

std::unique_ptr<Workshop> make_workshop(const LoadOptions& options);

}  // namespace anachron
