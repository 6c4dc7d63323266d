// Values as text, for traces: whatever the compiler can look into, without anything to write for it. The text
// is the same on every machine and in every run.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <anachron/model/any_id.hpp>
#include <anachron/model/encodable.hpp>
#include <anachron/model/id.hpp>
#include <anachron/model/names.hpp>
#include <anachron/model/reflect.hpp>

namespace anachron::detail {

template <class T>
void print(std::string& out, const T& x);

template <class T>
inline constexpr bool kIsId = false;
template <class Lp>
inline constexpr bool kIsId<Id<Lp>> = true;
template <class T>
inline constexpr bool kIsAnyId = false;
template <class... Lps>
inline constexpr bool kIsAnyId<AnyId<Lps...>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsTuple = false;
template <class... Ts>
inline constexpr bool kIsTuple<std::tuple<Ts...>> = true;
template <class T, class U>
inline constexpr bool kIsTuple<std::pair<T, U>> = true;

/// Walked in an order that depends on how it came to be, so that its elements are not shown.
template <class T>
concept Unordered = requires { typename T::hasher; };

/// Shortest text that reads back as the same number.
template <class T>
void print_number(std::string& out, T x) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x);
  out.append(text, end.ptr);
}

void print_text(std::string& out, std::string_view text);

/// A container, but none of its own kind, as a std::filesystem::path is.
template <class T>
concept Listed = std::ranges::input_range<const T> && !std::same_as<std::ranges::range_value_t<const T>, T>;

/// Shows what a class says in `serialize` that it consists of.
class Printer {
 public:
  static constexpr bool kIsReading = false;

  explicit Printer(std::string& out) : out_(out) { out_ += '{'; }
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;
  ~Printer() { out_ += '}'; }

  template <class... Ts>
  Printer& operator()(const Ts&... values) {
    ((out_ += std::exchange(before_, ", "), print(out_, values)), ...);
    return *this;
  }

 private:
  std::string& out_;
  std::string_view before_;
};

template <class Range>
void print_range(std::string& out, const Range& range) {
  std::string_view before = "[";
  if (std::ranges::empty(range)) out += before;
  for (auto&& x : range) {
    out += std::exchange(before, ", ");
    print<std::ranges::range_value_t<const Range>>(out, x);
  }
  out += ']';
}

template <class T, std::size_t... kIndex>
void print_members(std::string& out, const T& x, std::index_sequence<kIndex...>) {
  with_members(x, [&out](const auto&... members) {
    [[maybe_unused]] std::string_view before = "{";
    (((out += std::exchange(before, ", ")) += member_name<T, kIndex>(), out += ": ", print(out, members)),
     ...);
  });
  out += sizeof...(kIndex) == 0 ? "{}" : "}";
}

/// Numbers, texts, ids, containers, aggregates; `?` for what cannot be looked into.
template <class T>
void print(std::string& out, const T& x) {
  if constexpr (std::is_same_v<T, bool>) {
    out += x ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    print_number(out, static_cast<std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>(x));
  } else if constexpr (std::is_floating_point_v<T>) {
    print_number(out, x);
  } else if constexpr (std::is_enum_v<T>) {
    print(out, static_cast<std::underlying_type_t<T>>(x));
  } else if constexpr (std::is_class_v<T> && std::is_convertible_v<const T&, std::string_view>) {
    print_text(out, x);
  } else if constexpr (kIsId<T>) {
    print_number(out, x.index());
  } else if constexpr (kIsAnyId<T>) {
    x.visit([&out]<class Lp>(Id<Lp> id) {
      (out += short_name<Lp>()) += ' ';
      print(out, id);
    });
  } else if constexpr (kIsOptional<T>) {
    x ? print(out, *x) : void(out += "none");
  } else if constexpr (kIsTuple<T>) {
    std::apply(
        [&out](const auto&... values) {
          std::string_view before = "(";
          ((out += std::exchange(before, ", "), print(out, values)), ...);
        },
        x);
    out += ')';
  } else if constexpr (Unordered<T>) {
    print_number(out, x.size());
    out += " elements";
  } else if constexpr (Listed<T>) {
    print_range(out, x);
  } else if constexpr (HasSerialize<T>) {
    Printer printer(out);
    const_cast<T&>(x).serialize(printer);  // as to write it: changes nothing
  } else if constexpr (MembersCanBeSeen<T>) {
    print_members(out, x, std::make_index_sequence<member_count<T>()>());
  } else {
    out += '?';
  }
}

}  // namespace anachron::detail
