// The part of an LP type's table that encodes and decodes states: for the state digest, and for checkpoints.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/encodable.hpp>
#include <anachron/model/names.hpp>
#include <anachron/model/payload_ops.hpp>
#include <anachron/model/reflect.hpp>

namespace anachron::detail {

/// "member queue, a std::shared_ptr<Job>: it refers to memory of this process"; `member` may be empty.
std::string text_of_obstacle(Obstacle why, std::string_view member, std::string_view part);

/// Of states of type Lp.
template <class Lp>
struct StateTable {
  static Failure encode(const void* state, std::vector<std::byte>& out) {
    const std::size_t size = out.size();
    try {
      ArchiveWriter ar(out);
      ar(*static_cast<const Lp*>(state));
      return {};
    } catch (...) {
      out.resize(size);
      return failure_of_exception();
    }
  }
  static Failure decode(void* state, ByteReader& in) {
    try {
      ArchiveReader ar(in);
      ar(*static_cast<Lp*>(state));
      return {};
    } catch (...) {
      return failure_of_exception();
    }
  }

  static std::string why_not_encoded() {
    using Found = decltype(examine<Lp>());
    return text_of_obstacle(Found::kWhy, member_in_the_way(), full_name<typename Found::Part>());
  }

 private:
  /// Of a type whose members are known, the first that cannot be encoded.
  static std::string_view member_in_the_way() {
    if constexpr (MembersCanBeSeen<Lp> && !HasSerialize<Lp>)
      return first_of(MembersOf<Lp>());
    else
      return {};
  }
  template <class... Ts>
  static std::string_view first_of(TypeList<Ts...>) {
    constexpr bool kCan[] = {Encodable<Ts>..., true};
    std::size_t i = 0;
    while (kCan[i]) ++i;
    return member_names<Lp>()[i];
  }
};

}  // namespace anachron::detail
