// What becomes of a run that is interrupted while a handler does not return.
#pragma once

#include <string>

#include "run/progress/progress_line.hpp"

namespace anachron {

/// Once the run is to end: says which event keeps it, and ends the program when that does not return. Nothing
/// can take a thread out of a handler, so there is no report.
class EndlessHandler {
 public:
  EndlessHandler(const std::string& program, ProgressLine& line) : program_(program), line_(line) {}

  void look(const Progress& now);

 private:
  void say(const std::string& what);

  const std::string& program_;
  ProgressLine& line_;
  bool is_said_ = false;
};

}  // namespace anachron
