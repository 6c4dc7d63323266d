// Text files that options and arguments name.
#pragma once

#include <string>
#include <string_view>

namespace anachron {

/// A whole file of at most 1 MiB. `option` is named in errors. Throws InputError.
std::string read_text(std::string_view option, const std::string& path);

/// A whole file. Throws InputError "PATH: REASON: expected EXPECTED".
std::string contents_of(const std::string& path, std::string_view expected);

}  // namespace anachron
