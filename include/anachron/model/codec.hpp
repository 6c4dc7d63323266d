// How types of the standard library, and ids, are encoded. The format is in base/bytes.hpp; what else can be
// encoded, in model/encodable.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/model/any_id.hpp>
#include <anachron/model/id.hpp>

namespace anachron::detail {

/// A T is encoded as its bytes are in memory, and any bytes of that number are a T. In model/encodable.hpp.
template <class T>
constexpr bool is_plain();
/// No T takes fewer bytes. In model/encodable.hpp.
template <class T>
constexpr std::size_t least_bytes();

template <class... Ts>
struct TypeList {};

/// Of each type T below, for an archive `ar` (model/archive.hpp):
///   Parts           the types that it is made of; it can be encoded if they can
///   kLeastBytes     what a T takes at least
///   kIsPlain        see is_plain; missing: false
///   write(ar, T)
///   read(ar, T&)    the T was default-constructed
template <class T>
struct Codec;

template <class T>
concept HasCodec = requires { Codec<T>::kLeastBytes; };

// --- Sequences
// -----------------------------------------------------------------------------------------------

template <class T>
struct SequenceCodec {
  using Value = typename T::value_type;
  using Parts = TypeList<Value>;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const T& sequence) {
    ar.out().length(sequence.size());
    if constexpr (kIsOneBlock)
      ar.out().bytes(sequence.data(), sequence.size() * sizeof(Value));
    else
      for (const Value& value : sequence) ar.element(value);
  }
  template <class Ar>
  static void read(Ar& ar, T& sequence) {
    const std::size_t size = ar.in().length_of(std::max<std::size_t>(least_bytes<Value>(), 1));
    sequence.clear();
    if constexpr (kIsOneBlock) {
      sequence.resize(size);
      ar.in().bytes(sequence.data(), size * sizeof(Value));
    } else {
      for (std::size_t i = 0; i < size; ++i) ar.element(sequence.emplace_back());
    }
  }

 private:
  static constexpr bool kIsOneBlock = requires(T& t) { t.data(); } && is_plain<Value>();
};
template <class C, class Traits, class A>
struct Codec<std::basic_string<C, Traits, A>> : SequenceCodec<std::basic_string<C, Traits, A>> {};
template <class T, class A>
struct Codec<std::vector<T, A>> : SequenceCodec<std::vector<T, A>> {};
template <class T, class A>
struct Codec<std::deque<T, A>> : SequenceCodec<std::deque<T, A>> {};
template <class T, class A>
struct Codec<std::list<T, A>> : SequenceCodec<std::list<T, A>> {};

template <class A>
struct Codec<std::vector<bool, A>> {
  using Parts = TypeList<bool>;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const std::vector<bool, A>& bits) {
    ar.out().length(bits.size());
    for (std::size_t i = 0; i < bits.size(); i += 8) {
      unsigned byte = 0;
      for (std::size_t j = i; j < std::min(i + 8, bits.size()); ++j) byte |= unsigned{bits[j]} << (j - i);
      ar.out().number(static_cast<std::uint8_t>(byte));
    }
  }
  template <class Ar>
  static void read(Ar& ar, std::vector<bool, A>& bits) {
    const std::uint64_t size = ar.in().length();
    if (size / 8 > ar.in().remaining())
      throw InputError("a length of a vector<bool> among the bytes that is more than follows");
    bits.resize(size);
    for (std::size_t i = 0; i < bits.size(); i += 8) {
      const unsigned byte = ar.in().template number<std::uint8_t>();
      for (std::size_t j = i; j < std::min(i + 8, bits.size()); ++j) bits[j] = (byte >> (j - i) & 1u) != 0;
    }
  }
};

template <class T, std::size_t kSize>
struct ArrayCodec {
  using Parts = TypeList<T>;
  static constexpr std::size_t kLeastBytes = kSize * least_bytes<T>();
  static constexpr bool kIsPlain = kSize > 0 && is_plain<T>();

  template <class Ar>
  static void write(Ar& ar, const auto& array) {
    for (const T& value : array) ar(value);
  }
  template <class Ar>
  static void read(Ar& ar, auto& array) {
    for (T& value : array) ar(value);
  }
};
template <class T, std::size_t kSize>
struct Codec<std::array<T, kSize>> : ArrayCodec<T, kSize> {};
template <class T, std::size_t kSize>
struct Codec<T[kSize]> : ArrayCodec<T, kSize> {};

// --- Sets and maps
// -------------------------------------------------------------------------------------------

