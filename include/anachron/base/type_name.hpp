// The name of a type as text, at compile time, for messages and digests.
#pragma once

#include <cstddef>
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

template <class T>
constexpr std::string_view compiler_name() {
  const auto text = pretty_function<T>();
  // g++ appends the expansion of std::string_view after the argument: "...; std::string_view = ...".
  return text.substr(kNamePrefix, text.size() - kNamePrefix - kNameSuffix);
}

inline constexpr std::string_view kUnnamed = "{anonymous}", kUnnamedOfClang = "(anonymous namespace)";

/// A name with unnamed namespaces as GCC spells them.
template <std::size_t kMost>
struct Spelling {
  char text[kMost] = {};
  std::size_t size = 0;

  constexpr explicit Spelling(std::string_view name) {
    while (!name.empty()) {
      const bool is_unnamed = name.starts_with(kUnnamedOfClang);
      for (const char c : is_unnamed ? kUnnamed : name.substr(0, 1)) text[size++] = c;
      name.remove_prefix(is_unnamed ? kUnnamedOfClang.size() : 1);
    }
  }
};
template <class T>
inline constexpr Spelling<compiler_name<T>().size()> kSpelling{compiler_name<T>()};

}  // namespace detail

/// Qualified name, e.g. "city::Link". Equal in all processes of one binary. GCC and Clang spell it alike but
/// for template arguments, so that digests and checkpoints of one may be those of the other.
template <class T>
constexpr std::string_view type_name() {
  if constexpr (detail::compiler_name<T>().find(detail::kUnnamedOfClang) == std::string_view::npos)
    return detail::compiler_name<T>();
  else
    return {detail::kSpelling<T>.text, detail::kSpelling<T>.size};
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
