#include "base/traced_lps.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {
namespace {

constexpr std::uint32_t kAll = TracedLps().last;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '<') - (c == '>');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

TracedLps parse_one(const std::string& text) {
  const auto invalid = [&text] {
    return bad_value("trace-lp", text, "TYPE, TYPE:NUMBER or TYPE:FIRST-LAST, e.g. Player:17");
  };
  const std::size_t colon = text.rfind(':');
  const bool has_number = colon != std::string::npos && text.find('>', colon) == std::string::npos &&
                          !text.substr(0, colon).ends_with(':');
  TracedLps out{.type = text.substr(0, has_number ? colon : text.size())};
  if (out.type.empty()) throw invalid();
  if (!has_number) return out;
  const std::string numbers = text.substr(colon + 1);
  const std::size_t dash = numbers.find('-');
  try {
    out.first = parse_value<std::uint32_t>("trace-lp", numbers.substr(0, dash));
    out.last = dash == std::string::npos ? out.first
                                         : parse_value<std::uint32_t>("trace-lp", numbers.substr(dash + 1));
  } catch (const InputError&) {
    throw invalid();
  }
  if (out.last < out.first) throw invalid();
  return out;
}

}  // namespace

std::vector<TracedLps> parse_traced_lps(const std::string& text) {
  std::vector<TracedLps> lps;
  if (text.empty()) return lps;
  for (const std::string& part : split(text)) lps.push_back(parse_one(part));
  return lps;
}

std::string format_traced_lps(const std::vector<TracedLps>& lps) {
  std::vector<std::string> parts;
  for (const auto& [type, first, last] : lps)
    parts.push_back(last == kAll    ? type
                    : first == last ? fmt::format("{}:{}", type, first)
                                    : fmt::format("{}:{}-{}", type, first, last));
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace anachron
