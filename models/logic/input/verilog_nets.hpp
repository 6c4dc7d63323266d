// The nets of a Verilog module, as text names them: alone, in vectors, in concatenations with constants.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "logic/input/constant.hpp"
#include "logic/input/netlist.hpp"
#include "logic/input/tokens.hpp"

namespace anachron::models::logic {

using Bits = std::vector<NetIndex>;  ///< the highest bit first

/// Takes them off the tokens. All functions throw InputError that names the line.
class VerilogNets {
 public:
  static constexpr std::int64_t kWidest = 1 << 20;  ///< bits of a vector, and the highest bound

  VerilogNets(Tokens& tokens, Netlist& netlist) : tokens_(tokens), netlist_(netlist) {}

  struct Range {
    bool is_vector = false;
    std::int64_t first = 0, last = 0;
  };
  /// `[7:0]`, or nothing.
  Range take_range();
  std::int64_t take_number(const std::string& what, std::int64_t highest);

  /// The net or the vector is declared, perhaps again.
  Bits declare(std::string_view name, const Range& range);
  /// A net that is no vector. An escaped name may end as the bit of a vector does, and is another net.
  NetIndex scalar(std::string_view name) {
    return name.ends_with(']') ? netlist_.net('\\' + std::string(name)) : netlist_.net(name);
  }

  /// Nets, parts of vectors, constants, concatenations. A constant without a size gets `width` bits; 0: it
  /// must have one.
  Bits take(std::size_t width = 0);
  /// The same of one bit.
  NetIndex take_one();

 private:
  Bits bits_of(std::string_view name, const Range& range);
  Bits take_name();
  Bits take_concatenation();
  std::int64_t take_index(std::string_view name, const Range& range);
  void append(Bits& bits, const Bits& more) const;

  Tokens& tokens_;
  Netlist& netlist_;
  std::map<std::string, Range, std::less<>> vectors_;
};

}  // namespace anachron::models::logic
