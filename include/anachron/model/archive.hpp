// Writing any value as bytes and reading it back. The format is in base/bytes.hpp.
//
// A class says what it consists of in one function for both directions:
//   template <class Archive> void serialize(Archive& ar) { ar(first, second); }
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/model/codec.hpp>
#include <anachron/model/encodable.hpp>
#include <anachron/model/reflect.hpp>

namespace anachron {
namespace detail {

/// Values within values deeper than this are not read, so that no input can use up the stack; and so they are
/// not written either. Far more than anything but a long linked list needs.
inline constexpr unsigned kDeepest = 1000;

/// One level further down. Throws InputError when that is too deep.
class Level {
 public:
  explicit Level(unsigned& depth) : depth_(depth) {
    if (depth == kDeepest) throw InputError("values nested more than 1000 deep");
    ++depth_;
  }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  unsigned& depth_;
};

}  // namespace detail

/// Passed to `serialize` to write. Throws InputError when a value has no encoding: values nested more than
/// 1000 deep, a std::variant without a value.
class ArchiveWriter {
 public:
  static constexpr bool kIsReading = false;

  /// Appends to `out`, which must outlive it.
  explicit ArchiveWriter(std::vector<std::byte>& out) : out_(out) {}

  /// Appends the values. They must be Encodable.
  template <class... Ts>
  ArchiveWriter& operator()(const Ts&... values) {
    (value(values), ...);
    return *this;
  }

  /// For codecs: where the bytes go.
  ByteWriter& out() { return out_; }
  /// An element of a container: takes at least one byte.
  template <class T>
  void element(const T& x) {
    value(x);
    if constexpr (detail::least_bytes<T>() == 0) out_.flag(false);
  }

 private:
  template <class T>
  void value(const T& x) {
    check_encodable<T>();
    if constexpr (!Encodable<T>)
      return;
    else if constexpr (detail::is_plain<T>())
      out_.bytes(&x, sizeof x);
    else if constexpr (std::is_same_v<T, bool>)
      out_.flag(x);
    else if constexpr (std::is_enum_v<T>)
      value(static_cast<std::underlying_type_t<T>>(x));
    else if constexpr (std::is_arithmetic_v<T>)
      out_.number(x);
    else
      parts(x);
  }
  template <class T>
  void parts(const T& x) {
    const detail::Level level(depth_);
    if constexpr (detail::HasCodec<T>)
      detail::Codec<T>::write(*this, x);
    else if constexpr (detail::HasSerialize<T>)
      const_cast<T&>(x).serialize(*this);  // one function for both directions; this one changes nothing
    else
      detail::with_members(x, [this](const auto&... members) { (*this)(members...); });
  }

  ByteWriter out_;
  unsigned depth_ = 0;
};

/// Passed to `serialize` to read. Throws InputError when the bytes cannot be what is asked for.
class ArchiveReader {
 public:
  static constexpr bool kIsReading = true;

  /// Reads on from where `in` is; it must outlive this.
  explicit ArchiveReader(ByteReader& in) : in_(in) {}

  /// Reads the values, in the order in which they were written.
  template <class... Ts>
  ArchiveReader& operator()(Ts&... values) {
    (value(values), ...);
    return *this;
  }

  /// For codecs: where the bytes come from.
  ByteReader& in() { return in_; }
  /// For codecs: an element of a container, as ArchiveWriter::element has written it.
  template <class T>
  void element(T& x) {
    value(x);
    if constexpr (detail::least_bytes<T>() == 0)
      if (in_.flag()) throw InputError("an element of a container that is not where it should be");
  }

 private:
  template <class T>
  void value(T& x) {
    check_encodable<T>();
    if constexpr (!Encodable<T>)
      return;
    else if constexpr (detail::is_plain<T>())
      in_.bytes(&x, sizeof x);
    else if constexpr (std::is_same_v<T, bool>)
      x = in_.flag();
    else if constexpr (std::is_enum_v<T>)
      enumeration(x);
    else if constexpr (std::is_arithmetic_v<T>)
      x = in_.number<T>();
    else
      parts(x);
  }
  template <class T>
  void enumeration(T& x) {
    std::underlying_type_t<T> number{};
    value(number);
    x = static_cast<T>(number);
  }
  template <class T>
  void parts(T& x) {
    const detail::Level level(depth_);
    if constexpr (detail::HasCodec<T>)
      detail::Codec<T>::read(*this, x);
    else if constexpr (detail::HasSerialize<T>)
      x.serialize(*this);
    else
      detail::with_members(x, [this](auto&... members) { (*this)(members...); });
  }

  ByteReader& in_;
  unsigned depth_ = 0;
};

/// The bytes of a value. Throws InputError as ArchiveWriter does.
template <class T>
std::vector<std::byte> encode(const T& value) {
  std::vector<std::byte> bytes;
  ArchiveWriter ar(bytes);
  ar(value);
  return bytes;
}

/// The value that the bytes stand for. Throws InputError unless they are the bytes of one T, all of them.
template <class T>
T decode(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  ArchiveReader ar(in);
  T value{};
  ar(value);
  if (in.remaining() > 0) throw InputError("more bytes than the value takes");
  return value;
}

}  // namespace anachron
