// The arcs of a hierarchy at certain travel times.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/routes/hierarchy.hpp"
#include "traffic/routes/lengths.hpp"

namespace anachron::models::traffic {

/// Of each arc, in both directions, the shortest way along links and nodes that were contracted before its
/// ends. 16 bytes for an arc.
class ArcLengths {
 public:
  /// Of the links alone: it has to be customised before it is read. The hierarchy must outlive it.
  ArcLengths(const Hierarchy& hierarchy, const LinkLengths& links);

  /// Takes part in customising, and returns when that is done. Any number of threads may call it, at any
  /// time; the outcome is the same. O(triangles) in all. Throws std::bad_alloc, and then it is for others.
  void customise();

  // Any number of threads may read what is customised.

  /// From the arc's place to its head.
  const Length* up() const { return up_.data(); }
  /// From its head to its place.
  const Length* down() const { return down_.data(); }

 private:
  /// Places one after the other, a subtree, to be customised from the last one to the first.
  struct Piece {
    std::uint32_t first, end;
  };
  /// By place, the arc of the place at work that leads there. A thread's own.
  using ArcTo = std::vector<std::uint32_t>;

  void divide();
  /// Customises the arcs of a place, after those of all places of higher number below it.
  void customise(std::uint32_t place, ArcTo& arc_to);

  const Hierarchy& hierarchy_;
  std::vector<Length> up_, down_;
  std::vector<Piece> apart_;                // independent of each other
  std::vector<std::uint32_t> rest_;         // places above these, ascending
  std::atomic<std::size_t> unclaimed_ = 0;  // relaxed: hands out the pieces
  std::atomic<std::size_t> left_;           // acquire and release: who is the last one sees all pieces
  std::atomic<bool> is_done_ = false;       // acquire and release: who sees it sees all arcs
};

}  // namespace anachron::models::traffic
