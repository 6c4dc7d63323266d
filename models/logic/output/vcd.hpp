// A value change dump: IEEE 1364-2005, clause 18.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <anachron/model/model_file.hpp>

#include "logic/input/netlist.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

class Vcd {
 public:
  struct Change {
    std::uint32_t number;
    Value value;
  };

  /// Throws InputError if the file cannot be written.
  Vcd(const std::string& path, const Netlist& netlist, Watch watch);

  /// Of a net in the file; kNone: it is not watched. Nets that are the same have one number.
  std::uint32_t number_of(NetIndex net) const { return numbers_[net]; }

  // Called in the order of events, one call at a time; the first writes declarations and initial values, too.

  void write(std::uint64_t time, const std::vector<Change>& changes) const;
  /// Tells when the run ended. Throws std::runtime_error if something could not be written.
  void end(std::uint64_t time) const;

  const ModelFile& file() const { return file_; }

 private:
  void put_time(std::uint64_t time) const;
  std::uint64_t begin() const;

  ModelFile file_;
  std::string head_;
  mutable std::optional<std::uint64_t> time_;  // the last in the file; none: nothing was written
  std::vector<std::uint32_t> numbers_;
};

}  // namespace anachron::models::logic
