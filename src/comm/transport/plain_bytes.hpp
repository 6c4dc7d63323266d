// Texts and plain values as bytes between ranks.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include <anachron/base/bytes.hpp>

namespace anachron::transport {

inline void write_text(ByteWriter& out, std::string_view text) {
  out.length(text.size());
  out.bytes(text.data(), text.size());
}
inline std::string read_text(ByteReader& in) {
  std::string text(in.length_of(1), '\0');
  in.bytes(text.data(), text.size());
  return text;
}
/// As it is: all ranks run the same program on the same kind of processor.
template <class T>
void write_plain(ByteWriter& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.bytes(&value, sizeof value);
}
template <class T>
T read_plain(ByteReader& in) {
  T value{};
  in.bytes(&value, sizeof value);
  return value;
}
}  // namespace anachron::transport
