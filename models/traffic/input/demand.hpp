// Whole trips from a table of fractional ones, and the order in which they leave.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traffic/input/tntp.hpp"

namespace anachron::models::traffic {

/// From 0 to below 1, evenly spread over whatever is numbered (an additive recurrence by the golden section,
/// Knuth, The Art of Computer Programming 3, 6.4): where a rounding begins.
inline double golden_offset(std::size_t number) {
  constexpr double kGoldenSection = 0.6180339887498949;
  const double turns = static_cast<double>(number) * kGoldenSection;
  return turns - std::floor(turns);
}

/// A table of fractional trips times `factor`, as whole trips.
///
/// Rounding is cumulative. Going through the table origin by origin, a pair gets the difference between the
/// rounded running totals behind and before it. So the grand total is the rounded total of the table. Each
/// pair and each origin is less than one trip off. Nothing is drawn: the same table gives the same trips.
class Demand {
 public:
  /// Throws InputError when the trips times `factor` are more than 2^32 - 1. Precondition: factor >= 0.
  Demand(const TripTable& table, double factor);

  std::uint64_t total() const { return total_; }
  std::uint32_t zones() const { return static_cast<std::uint32_t>(origins_.size() - 1); }
  std::uint32_t trips_from(ZoneIndex origin) const { return origins_[origin].trips; }

  /// Which of the origin's trips leaves as the k-th, counted in the order of flows(origin). The trips to each
  /// destination are spread evenly over the origin's sequence. The sequence strides through the origin's row
  /// by the golden section of its length (an additive recurrence, Knuth, The Art of Computer Programming 3,
  /// 6.4). Precondition: k < trips_from(origin).
  std::uint32_t place(ZoneIndex origin, std::uint32_t k) const {
    const Origin& row = origins_[origin];
    return static_cast<std::uint32_t>(std::uint64_t{k} * row.stride % row.trips);
  }
  /// Where that trip goes. O(log destinations).
  ZoneIndex destination(ZoneIndex origin, std::uint32_t k) const;

  struct Flow {
    ZoneIndex destination = 0;
    std::uint32_t up_to = 0;  ///< trips of the origin to this and all former destinations
  };
  /// The destinations of an origin, in ascending order, each with at least one trip.
  std::span<const Flow> flows(ZoneIndex origin) const {
    return std::span(flows_).subspan(origins_[origin].first,
                                     origins_[origin + 1].first - origins_[origin].first);
  }

 private:
  struct Origin {
    std::size_t first = 0;  // of flows_
    std::uint32_t trips = 0;
    std::uint32_t stride = 1;  // coprime to trips
  };
  std::vector<Origin> origins_;  // and one behind the last
  std::vector<Flow> flows_;
  std::uint64_t total_ = 0;
};

}  // namespace anachron::models::traffic
