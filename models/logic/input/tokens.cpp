#include "logic/input/tokens.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace anachron::models::logic {

namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool goes_on(char c) { return begins_name(c) || is_digit(c) || c == '$'; }

template <class Goes>
std::size_t length_while(std::string_view text, Goes goes) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), goes) - text.begin());
}

}  // namespace

bool is_keyword(std::string_view word) {
  static constexpr std::string_view kAll =
      " always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign "
      "default defparam design disable edge else end endcase endconfig endfunction endgenerate "
      "endmodule endprimitive endspecify endtable endtask event for force forever fork function "
      "generate genvar highz0 highz1 if ifnone incdir include initial inout input instance integer join "
      "large liblist library localparam macromodule medium module nand negedge nmos nor noshowcancelled "
      "not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup "
      "pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran "
      "rtranif0 rtranif1 scalared showcancelled signed small specify specparam strong0 strong1 supply0 "
      "supply1 table task time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use "
      "uwire vectored wait wand weak0 weak1 while wire wor xnor xor ";
  return kAll.find(" " + std::string(word) + " ") != std::string_view::npos;
}

void Tokens::pass_over_blanks() {
  for (;;) {
    const std::size_t blanks = length_while(rest_, is_blank);
    line_ += static_cast<std::uint32_t>(
        std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(blanks), '\n'));
    rest_.remove_prefix(blanks);
    if (rest_.starts_with("//")) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*") || rest_.starts_with("(*")) {
      if (rest_.starts_with("(*") && rest_.substr(2).starts_with(")")) return;  // (*) is no attribute
      const auto end = rest_.find(rest_[0] == '/' ? "*/" : "*)", 2);
      if (end == std::string_view::npos) Place{file_, line_}.fail_expected("the end of a comment", "");
      line_ += static_cast<std::uint32_t>(
          std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      rest_.remove_prefix(end + 2);
    } else {
      return;
    }
  }
}

void Tokens::advance() {
  pass_over_blanks();
  now_ = {Token::Kind::end, {}, line_, false};
  if (rest_.empty()) return;
  std::size_t length = 1;
  const char first = rest_[0];
  if (first == '\\') {
    length = length_while(rest_, [](char c) { return !is_blank(c); });
    if (length < 2) Place{file_, line_}.fail_expected("a name after '\\'", "");
    now_ = {Token::Kind::name, rest_.substr(1, length - 1), line_, true};
    rest_.remove_prefix(length);
    return;
  }
  if (begins_name(first)) {
    length = length_while(rest_, goes_on);
    now_.kind = Token::Kind::name;
  } else if (is_digit(first) || first == '\'') {
    length = length_while(rest_, [](char c) { return goes_on(c) || c == '\'' || c == '.' || c == '?'; });
    now_.kind = Token::Kind::number;
  } else {
    now_.kind = Token::Kind::symbol;
  }
  now_.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
}

}  // namespace anachron::models::logic
