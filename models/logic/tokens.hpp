// Verilog as tokens: IEEE 1364-2005, clause 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "logic/text.hpp"

namespace anachron::models::logic {

struct Token {
  enum class Kind : std::uint8_t { end, name, number, symbol } kind = Kind::end;
  std::string_view text;  ///< of an escaped name without the backslash; a based number is one, as 1'b0
  std::uint32_t line = 1;

  bool is(std::string_view symbol) const { return kind != Kind::end && !is_escaped && text == symbol; }
  bool is_escaped = false;
};

/// Takes tokens off a text; comments and compiler directives but `timescale are passed over, directives to
/// the end of their line.
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
  /// A name that is no keyword of what the subset has.
  std::string_view name(const std::string& what) {
    if (now_.kind != Token::Kind::name) fail_expected(what);
    return take().text;
  }
  Place at() const { return {file_, now_.line}; }
  [[noreturn]] void fail_expected(const std::string& expected) const {
    at().fail_expected(expected, now_.text);
  }
  /// Of the last `timescale; empty: there is none.
  std::string_view time_unit() const { return time_unit_; }

 private:
  void advance();
  void pass_over_blanks();
  void pass_over_directive();

  std::string_view rest_;
  const std::string& file_;
  Token now_;
  std::uint32_t line_ = 1;
  std::string_view time_unit_;
};

}  // namespace anachron::models::logic
