#include "logic/input/directives.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "logic/input/text.hpp"

namespace anachron::models::logic {

namespace {

bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file) { out_.text = text; }

  Directed run() {
    while (at_ < out_.text.size()) step();
    if (!open_.empty())
      fail("expected `endif for the conditional of line " + std::to_string(open_.back().line) +
           ", found the end");
    return std::move(out_);
  }

 private:
  /// A conditional whose `endif has not come.
  struct Conditional {
    std::uint32_t line;
    bool is_read;     // the branch that we are in
    bool is_decided;  // a branch was read, or none is to be
    bool has_else = false;
  };

  [[noreturn]] void fail(const std::string& what) const { Place{file_, line_}.fail(what); }
  std::string_view rest() const { return std::string_view(out_.text).substr(at_); }
  bool is_read() const { return open_.empty() || open_.back().is_read; }

  /// Takes so many characters, and puts blanks in their place unless they are to be read.
  void take(std::size_t count, bool keeps) {
    for (const std::size_t end = at_ + count; at_ < end; ++at_) {
      char& c = out_.text[at_];
      if (c == '\n') ++line_;
      if (!keeps && c != '\n') c = ' ';
    }
  }
  std::size_t length_to(std::string_view end, std::size_t from) const {
    const std::size_t found = rest().find(end, from);
    return found == std::string_view::npos ? rest().size() : found + end.size();
  }

  /// Comments, strings and escaped names may have anything in them.
  void step() {
    const std::string_view text = rest();
    if (text.starts_with("//"))
      take(std::min(text.find('\n'), text.size()), is_read());
    else if (text.starts_with("/*"))
      take(length_to("*/", 2), is_read());
    else if (text[0] == '"')
      take(std::min(length_to("\"", 1), text.find('\n')), is_read());
    else if (text[0] == '\\')
      take(static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_blank) - text.begin()),
           is_read());
    else if (text[0] == '`')
      obey();
    else
      take(1, is_read());
  }

  std::string word() {
    const std::string_view text = rest();
    const auto end = std::find_if_not(text.begin(), text.end(), goes_on);
    const std::string result(text.begin(), end);
    take(result.size(), false);
    return result;
  }
  void pass_blanks() {
    while (at_ < out_.text.size() && is_blank(out_.text[at_])) take(1, false);
  }
  std::string argument(const std::string& of) {
    pass_blanks();
    std::string result = word();
    if (result.empty()) fail("expected a name behind `" + of + ", found " + in_quotes(rest().substr(0, 1)));
    return result;
  }
  void pass_line() { take(std::min(rest().find('\n'), rest().size()), false); }

  void obey() {
    take(1, false);
    const std::string name = word();
    if (obey_conditional(name)) return;
    if (!is_read()) return;
    constexpr std::array kAlone{"celldefine", "endcelldefine", "nounconnected_drive", "resetall",
                                "end_keywords"};
    if (std::find(kAlone.begin(), kAlone.end(), name) != kAlone.end()) return;
    if (name == "define") return define();
    if (name == "undef") return static_cast<void>(macros_.erase(argument(name)));
    if (name == "undefineall") return macros_.clear();
    if (name == "timescale") return read_timescale();
    if (name == "default_nettype" || name == "unconnected_drive") return static_cast<void>(argument(name));
    if (name == "line" || name == "pragma" || name == "begin_keywords") return pass_line();
    if (name == "include") fail("expected one file with all of the circuit, found `include");
    fail(macros_.contains(name) ? "expected a text without macros, found `" + name + ", which is not expanded"
                                : "expected a directive or a macro that is defined, found `" + name);
  }

  bool obey_conditional(const std::string& name) {
    if (name == "ifdef" || name == "ifndef") {
      const std::uint32_t line = line_;
      const bool holds = macros_.contains(argument(name)) == (name == "ifdef");
      open_.push_back({line, is_read() && holds, !is_read() || holds});
      return true;
    }
    if (name != "else" && name != "elsif" && name != "endif") return false;
    if (open_.empty()) fail("expected `ifdef or `ifndef before `" + name);
    Conditional& last = open_.back();
    if (name == "endif") {
      open_.pop_back();
      return true;
    }
    if (last.has_else) fail("expected `endif behind `else, found `" + name);
    last.has_else = name == "else";
    const bool holds = last.has_else || macros_.contains(argument(name));
    last.is_read = !last.is_decided && holds;
    last.is_decided |= holds;
    return true;
  }

  /// To the end of the line, and beyond it after a '\'.
  void define() {
    macros_.insert(argument("define"));
    for (bool goes_on = true; goes_on && at_ < out_.text.size();) {
      const std::string_view line = rest().substr(0, rest().find('\n'));
      goes_on = trimmed(line).ends_with('\\') && line.find("//") == std::string_view::npos;
      take(std::min(line.size() + goes_on, rest().size()), false);
    }
  }

  std::string unit() {
    pass_blanks();
    const std::string number = word();  // "1ns", or "1" before "ns"
    if (number.empty() || !std::isdigit(static_cast<unsigned char>(number[0])))
      fail("expected `timescale UNIT / PRECISION, found " +
           in_quotes(number + std::string(rest().substr(0, 8))));
    if (!std::isdigit(static_cast<unsigned char>(number.back()))) return number;
    pass_blanks();
    return number + ' ' + argument("timescale");
  }
  void read_timescale() {
    out_.time_unit = unit();
    pass_blanks();
    if (!rest().starts_with('/')) fail("expected `timescale UNIT / PRECISION, found no '/'");
    take(1, false);
    unit();
  }

  Directed out_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Conditional> open_;
  std::set<std::string, std::less<>> macros_;
};

}  // namespace

Directed obey_directives(std::string_view text, const std::string& file) { return Reader(text, file).run(); }

}  // namespace anachron::models::logic
