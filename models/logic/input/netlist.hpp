// A circuit as a netlist tells it: nets, gates with their delays, ports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logic/value.hpp"

namespace anachron::models::logic {

using NetIndex = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Ticks from a change of an input to that of the output; to x it takes the shorter one.
struct Delay {
  std::uint32_t rise = 1, fall = 1;
  friend bool operator==(const Delay&, const Delay&) = default;
};
inline constexpr std::uint32_t kLongestDelay = 1'000'000'000;

/// The inputs of a dff are clock and data.
struct Gate {
  Op op = Op::buf;
  Delay delay;
  NetIndex output = 0;
  std::uint32_t first_input = 0, inputs = 0;
  std::uint32_t line = 0;  ///< of the file; 0: it is in none
};

/// What is read or generated. Nets 0 and 1 are the constants 0 and 1.
class Netlist {
 public:
  static constexpr NetIndex kZero = 0, kOne = 1;

  explicit Netlist(std::string name) : name_(std::move(name)) {
    net("1'b0");
    net("1'b1");
  }

  /// The net of this name, made if there is none.
  NetIndex net(std::string_view name);
  /// kNone: there is none.
  NetIndex find(std::string_view name) const;
  void add_gate(Op op, Delay delay, NetIndex output, const std::vector<NetIndex>& inputs, std::uint32_t line);
  void add_input(NetIndex net, std::uint32_t line);
  void add_output(NetIndex net) { outputs_.push_back(net); }
  /// `to` is another name of `from`.
  void alias(NetIndex to, NetIndex from, std::uint32_t line);
  /// Puts the one net for all its names, finds drivers. Throws InputError that names the line of the second
  /// driver of a net, and of an alias of itself.
  void close();

  // What follows holds after close().
  const std::string& name() const { return name_; }  ///< of the file or generator, for messages
  std::uint32_t nets() const { return static_cast<std::uint32_t>(names_.size()); }
  const std::string& net_name(NetIndex net) const { return names_[net]; }
  NetIndex same(NetIndex net) const { return same_[net]; }  ///< the net that it is another name of, or itself
  const std::vector<Gate>& gates() const { return gates_; }
  NetIndex input(const Gate& gate, std::uint32_t k) const { return pins_[gate.first_input + k]; }
  const std::vector<NetIndex>& inputs() const { return inputs_; }
  const std::vector<NetIndex>& outputs() const { return outputs_; }
  /// The gate that drives the net, or kNone.
  std::uint32_t driver(NetIndex net) const { return driver_[net]; }
  bool is_input(NetIndex net) const { return driver_line_[net] != 0 && driver_[net] == kNone && net > kOne; }
  std::string timescale = "1 ns";

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const;
  void drive(NetIndex net, std::uint32_t gate, std::uint32_t line);

  std::string name_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, NetIndex> by_name_;
  std::vector<Gate> gates_;
  std::vector<NetIndex> pins_, inputs_, outputs_, same_;
  struct Alias {
    NetIndex to, from;
    std::uint32_t line;
  };
  std::vector<Alias> aliases_;
  std::vector<std::uint32_t> input_lines_, driver_, driver_line_;
};

}  // namespace anachron::models::logic
