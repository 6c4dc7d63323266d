// The version of Anachron.
#pragma once

#include <string_view>

namespace anachron {

inline constexpr std::string_view kVersion = "0.1.0";  // CMakeLists.txt reads it here

}  // namespace anachron
