// The trace of committed events as a file: text for people, CSV for programs.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/trace.hpp>

namespace anachron {

/// "Hub:3,Office,Hub:5-9": LPs of which the events are traced; without a number all of the type. A comma
/// within <> belongs to a type's name. Throws InputError.
std::vector<TracedLps> parse_traced_lps(const std::string& text);
/// The inverse.
std::string format_traced_lps(const std::vector<TracedLps>& lps);

/// Written while the run goes on, so that it can be followed. Not for several threads at a time.
class TraceFile {
 public:
  /// CSV when `path` ends with ".csv", else text; "-": standard output. Throws InputError.
  explicit TraceFile(const std::string& path);

  /// Throws std::runtime_error when the disk is full.
  void show(const CommittedEvent& event);
  void close();

 private:
  void write(std::string_view text);
  [[noreturn]] void fail() const;

  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool is_csv_;
  std::string line_;  // kept for its memory
};

}  // namespace anachron
