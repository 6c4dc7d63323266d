// Texts within documents of XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace anachron {

/// As text or within quotes; what cannot be printed is told by its number.
std::string escaped(std::string_view text);

}  // namespace anachron
