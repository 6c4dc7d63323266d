// The part of an event's table that copies, moves, encodes and decodes its payload.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/event/header.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/encodable.hpp>
#include <anachron/model/print.hpp>

namespace anachron::detail {

/// The reason of the exception being handled.
Failure failure_of_exception();

template <class... Within, class... Ts>
constexpr bool all_are_copyable(TypeList<Ts...>);

/// A T can be copied: not only says so, as std::vector<std::unique_ptr<int>> does.
template <class T, class... Within>
constexpr bool is_copyable() {
  if constexpr ((std::is_same_v<T, Within> || ...))
    return true;
  else if constexpr (std::is_array_v<T>)
    return is_copyable<std::remove_extent_t<T>, Within...>();
  else if constexpr (!std::is_copy_constructible_v<T>)
    return false;
  else if constexpr (HasCodec<T>)
    return all_are_copyable<T, Within...>(typename Codec<T>::Parts());
  else if constexpr (MembersCanBeSeen<T>)
    return all_are_copyable<T, Within...>(MembersOf<T>());
  else
    return true;
}
template <class... Within, class... Ts>
constexpr bool all_are_copyable(TypeList<Ts...>) {
  return (is_copyable<Ts, Within...>() && ...);
}

/// Of events with a payload of type E at `kOffset` behind the start of the header.
template <class E, std::size_t kOffset>
struct PayloadTable {
  static E& payload(event::EventHeader& e) {
    return *reinterpret_cast<E*>(reinterpret_cast<std::byte*>(&e) + kOffset);
  }
  static const E& payload(const event::EventHeader& e) {
    return *reinterpret_cast<const E*>(reinterpret_cast<const std::byte*>(&e) + kOffset);
  }

  static void copy(event::EventHeader& to, const event::EventHeader& from) {
    std::construct_at(&payload(to), payload(from));
  }
  static void move(event::EventHeader& to, event::EventHeader& from) {
    std::construct_at(&payload(to), std::move(payload(from)));
    std::destroy_at(&payload(from));
  }
  static Failure encode(const event::EventHeader& e, std::vector<std::byte>& out) {
    const std::size_t size = out.size();
    try {
      ArchiveWriter ar(out);
      ar(payload(e));
      return {};
    } catch (...) {
      out.resize(size);
      return failure_of_exception();
    }
  }
  static Failure decode(event::EventHeader& e, ByteReader& in) {
    E* made = nullptr;
    try {
      made = std::construct_at(&payload(e));
      ArchiveReader ar(in);
      ar(*made);
      return {};
    } catch (...) {
      if (made) std::destroy_at(made);
      return failure_of_exception();
    }
  }

  static void print(const event::EventHeader& e, std::string& out) { detail::print(out, payload(e)); }

  static constexpr auto copy_or_null() {
    if constexpr (is_copyable<E>())
      return &copy;
    else
      return nullptr;
  }
  static constexpr auto encode_or_null() {
    if constexpr (Encodable<E>)
      return &encode;
    else
      return nullptr;
  }
  static constexpr auto decode_or_null() {
    if constexpr (Encodable<E>)
      return &decode;
    else
      return nullptr;
  }
};

}  // namespace anachron::detail
