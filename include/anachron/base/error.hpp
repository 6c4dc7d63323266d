// The errors that cross the API's rim. Inside the library errors are values; these are thrown by
// Simulation::run and by option and file readers, and turned into messages by the command line.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>

namespace anachron {

/// Why something failed; none: it did not.
using Failure = std::optional<std::string>;

/// Bad input: an option, a value, a file. `what()` names the thing, the value and what is valid.
/// The command line prints it and exits with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A committed event failed: it threw, sent to the past or sent to an unknown LP. The same error, for the
/// same event, in every mode. The command line prints it and exits with status 1.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(std::string lp, std::string event, Time time, std::string cause, std::string where = {});

  const std::string& lp() const noexcept { return lp_; }        ///< e.g. "Player 17"
  const std::string& event() const noexcept { return event_; }  ///< event type, "start" or "finish"
  Time time() const noexcept { return time_; }                  ///< of the event, in the model's unit
  const std::string& cause() const noexcept { return cause_; }  ///< e.g. "threw: no such road"
  const std::string& where() const noexcept { return where_; }  ///< e.g. "rank 3 on node7"; empty: here

 private:
  std::string lp_, event_;
  Time time_;
  std::string cause_, where_;
};

}  // namespace anachron
