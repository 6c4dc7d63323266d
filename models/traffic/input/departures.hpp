// When trips depart: how they are spread over the period.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace anachron::models::traffic {

/// The density of departures over the period, made of linear pieces. Moments are ticks, 2^32 in the period;
/// so is the share of trips that have departed.
///
/// A zone spreads its trips evenly over shares, and the profile tells the moment of each share. So whatever
/// the profile, no trip is gained or lost, and no zone is more than one trip off at any moment.
class DepartureProfile {
 public:
  /// Uniform: the moment of each share is the share itself.
  DepartureProfile() = default;

  /// So many triangular peaks, each in the middle of one of equal parts of the period. At their tops `ratio`
  /// times as many depart as on average: up to 2 the triangles stand on a base, above it nobody departs
  /// outside them. Preconditions: ratio >= 1, peaks >= 1.
  static DepartureProfile peaks(double ratio, unsigned peaks);

  /// Reads rows `minute share`: from that minute to that of the next row, or to the end of the period, that
  /// share of the trips departs, evenly. Shares are relative to their sum. The first row is of minute 0.
  /// Blanks or a comma part the two, a first line that begins with a letter is a heading, `~` begins a
  /// comment. Throws InputError "FILE:LINE: expected ..., found ..." for a file that cannot be opened or is
  /// malformed. `period` in minutes.
  static DepartureProfile read(const std::string& path, double period);
  /// The same from a stream; `name` stands for the path in messages.
  static DepartureProfile read(std::istream& in, const std::string& name, double period);

  /// The moment when the share has departed. Does not fall by more than a rounding error as the share grows.
  /// O(log pieces).
  std::uint32_t moment(std::uint32_t share) const {
    return pieces_.empty() ? share : moment_in_pieces(share);
  }

 private:
  /// Moments and shares from 0 to 1 here, and densities 1 on average.
  struct Piece {
    double begin = 0, end = 0;
    double density = 0;  ///< at its begin
    double slope = 0;
    double before = 0;  ///< share that departs before it
  };

  std::uint32_t moment_in_pieces(std::uint32_t share) const;

  std::vector<Piece> pieces_;  // without those in which nobody departs; empty: uniform
};

}  // namespace anachron::models::traffic
