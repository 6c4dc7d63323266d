// A value change dump: IEEE 1364-2005, clause 18.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "logic/input/netlist.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

class Vcd {
 public:
  struct Change {
    std::uint32_t number;
    Value value;
  };

  /// Writes the declarations and the values before the start. Throws InputError if it cannot.
  Vcd(const std::string& path, const Netlist& netlist, Watch watch);

  /// Of a net in the file; kNone: it is not watched. Nets that are the same have one number.
  std::uint32_t number_of(NetIndex net) const { return numbers_[net]; }

  // The file is no part of what LPs share but for being written in the order of events, one call at a time.
  void write(std::uint64_t time, const std::vector<Change>& changes) const;
  /// Tells when the run ended. Throws std::runtime_error if something could not be written.
  void end(std::uint64_t time) const;

 private:
  void put_time(std::uint64_t time) const;

  std::string path_;
  mutable std::ofstream file_;
  mutable std::uint64_t time_ = 0;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace anachron::models::logic
