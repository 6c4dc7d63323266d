// Where the flight record of a run goes: a file that is written when something goes wrong, or when a signal
// asks for it.
#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/timeline.hpp>

namespace anachron {

/// While it lives, SIGUSR2 asks for a flight record, and a signal that kills the program (SIGSEGV, SIGBUS,
/// SIGFPE, SIGILL, SIGABRT) waits until it is written, at most two seconds. Signals for which there is a
/// handler already are left to it. One at a time per process.
class FlightFile {
 public:
  /// Where it goes unless the user says otherwise: the system's folder for what is temporary.
  static std::filesystem::path default_path();

  /// What is written: all records, or no records of errors that are the model's.
  enum class Of { all, engine };
  /// `say`: tells the user.
  FlightFile(std::filesystem::path path, Of of, std::function<void(const std::string&)> say);
  ~FlightFile();
  FlightFile(const FlightFile&) = delete;
  FlightFile& operator=(const FlightFile&) = delete;

  /// What writes to this file, which must outlive it. A file that cannot be written is told, and no error.
  FlightRecordOutput output();

 private:
  void write(std::string_view reason, std::string_view trace);

  const std::filesystem::path path_;
  const Of of_;
  const std::function<void(const std::string&)> say_;
  struct Replaced {
    int signal;
    struct sigaction before;
  };
  std::vector<Replaced> replaced_;
};

}  // namespace anachron
