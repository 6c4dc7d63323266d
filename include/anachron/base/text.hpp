// Text that came from outside: files of other programs, and what of them is shown on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace anachron {

/// `text` as it may be shown on a terminal: control characters but tabs and line ends (U+0080 to U+009F,
/// too), and bytes that are no UTF-8, become `\x1b`.
std::string printable(std::string_view text);

/// The text of a file, or its first line, without a byte order mark of UTF-8. Throws InputError that names
/// the file for one of UTF-16 or UTF-32.
std::string_view without_byte_order_mark(std::string_view text, const std::string& file);

}  // namespace anachron
