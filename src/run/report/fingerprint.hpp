// What an option says, so that it can be compared with what it says on another machine.
#pragma once

#include <string>

namespace anachron {

/// Of the value of an option. Of the path of a file, or of a folder of files: size and checksum of what is in
/// it. Two machines may have the same under different names, or another thing under the same. Otherwise, or
/// when it cannot be read, the value itself.
std::string fingerprint(const std::string& value);

}  // namespace anachron