template <class T>
concept IsMap = requires { typename T::mapped_type; };
template <class T>
concept IsUnordered = requires { typename T::hasher; };
template <class T>
struct AssociativeParts {
  using type = TypeList<typename T::key_type>;
};
template <IsMap T>
struct AssociativeParts<T> {
  using type = TypeList<typename T::key_type, typename T::mapped_type>;
};

template <class T>
struct AssociativeCodec {
  using Key = typename T::key_type;
  using Parts = typename AssociativeParts<T>::type;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const T& container) {
    ar.out().length(container.size());
    std::vector<std::size_t> begins;
    for (const auto& value : container) {
      if constexpr (IsUnordered<T>) begins.push_back(ar.out().size());
      if constexpr (IsMap<T>) {
        ar.element(value.first);
        ar(value.second);
      } else {
        ar.element(value);
      }
    }
    if constexpr (IsUnordered<T>) ar.out().sort_parts(begins);
  }
  template <class Ar>
  static void read(Ar& ar, T& container) {
    const std::size_t size = ar.in().length_of(std::max<std::size_t>(least_bytes<Key>(), 1));
    container.clear();
    for (std::size_t i = 0; i < size; ++i) {
      Key key{};
      ar.element(key);
      if constexpr (IsMap<T>) {
        typename T::mapped_type mapped{};
        ar(mapped);
        container.emplace_hint(container.end(), std::move(key), std::move(mapped));
      } else {
        container.emplace_hint(container.end(), std::move(key));
      }
      if (container.size() != i + 1) throw InputError("the same key twice among the bytes of a set or map");
    }
  }
};
/// How keys are compared and hashed does not travel: it must be the same for all containers of the type.
template <class Function>
concept Stateless = std::is_empty_v<Function> && std::is_default_constructible_v<Function>;

template <class K, Stateless C, class A>
struct Codec<std::set<K, C, A>> : AssociativeCodec<std::set<K, C, A>> {};
template <class K, Stateless C, class A>
struct Codec<std::multiset<K, C, A>> : AssociativeCodec<std::multiset<K, C, A>> {};
template <class K, class T, Stateless C, class A>
struct Codec<std::map<K, T, C, A>> : AssociativeCodec<std::map<K, T, C, A>> {};
template <class K, class T, Stateless C, class A>
struct Codec<std::multimap<K, T, C, A>> : AssociativeCodec<std::multimap<K, T, C, A>> {};
template <class K, Stateless H, Stateless E, class A>
struct Codec<std::unordered_set<K, H, E, A>> : AssociativeCodec<std::unordered_set<K, H, E, A>> {};
template <class K, Stateless H, Stateless E, class A>
struct Codec<std::unordered_multiset<K, H, E, A>> : AssociativeCodec<std::unordered_multiset<K, H, E, A>> {};
template <class K, class T, Stateless H, Stateless E, class A>
struct Codec<std::unordered_map<K, T, H, E, A>> : AssociativeCodec<std::unordered_map<K, T, H, E, A>> {};
template <class K, class T, Stateless H, Stateless E, class A>
struct Codec<std::unordered_multimap<K, T, H, E, A>>
    : AssociativeCodec<std::unordered_multimap<K, T, H, E, A>> {};

// --- What may be there or not
// --------------------------------------------------------------------------------

template <class T>
struct Codec<std::optional<T>> {
  using Parts = TypeList<T>;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const std::optional<T>& value) {
    ar.out().flag(value.has_value());
    if (value) ar(*value);
  }
  template <class Ar>
  static void read(Ar& ar, std::optional<T>& value) {
    value.reset();
    if (ar.in().flag()) ar(value.emplace());
  }
};

/// Of one object, deleted by `delete`: of an array nobody knows the length.
template <class T>
  requires(!std::is_array_v<T>)
struct Codec<std::unique_ptr<T>> {
  using Parts = TypeList<T>;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const std::unique_ptr<T>& value) {
    ar.out().flag(value != nullptr);
    if (value) ar(std::as_const(*value));
  }
  template <class Ar>
  static void read(Ar& ar, std::unique_ptr<T>& value) {
    value.reset();
    if (!ar.in().flag()) return;
    value = std::make_unique<T>();
    ar(*value);
  }
};

template <class... Ts>
struct Codec<std::variant<Ts...>> {
  using Parts = TypeList<Ts...>;
  static constexpr std::size_t kLeastBytes = 1;

