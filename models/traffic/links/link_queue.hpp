// The queue of a link and its limited room: what links have with --storage. What they do with it is in
// link_queue_model.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "common/ring.hpp"
#include "traffic/events.hpp"
#include "traffic/links/storage.hpp"

namespace anachron::models::traffic {

/// Vehicles drive along the link in the time that they take without traffic, and leave it in the order in
/// which they came, at its capacity. The first vehicle offers itself to the next link, which lets it in when
/// it has room: then it leaves this one. So vehicles that are still on other links stand in line at the next
/// link, at most one of each, and one of those that want to depart there.
struct LinkQueue {
  /// A vehicle on the link.
  struct Driving {
    Vehicle vehicle;
    double since = 0;
    Guidance guidance = Guidance::route;
    friend bool operator==(const Driving&, const Driving&) = default;
  };
  /// One that waits to be let in.
  struct Standing {
    Offer offer;
    double since = 0;
    friend bool operator==(const Standing&, const Standing&) = default;
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// What is small enough to be copied before each event.
  struct Figures {
    std::uint32_t left = 0;
    std::uint32_t fresh = 0;                       ///< places that never were taken
    std::uint32_t squeezed = 0;                    ///< those that were let in without a place
    std::uint32_t owed = 0;                        ///< places that those have yet to give back
    std::uint32_t most = 0;                        ///< most vehicles on the link at a time
    std::uint32_t waits = 0, waits_to_depart = 0;  ///< vehicles that were let in after a wait
    double wait = 0, wait_to_depart = 0;           ///< minutes of these
    double longest_wait = 0;                       ///< of both
    double may_leave = 0;                          ///< the first vehicle, at the earliest
    double wakes = kNever;                         ///< when the line is looked at next
    bool has_zone_in_line = false;
    friend bool operator==(const Figures&, const Figures&) = default;
  };
  Figures figures;
  Ring<Driving> vehicles;
  Ring<double> places;  ///< when those that were left are at the beginning of the link
  Ring<Standing> line;
  Ring<Offer> outside;  ///< those that want to depart here, behind the one of them in the line

  /// When the next place is there; kNever: not before a vehicle leaves.
  double next_place(const LinkStorage& storage, double now) const {
    if (storage.places == 0 || figures.fresh > 0) return now;
    return places.empty() ? kNever : places.front();
  }

  /// What a vehicle takes that comes now, in minutes. It is released when those before it have gone, a
  /// headway after each other, and takes as long as the first one has been here already.
  double minutes_now(double free_time, double headway, double now) const {
    if (vehicles.empty()) return free_time;
    const double since = vehicles.front().since;
    const double goes = std::max({since + free_time, figures.may_leave, now});
    const double ahead = static_cast<double>(vehicles.size()) * headway;
    return std::max({free_time, goes - now + ahead, now - since});
  }

  friend bool operator==(const LinkQueue&, const LinkQueue&) = default;
};

/// A value that is there or not, and takes 8 bytes if it is not.
template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  T& make() { return *(value_ = std::make_unique<T>()); }
  explicit operator bool() const { return value_ != nullptr; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(value_);
  }
  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a.value_ && b.value_ ? *a.value_ == *b.value_ : !a.value_ && !b.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace anachron::models::traffic
