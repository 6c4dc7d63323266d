#include <anachron/model/print.hpp>

namespace anachron::detail {

/// Quoted, on one line.
void print_text(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (code < 0x20 || code == 0x7f)  // also what a terminal would obey
      ((out += "\\x") += kHex[code / 16]) += kHex[code % 16];
    else
      out += c;
  }
  out += '"';
}

}  // namespace anachron::detail
