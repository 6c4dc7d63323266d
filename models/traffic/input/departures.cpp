#include "traffic/input/departures.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "traffic/input/tntp_text.hpp"

namespace anachron::models::traffic {
namespace {

struct Row {
  double minute, share;
};

Row read_row(const tntp::Lines& lines, std::string_view line, const std::vector<Row>& before, double period) {
  std::string text(line);
  std::replace(text.begin(), text.end(), ',', ' ');
  tntp::Scanner row(lines, text);
  const std::string word(tntp::Scanner(row).word());
  const double minute = row.number("a minute");
  const auto expect = [&](bool is_right, const std::string& what) {
    if (!is_right) lines.fail_expected(what, word);
  };
  if (before.empty())
    expect(minute == 0, "minute 0, at which the first row begins");
  else
    expect(minute > before.back().minute,
           "a minute after " + format_real(before.back().minute) + ", at which the row before begins");
  expect(minute < period, "a minute before " + format_real(period) + ", the end of --period");
  const double share = row.number("the share of the trips");
  if (!row.done()) lines.fail_expected("one minute and one share a line", row.rest());
  return {minute, share};
}

}  // namespace

DepartureProfile DepartureProfile::peaks(double ratio, unsigned peaks) {
  DepartureProfile profile;
  const double half = std::min(0.5, 1 / ratio);  // of a triangle, as a share of its part
  const double base = std::max(0.0, 2 - ratio), slope = (ratio - base) / half;
  for (unsigned part = 0; part < peaks; ++part) {
    const auto at = [&](double place) { return (part + place) / peaks; };
    profile.pieces_.push_back({at(0.5 - half), at(0.5), base, slope * peaks, at(0)});
    profile.pieces_.push_back({at(0.5), at(0.5 + half), ratio, -slope * peaks, at(0.5)});
  }
  return profile;
}

DepartureProfile DepartureProfile::read(std::istream& in, const std::string& name, double period) {
  tntp::Lines lines(in, name);
  std::vector<Row> rows;
  bool is_first = true;
  double total = 0;
  while (const auto line = lines.next()) {
    const bool is_heading = is_first && std::isalpha(static_cast<unsigned char>(line->front()));
    is_first = false;
    if (is_heading) continue;
    rows.push_back(read_row(lines, *line, rows, period));
    total += rows.back().share;
  }
  if (!(total > 0) || !std::isfinite(total))
    throw InputError(name + ": expected rows 'minute share' with shares that add up to a number above 0");

  DepartureProfile profile;
  double before = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double begin = rows[k].minute / period;
    const double end = k + 1 < rows.size() ? rows[k + 1].minute / period : 1;
    const double share = rows[k].share / total;
    if (share > 0 && end > begin) {
      profile.pieces_.push_back({begin, end, share / (end - begin), 0, before});
      before += share;
    }
  }
  return profile;
}

DepartureProfile DepartureProfile::read(const std::string& path, double period) {
  std::ifstream in(path, std::ios::binary);
  in.peek();  // of a folder nothing can be read
  if (!in && !in.eof()) throw InputError(path + ": cannot be opened for reading");
  return read(in, path, period);
}

std::uint32_t DepartureProfile::moment_in_pieces(std::uint32_t share) const {
  const double departed = share * 0x1p-32;
  const auto behind = std::upper_bound(pieces_.begin() + 1, pieces_.end(), departed,
                                       [](double at, const Piece& piece) { return at < piece.before; });
  const Piece& piece = *(behind - 1);
  // Solves density * x + slope / 2 * x^2 = inside, without a difference of nearly equal numbers.
  const double inside = departed - piece.before;
  const double square = piece.density * piece.density + 2 * piece.slope * inside;
  const double divisor = piece.density + std::sqrt(std::max(square, 0.0));
  const double x = divisor > 0 ? 2 * inside / divisor : 0;
  constexpr double kTicks = 0x1p32;
  return static_cast<std::uint32_t>(std::min(std::min(piece.begin + x, piece.end) * kTicks, kTicks - 1));
}

}  // namespace anachron::models::traffic
