// What a model may ask for the order of events at the same time. docs/reference/context.md explains it.
#pragma once

namespace anachron {

/// Where an event comes among those that are at the same time and step. By default simultaneous events are in
/// an order that is fair and arbitrary. Given with a send, or for all events of a type by `static constexpr
/// anachron::Order order{..};` in it; what is given with a send counts.
///
///     cx.send(to, 0, Arrival{}, {.priority = -1});    // before simultaneous events without a priority
///     cx.send(to, 2.5, Packet{}, {.in_order = true});  // behind the packets sent before for that time
struct Order {
  static constexpr int kLeast = -128, kGreatest = 127;  ///< priorities

  int priority = 0;  ///< the lower value comes first
  bool in_order =
      false;  ///< behind what the same LP has sent before for that time, step and priority in this way

  /// Whether the priority is within its limits. To send with one that is not fails the event.
  constexpr bool is_valid() const { return kLeast <= priority && priority <= kGreatest; }
  friend constexpr bool operator==(const Order&, const Order&) = default;
};

}  // namespace anachron
