// The name of a type as text, at compile time, for messages and digests.
#pragma once

#include <string_view>

namespace anachron {
namespace detail {

template <class T>
constexpr std::string_view pretty_function() {
  return __PRETTY_FUNCTION__;
}

// What surrounds the name in the compiler's text, measured on a type whose name is known.
inline constexpr std::size_t kNamePrefix = pretty_function<double>().find("double");
inline constexpr std::size_t kNameSuffix = pretty_function<double>().size() - kNamePrefix - 6;

}  // namespace detail

/// Qualified name as the compiler spells it, e.g. "city::Link". Equal in all processes of one binary.
template <class T>
constexpr std::string_view type_name() {
  const auto text = detail::pretty_function<T>();
  // g++ appends the expansion of std::string_view after the argument: "...; std::string_view = ...".
  auto name = text.substr(detail::kNamePrefix, text.size() - detail::kNamePrefix - detail::kNameSuffix);
  return name;
}

/// The last part of a qualified name, with its template arguments, e.g. "Link".
constexpr std::string_view last_part(std::string_view name) {
  int depth = 0;  // of brackets, inside which a name is not this one's
  for (std::size_t i = name.size(); i > 0; --i) {
    const char c = name[i - 1];
    if (c == '>' || c == ')' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '{') --depth;
    if (c == ':' && depth == 0) return name.substr(i);
  }
  return name;
}

/// Without the template arguments that it ends in.
constexpr std::string_view without_arguments(std::string_view name) { return name.substr(0, name.find('<')); }

/// The last part of the type's qualified name.
template <class T>
constexpr std::string_view short_type_name() {
  return last_part(type_name<T>());
}

}  // namespace anachron
