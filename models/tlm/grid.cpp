#include "tlm/grid.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::tlm {

namespace {

std::optional<std::uint32_t> parse_side(std::string_view text) {
  try {
    const std::uint64_t value = parse_count(text);
    if (value >= 1 && value <= Grid::kLargest) return static_cast<std::uint32_t>(value);
  } catch (const InputError&) {  // the caller says what is valid
  }
  return std::nullopt;
}

}  // namespace

Grid::Grid(std::string_view text) {
  const auto fail = [text](const std::string& valid) { throw bad_value("grid", text, valid); };
  std::vector<std::uint32_t> sides;
  std::string_view rest = text;
  while (sides.size() < 4) {
    const auto x = rest.find('x');
    const auto side = parse_side(rest.substr(0, x));
    if (!side) break;
    sides.push_back(*side);
    if (x == std::string_view::npos) {
      rest = {};
      break;
    }
    rest.remove_prefix(x + 1);
  }
  if (sides.size() != 3 || !rest.empty())
    fail("XxYxZ, e.g. 64x64x8, each from 1 to " + std::to_string(kLargest));
  constexpr std::uint64_t kMost =
      std::numeric_limits<std::uint32_t>::max() - 1'000'000;  // room for receivers
  if (std::uint64_t{sides[0]} * sides[1] > kMost / sides[2])
    fail("at most " + std::to_string(kMost) + " cells in all");
  columns_ = sides[0];
  rows_ = sides[1];
  layers_ = sides[2];
}

}  // namespace anachron::models::tlm