  template <class Ar>
  static void write(Ar& ar, const std::variant<Ts...>& value) {
    if (value.valueless_by_exception()) throw InputError("a std::variant that has lost its value");
    ar.out().length(value.index());
    std::visit([&ar](const auto& alternative) { ar(alternative); }, value);
  }
  template <class Ar>
  static void read(Ar& ar, std::variant<Ts...>& value) {
    const std::uint64_t index = ar.in().length();
    if (index >= sizeof...(Ts)) throw InputError("an alternative among the bytes that a std::variant lacks");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((I == index ? static_cast<void>(ar(value.template emplace<I>())) : void()), ...);
    }(std::index_sequence_for<Ts...>());
  }
};

// --- Of fixed parts
// ------------------------------------------------------------------------------------------

template <class... Ts>
struct TupleCodec {
  using Parts = TypeList<Ts...>;
  static constexpr std::size_t kLeastBytes = (least_bytes<Ts>() + ... + 0);

  template <class Ar>
  static void write(Ar& ar, const auto& tuple) {
    std::apply([&ar](const auto&... values) { ar(values...); }, tuple);
  }
  template <class Ar>
  static void read(Ar& ar, auto& tuple) {
    std::apply([&ar](auto&... values) { ar(values...); }, tuple);
  }
};
template <class T, class U>
struct Codec<std::pair<T, U>> : TupleCodec<T, U> {};
template <class... Ts>
struct Codec<std::tuple<Ts...>> : TupleCodec<Ts...> {};

/// Encoded as one number, of which T is made.
template <class T, class Number>
struct NumberCodec {
  using Parts = TypeList<Number>;
  static constexpr std::size_t kLeastBytes = least_bytes<Number>();
  static constexpr bool kIsPlain = is_plain<Number>() && sizeof(T) == sizeof(Number);
};
template <class Lp>
struct Codec<Id<Lp>> : NumberCodec<Id<Lp>, std::uint32_t> {
  template <class Ar>
  static void write(Ar& ar, const Id<Lp>& id) {
    ar(id.index());
  }
  template <class Ar>
  static void read(Ar& ar, Id<Lp>& id) {
    std::uint32_t index = 0;
    ar(index);
    id = Id<Lp>(index);
  }
};
template <class... Lps>
struct Codec<AnyId<Lps...>> {
  using Parts = TypeList<std::uint32_t>;
  static constexpr std::size_t kLeastBytes = 2 * sizeof(std::uint32_t);
  static constexpr bool kIsPlain = false;  // not any bytes: there are so many types

  template <class Ar>
  static void write(Ar& ar, const AnyId<Lps...>& id) {
    ar(id.type(), id.index());
  }
  template <class Ar>
  static void read(Ar& ar, AnyId<Lps...>& id) {
    std::uint32_t type = 0, index = 0;
    ar(type, index);
    if (type >= sizeof...(Lps)) throw InputError("an id of an LP type that is not one of those listed");
    id = AnyId<Lps...>::from(type, index);
  }
};
template <class Rep, class Period>
struct Codec<std::chrono::duration<Rep, Period>> : NumberCodec<std::chrono::duration<Rep, Period>, Rep> {
  template <class Ar>
  static void write(Ar& ar, const std::chrono::duration<Rep, Period>& duration) {
    ar(duration.count());
  }
  template <class Ar>
  static void read(Ar& ar, std::chrono::duration<Rep, Period>& duration) {
    Rep count{};
    ar(count);
    duration = std::chrono::duration<Rep, Period>(count);
  }
};
template <class Clock, class Duration>
struct Codec<std::chrono::time_point<Clock, Duration>>
    : NumberCodec<std::chrono::time_point<Clock, Duration>, Duration> {
  using T = std::chrono::time_point<Clock, Duration>;

  template <class Ar>
  static void write(Ar& ar, const T& point) {
    ar(point.time_since_epoch());
  }
  template <class Ar>
  static void read(Ar& ar, T& point) {
    Duration since_epoch{};
    ar(since_epoch);
    point = T(since_epoch);
  }
};
template <class T>
struct Codec<std::complex<T>> {
  using Parts = TypeList<T>;
  static constexpr std::size_t kLeastBytes = 2 * least_bytes<T>();
  static constexpr bool kIsPlain = is_plain<T>();

  template <class Ar>
  static void write(Ar& ar, const std::complex<T>& z) {
    ar(z.real(), z.imag());
  }
  template <class Ar>
  static void read(Ar& ar, std::complex<T>& z) {
    T real{}, imag{};
    ar(real, imag);
    z = {real, imag};
  }
};

}  // namespace anachron::detail
