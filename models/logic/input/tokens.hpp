// Verilog as tokens: IEEE 1364-2005, clause 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "logic/input/text.hpp"

namespace anachron::models::logic {

struct Token {
  enum class Kind : std::uint8_t { end, name, number, symbol } kind = Kind::end;
  std::string_view text;  ///< of an escaped name without the backslash; a based number is one, as 1'b0
  std::uint32_t line = 1;

  bool is(std::string_view symbol) const { return kind != Kind::end && !is_escaped && text == symbol; }
  bool is_escaped = false;
};

/// A word that no unescaped name may be (IEEE 1364-2005, annex B).
bool is_keyword(std::string_view word);

/// Takes tokens off a text without directives; comments and attributes are passed over.
class Tokens {
 public:
  Tokens(std::string_view text, const std::string& file) : rest_(text), file_(file) { advance(); }

  const Token& now() const { return now_; }
  Token take() {
    const Token token = now_;
    advance();
    return token;
  }
  bool take_if(std::string_view symbol) {
    if (!now_.is(symbol)) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take_if(symbol)) fail_expected("'" + std::string(symbol) + "'");
  }
  /// A name that is no keyword.
  std::string_view name(const std::string& what) {
    if (now_.kind != Token::Kind::name) fail_expected(what);
    if (!now_.is_escaped && is_keyword(now_.text)) fail_expected(what + ", which is no keyword");
    return take().text;
  }
  Place at() const { return {file_, now_.line}; }
  [[noreturn]] void fail_expected(const std::string& expected) const {
    at().fail_expected(expected, now_.text);
  }

 private:
  void advance();
  void pass_over_blanks();

  std::string_view rest_;
  const std::string& file_;
  Token now_;
  std::uint32_t line_ = 1;
};

}  // namespace anachron::models::logic
