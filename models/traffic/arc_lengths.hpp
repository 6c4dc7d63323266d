// The arcs of a hierarchy at certain travel times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/hierarchy.hpp"
#include "traffic/lengths.hpp"

namespace anachron::models::traffic {

/// Of each arc, in both directions, the shortest way along links and nodes that were contracted before its
/// ends. Read by any number of threads.
class ArcLengths {
 public:
  /// O(triangles) time, spread over `threads`; 16 bytes for an arc. The same with any number of threads.
  ArcLengths(const Hierarchy& hierarchy, const LinkLengths& links, std::size_t threads);

  /// From the arc's place to its head.
  const Length* up() const { return up_.data(); }
  /// From its head to its place.
  const Length* down() const { return down_.data(); }

 private:
  /// By place, the arc of the place at work that leads there. A thread's own.
  using ArcTo = std::vector<std::uint32_t>;

  /// Customises the arcs of a place, after those of all places of higher number below it.
  void customise(const Hierarchy& hierarchy, std::uint32_t place, ArcTo& arc_to);

  std::vector<Length> up_, down_;
};

}  // namespace anachron::models::traffic
