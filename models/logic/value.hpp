// The four values of a net, and what gates make of them (IEEE 1364-2005, tables 7-3 to 7-5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace anachron::models::logic {

/// A bit for "may be 1" and one for "may be 0", so that gates are and, or and exchange of bits; z counts as x
/// wherever it is read.
enum class Value : std::uint8_t { one = 1, zero = 2, x = 3, z = 7 };

inline constexpr std::uint8_t kMayBeOne = 1, kMayBeZero = 2;

inline char to_char(Value value) {
  switch (value) {
    case Value::zero:
      return '0';
    case Value::one:
      return '1';
    case Value::z:
      return 'z';
    case Value::x:
      break;
  }
  return 'x';
}

inline std::optional<Value> value_of(char c) {
  switch (c) {
    case '0':
      return Value::zero;
    case '1':
      return Value::one;
    case 'x':
    case 'X':
      return Value::x;
    case 'z':
    case 'Z':
      return Value::z;
    default:
      return std::nullopt;
  }
}

/// Gates, the flip-flop `dff`, and what else drives nets in Verilog: `pass` is an assignment with a delay,
/// `choice` is `? :`, `clocked` is a register that an `always` block assigns to. These hand on z.
enum class Op : std::uint8_t { and_, nand, or_, nor, xor_, xnor, buf, not_, dff, pass, choice, clocked };
inline constexpr unsigned kNamedOps = 9;
/// As Verilog calls those that have a name.
inline constexpr std::string_view kOpNames[kNamedOps] = {"and",  "nand", "or",  "nor", "xor",
                                                         "xnor", "buf",  "not", "dff"};
/// Whose inputs are a clock and data.
constexpr bool is_flip_flop(Op op) { return op == Op::dff || op == Op::clocked; }

constexpr std::uint8_t bits(Value value) { return static_cast<std::uint8_t>(value); }

constexpr Value inverse(std::uint8_t may) {
  return static_cast<Value>((may & kMayBeOne) << 1 | (may & kMayBeZero) >> 1);
}

/// What a gate without memory drives; `input(k)` is the value of input k < count, count >= 1.
template <class Input>
constexpr Value evaluate(Op op, std::uint32_t count, const Input& input) {
  std::uint8_t all = bits(input(0)), any = all;
  switch (op) {
    case Op::and_:
    case Op::nand:
    case Op::buf:
    case Op::not_: {
      for (std::uint32_t k = 1; k < count; ++k) {
        const std::uint8_t next = bits(input(k));
        all &= next;
        any |= next;
      }
      const auto may = static_cast<std::uint8_t>((all & kMayBeOne) | (any & kMayBeZero));
      return op == Op::and_ || op == Op::buf ? static_cast<Value>(may) : inverse(may);
    }
    case Op::or_:
    case Op::nor: {
      for (std::uint32_t k = 1; k < count; ++k) {
        const std::uint8_t next = bits(input(k));
        all &= next;
        any |= next;
      }
      const auto may = static_cast<std::uint8_t>((any & kMayBeOne) | (all & kMayBeZero));
      return op == Op::or_ ? static_cast<Value>(may) : inverse(may);
    }
    case Op::xor_:
    case Op::xnor: {
      std::uint8_t may = all & 3;
      for (std::uint32_t k = 1; k < count; ++k) {
        const std::uint8_t next = bits(input(k));
        // May be 1 where one of both may be 1 and the other 0; may be 0 where both may be the same.
        const bool one = (may & bits(inverse(next))) != 0;
        const bool zero = (may & next & 3) != 0;
        may = static_cast<std::uint8_t>((one ? kMayBeOne : 0) | (zero ? kMayBeZero : 0));
      }
      return op == Op::xor_ ? static_cast<Value>(may) : inverse(may);
    }
    case Op::pass:
      return input(0);
    case Op::choice: {
      const std::uint8_t condition = all & 3;
      if (condition != bits(Value::x)) return condition == bits(Value::one) ? input(1) : input(2);
      const std::uint8_t may = bits(input(1)) | bits(input(2));
      return static_cast<Value>(may & 3);
    }
    case Op::dff:
    case Op::clocked:
      break;
  }
  return Value::x;
}

}  // namespace anachron::models::logic
