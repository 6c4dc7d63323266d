#include "logic/input/constant.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace anachron::models::logic {

namespace {

constexpr std::size_t kUnsized = 32, kWidest = 1 << 20;

/// The size, base and digits of a constant, whose parts may be apart.
struct Parts {
  std::string size, digits;
  char base = 'd';
};

Parts take_parts(Tokens& tokens, const Place& at) {
  std::string text(tokens.take().text);
  const auto goes_on = [&] {
    return tokens.now().kind == Token::Kind::number ||
           (tokens.now().kind == Token::Kind::name && !tokens.now().is_escaped);
  };
  if (text.find('\'') == std::string::npos && tokens.now().kind == Token::Kind::number &&
      tokens.now().text.starts_with('\''))
    text += tokens.take().text;
  std::erase(text, '_');
  Parts parts;
  const std::size_t quote = text.find('\'');
  if (quote == std::string::npos) {
    parts.digits = text;
    return parts;
  }
  parts.size = text.substr(0, quote);
  std::string rest = text.substr(quote + 1);
  if (!rest.empty() && std::tolower(static_cast<unsigned char>(rest[0])) == 's') rest.erase(0, 1);
  if (rest.empty()) at.fail_expected("a base b, o, d or h of a constant", text);
  parts.base = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[0])));
  parts.digits = rest.substr(1);
  if (parts.digits.empty() && goes_on()) parts.digits = tokens.take().text;
  std::erase(parts.digits, '_');
  return parts;
}

[[noreturn]] void refuse(char digit, const Parts& parts, const Place& at) {
  constexpr std::string_view kUnknown = "xXzZ?";
  if (kUnknown.find(digit) != std::string_view::npos)
    at.fail("expected a constant of 0s and 1s, found '" + parts.digits +
            "': nets without a driver are z, not constants");
  at.fail("expected digits of base '" + std::string(1, parts.base) + "', found " + in_quotes(parts.digits));
}

std::vector<bool> bits_of_digits(const Parts& parts, unsigned per_digit, const Place& at) {
  std::vector<bool> bits;
  for (const char c : parts.digits) {
    unsigned digit = 16;
    std::from_chars(&c, &c + 1, digit, 16);
    if (digit >> per_digit) refuse(c, parts, at);
    for (unsigned k = per_digit; k-- > 0;) bits.push_back(digit >> k & 1);
  }
  return bits;
}

std::vector<bool> bits_of_decimal(const Parts& parts, const Place& at) {
  for (const char c : parts.digits)
    if (!std::isdigit(static_cast<unsigned char>(c))) refuse(c, parts, at);
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(parts.digits.data(), parts.digits.data() + parts.digits.size(), value);
  if (error != std::errc{}) at.fail_expected("a decimal constant below 2^64", parts.digits);
  std::vector<bool> bits;
  for (unsigned k = 64; k-- > 0;) bits.push_back(value >> k & 1);
  return bits;
}

/// Drops zeros in front, or puts some there. False: ones would be lost.
bool resize(std::vector<bool>& bits, std::size_t width) {
  const std::size_t lost = bits.size() - std::min(bits.size(), width);
  if (std::find(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(lost), true) !=
      bits.begin() + static_cast<std::ptrdiff_t>(lost))
    return false;
  bits.erase(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(lost));
  bits.insert(bits.begin(), width - bits.size(), false);
  return true;
}

}  // namespace

std::optional<std::vector<bool>> Constant::with(std::size_t width) const {
  std::vector<bool> result = bits;
  if ((is_sized && bits.size() != width) || !resize(result, width)) return std::nullopt;
  return result;
}

Constant take_constant(Tokens& tokens) {
  const Place at = tokens.at();
  const Parts parts = take_parts(tokens, at);
  if (parts.digits.empty()) at.fail("expected digits of a constant behind its base, found none");
  Constant constant;
  switch (parts.base) {
    case 'b':
      constant.bits = bits_of_digits(parts, 1, at);
      break;
    case 'o':
      constant.bits = bits_of_digits(parts, 3, at);
      break;
    case 'h':
      constant.bits = bits_of_digits(parts, 4, at);
      break;
    case 'd':
      constant.bits = bits_of_decimal(parts, at);
      break;
    default:
      at.fail_expected("a base b, o, d or h of a constant", std::string(1, parts.base));
  }
  std::size_t width = kUnsized;
  constant.is_sized = !parts.size.empty();
  if (constant.is_sized) {
    const auto [end, error] =
        std::from_chars(parts.size.data(), parts.size.data() + parts.size.size(), width);
    if (error != std::errc{} || end != parts.size.data() + parts.size.size() || width < 1 || width > kWidest)
      at.fail_expected("a size of a constant from 1 to " + std::to_string(kWidest) + " bits", parts.size);
  } else {
    while (width < constant.bits.size() && !resize(constant.bits, width)) ++width;
  }
  if (!resize(constant.bits, width))
    at.fail("expected a constant that fits into " + std::to_string(width) + " bits, found '" + parts.digits +
            "'");
  return constant;
}

}  // namespace anachron::models::logic
