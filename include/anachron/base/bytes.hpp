// Values as bytes: what events become on their way to another process, and what a checkpoint is written in.
//
// This is the format, version kWireVersion. Nothing in it depends on how many PEs, workers or ranks there
// are.
//   number, enumeration   its bytes, the least significant first, as many as its type has
//   bool                  one byte, 0 or 1
//   length, index         7 bits per byte, the lowest first, the top bit set in all bytes but the last
//   (LEB128)
//   string, container     its length, then its elements in order; of a map key and value in turn
//   element               its value; one that may take no byte at all is followed by a byte 0
//   vector<bool>          its length, then 8 elements per byte, the first in the lowest bit
//   optional, unique_ptr  a bool, then the value if there is one
//   variant               the index of the alternative, then its value
//   array, pair, tuple    one after the other
//   aggregate             its members in order of declaration; the bytes between them (padding) do not travel
//   class with serialize  what `serialize` names, in that order
//
// Elements of an unordered container come in the order of their bytes. So no length is greater than the
// number of bytes that follow, and values that are equal have equal bytes, except where `==` says less than
// the value (0.0 and -0.0).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace anachron {

/// Changes with the format. Part of what ranks compare before a run.
inline constexpr std::uint32_t kWireVersion = 1;

template <class T>
concept WireNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>;

/// Appends to a buffer.
class ByteWriter {
 public:
  /// `out` must outlive it.
  explicit ByteWriter(std::vector<std::byte>& out) : out_(out) {}

  void bytes(const void* from, std::size_t count) {
    if (count == 0) return;
    const std::size_t size = out_.size();
    out_.resize(size + count);
    std::memcpy(out_.data() + size, from, count);
  }
  template <WireNumber T>
  void number(T x) {
    auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(x);
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    bytes(raw.data(), raw.size());
  }
  void flag(bool x) { out_.push_back(std::byte{x}); }
  void length(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) out_.push_back(static_cast<std::byte>(n | 0x80));
    out_.push_back(static_cast<std::byte>(n));
  }
  void text(std::string_view text) {
    length(text.size());
    bytes(text.data(), text.size());
  }
  std::size_t size() const { return out_.size(); }
  /// Puts the parts that begin at these places, and reach to the next and to the end, into the order of their
  /// bytes. O(n log n).
  void sort_parts(std::span<const std::size_t> begins);

 private:
  std::vector<std::byte>& out_;
};

/// Reads what a ByteWriter has written, or bytes that may come from elsewhere: every function throws
/// InputError when the bytes that are left cannot be what it asks for.
class ByteReader {
 public:
  /// `bytes` must outlive it.
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  std::size_t remaining() const { return left_.size(); }

  void bytes(void* to, std::size_t count) {
    if (count > left_.size()) [[unlikely]]
      fail_short(count);
    if (count > 0) std::memcpy(to, left_.data(), count);
    left_ = left_.subspan(count);
  }
  template <WireNumber T>
  T number() {
    std::array<std::byte, sizeof(T)> raw;
    bytes(raw.data(), raw.size());
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  bool flag();
  std::uint64_t length();
  /// A length of something of which each element takes at least `least_bytes`, which is above 0. So memory
  /// for that many elements is in proportion to the bytes that there are.
  std::size_t length_of(std::size_t least_bytes);
  std::string text();

 private:
  [[noreturn]] void fail_short(std::size_t wanted) const;

  std::span<const std::byte> left_;
};

}  // namespace anachron
