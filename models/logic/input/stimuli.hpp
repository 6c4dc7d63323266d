// What the inputs of a circuit do: random vectors or a file, and clocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "logic/input/netlist.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

/// At k * period, k < vectors, each input that is no clock gets a random bit. Clocks are 0 then, and 1 from
/// period/2 (rounded down) later on. With a file the inputs that it names do what it says, clocks that it
/// does not name run.
class Stimuli {
 public:
  /// Reads the file, if there is one. Throws InputError that names the line of what is wrong.
  Stimuli(const Params& params, const Netlist& netlist);

  enum class Kind : std::uint8_t { random, clock, file, none };
  /// Of input number `input` of the netlist.
  Kind kind(std::uint32_t input) const { return kinds_[input]; }

  /// Of a random input or clock at half-period `half`, which begins at time_of(half). There are halves() of
  /// them.
  Value value(std::uint32_t input, std::uint32_t half) const;
  std::uint64_t time_of(std::uint32_t half) const {
    return std::uint64_t{half / 2} * period_ + (half % 2 ? period_ / 2 : 0);
  }
  std::uint32_t halves() const { return 2 * vectors_ + (has_clocks_ && vectors_ > 0); }
  /// Random vectors begin at even halves; at the last one, behind the vectors, only clocks change.
  bool has_vector(std::uint32_t half) const { return half % 2 == 0 && half < 2 * vectors_; }
  bool has_clocks() const { return has_clocks_; }

  struct Change {
    std::uint64_t time;
    std::uint32_t input;
    Value value;
  };
  const std::vector<Change>& changes() const { return changes_; }  ///< of the file, by time

  /// The greatest common divisor of all times.
  std::uint64_t step() const { return step_; }

 private:
  void read(const std::string& path, const Netlist& netlist);

  std::uint64_t seed_, step_ = 0;
  std::uint32_t period_, vectors_;
  bool has_clocks_ = false;
  std::vector<Kind> kinds_;
  std::vector<Change> changes_;
};

}  // namespace anachron::models::logic
