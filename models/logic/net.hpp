// A net of a block, together with the gate of the block that drives it, as events read and write them. All
// that a change and an evaluation need is in one place of memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "logic/input/netlist.hpp"
#include "logic/value.hpp"

namespace anachron::models::logic {

/// A gate with so many inputs is evaluated by a table; one with more by looking at what it reads.
inline constexpr std::uint32_t kMostTabled = 5;

/// A gate of the block that answers to a net, and by which input.
class After {
 public:
  After(std::uint32_t gate, std::uint32_t input)
      : bits_(gate << kGate | (input < kMostTabled ? 2 * input : kNowhere) << kShift) {}
  void set_last() { bits_ |= 1; }

  std::uint32_t gate() const { return bits_ >> kGate; }
  std::uint32_t shift() const { return bits_ >> kShift & 15; }  ///< in Net::inputs
  bool is_last() const { return bits_ & 1; }                    ///< of those that answer to the net

 private:
  static constexpr unsigned kGate = 5, kShift = 1;
  static constexpr std::uint32_t kNowhere = 14;
  std::uint32_t bits_;
};

struct Net {
  // The same all the time.
  std::uint32_t first_after = kNone;      ///< of Circuit::for_each_after(); kNone: no gate answers
  std::array<std::uint16_t, 2> delays{};  ///< in steps, to 1 and to 0
  // The state.
  std::uint16_t slot = kNowhere;  ///< of the wheel, in which the change waits
  std::uint16_t inputs = 0;       ///< of the gate, two bits for each
  Value value = Value::x;
  std::uint8_t pending = 0;  ///< the value that it will have, 0: no change waits; with kToTell
  // The same all the time, but for kIsMarked and kIsTold, which are not set between events.
  std::uint8_t gate = 0;  ///< row of kTable, or kNotTabled
  std::uint8_t flags = 0;

  friend bool operator==(const Net&, const Net&) = default;

  static constexpr std::uint16_t kNowhere = 0xffff;
  static constexpr std::uint8_t kToTell = 0x80;     ///< others are to be told a step before the change
  static constexpr std::uint8_t kNotTabled = 0xff;  ///< a wide gate, a flip-flop, or what hands on z
  enum Flag : std::uint8_t {
    kIsClock = 1,          ///< of a flip-flop of the block
    kIsCounted = 2,        ///< here and not in another block
    kIsReadElsewhere = 4,  ///< others are to be told of changes
    kIsMarked = 8,         ///< to be evaluated
    kIsTold = 16,          ///< others are going to be told
  };
  bool is(Flag flag) const { return flags & flag; }
  void set(Flag flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(Flag flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }

  Value wanted() const { return static_cast<Value>(pending & ~kToTell); }
  std::uint32_t delay(Value to) const {
    if (bits(to) >= bits(Value::x)) [[unlikely]]
      return std::min(delays[0], delays[1]);
    return delays[bits(to) - 1u];
  }
  /// All inputs are x, and those that it does not have such that they make no difference.
  void set_gate(Op op, std::uint32_t count) {
    gate = op >= Op::dff || count > kMostTabled ? kNotTabled : static_cast<std::uint8_t>(op);
    if (gate == kNotTabled) return;
    const bool is_and = op == Op::and_ || op == Op::nand || op == Op::buf || op == Op::not_;
    for (std::uint32_t k = 0; k < kMostTabled; ++k)
      inputs = static_cast<std::uint16_t>(inputs | bits(k < count ? Value::x
                                                        : is_and  ? Value::one
                                                                  : Value::zero)
                                                       << 2 * k);
  }
  void change_input(std::uint32_t shift, Value before, Value after) {
    inputs = static_cast<std::uint16_t>(inputs ^ ((bits(before) ^ bits(after)) & 3) << shift);
  }
};
static_assert(sizeof(Net) == 16);

/// What a gate drives, by Net::gate and Net::inputs.
using Table = std::array<std::array<Value, 1 << 2 * kMostTabled>, static_cast<unsigned>(Op::dff)>;
inline constexpr Table kTable = [] {
  Table table{};
  for (unsigned op = 0; op < table.size(); ++op)
    for (unsigned inputs = 0; inputs < table[op].size(); ++inputs)
      table[op][inputs] = evaluate(static_cast<Op>(op), kMostTabled,
                                   [&](std::uint32_t k) { return static_cast<Value>(inputs >> 2 * k & 3); });
  return table;
}();

}  // namespace anachron::models::logic
