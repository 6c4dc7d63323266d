// A value change dump: IEEE 1364-2005, clause 18.
#pragma once

#include <cstdint>
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

  Vcd(const std::string& path, const Netlist& netlist, Watch watch);

  /// Of a net in the file; kNone: it is not watched. Nets that are the same have one number.
  std::uint32_t number_of(NetIndex net) const { return numbers_[net]; }

  // Called in the order of events, one call at a time.

  void write(std::uint64_t time, const std::vector<Change>& changes) const;
  /// Tells when the run ended.
  void end(std::uint64_t time) const;

  const ModelFile& file() const { return file_; }

 private:
  ModelFile file_;  // what changes at the same time is under one heading
  std::vector<std::uint32_t> numbers_;
};

}  // namespace anachron::models::logic
