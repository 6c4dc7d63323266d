// Digital circuits, gate by gate: values 0, 1, x and z, delays of gates, and inertia as Verilog's primitives
// have it. Time is in ticks. See README.md.
//
// An LP has a block of gates and simulates them as a sequential simulator would, with a wheel of the changes
// to come (Ulrich 1969). For each time at which something changes in the block it gets one event, however
// many gates that concerns. All that changes at a time is put in force first, then the gates that read it are
// evaluated once. So nothing depends on the order of simultaneous changes, nor on how gates are dealt to LPs.
// What gates without delay drive changes in the same event, in rounds: see Wave::settle_in_rounds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <anachron/model/model.hpp>

#include "logic/circuit.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

/// To oneself: changes that are due take place. Behind whatever else comes at the time.
struct Tick {
  static constexpr Order order{.priority = 100};
};
/// To oneself: the next half-period of random vectors and clocks, or line of the stimuli file.
struct Drive {
  std::uint32_t next = 0;
};
struct Script {
  std::uint32_t next = 0;
};
/// From the LP that has the gates: nets that change now.
struct Changes {
  static constexpr std::uint32_t kMost = 15;
  std::uint32_t count = 0;
  std::array<std::uint32_t, kMost> items{};  ///< number in the receiver's block, times 8, and value

  template <class Archive>
  void serialize(Archive& ar) {
    ar(count, items);
  }
};

/// From outside: a gate of the block is another one from now on.
struct Replace {
  static constexpr Order order{.priority = 101};  // behind what changes at that time
  std::uint32_t gate = 0;
  Op op = Op::buf;
  std::array<std::uint16_t, 2> delays{};  ///< as Net::delays

  template <class Archive>
  void serialize(Archive& ar) {
    ar(gate, op, delays);
  }
};

struct Gates {
  using Params = logic::Params;
  using Shared = Circuit;
  static constexpr bool encodable_events = true;

  /// A step from the present one: the wheel has as many as the longest delay takes.
  struct Slot {
    std::vector<std::uint32_t>
        nets;  ///< `count` that change then, among them some of which that was taken back
    std::uint32_t count = 0;
    bool has_tick = false;  ///< a `Tick` is under way

    template <class Archive>
    void serialize(Archive& ar) {
      if constexpr (Archive::kIsReading) {
        ar(nets, has_tick);
        count = static_cast<std::uint32_t>(nets.size());
      } else {
        ar(std::vector(nets.begin(), nets.begin() + count), has_tick);
      }
    }
    friend bool operator==(const Slot& a, const Slot& b) {
      return a.has_tick == b.has_tick && a.count == b.count &&
             std::equal(a.nets.begin(), a.nets.begin() + a.count, b.nets.begin());
    }
  };
  struct Counts {
    std::uint64_t changes = 0, evaluations = 0, suppressed = 0, told = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
  };

  std::vector<Net> nets;
  std::vector<Slot> wheel;
  Counts counts;
  bool is_settled = false;  ///< all gates have been evaluated once

  static std::uint32_t count(const Params&, const Circuit& circuit) { return circuit.blocks(); }
  static bool may_stop(const Params&) { return false; }
  /// A change may be taken back until the step before it, so others can be told only then.
  static double lookahead(const Params&, const Circuit& circuit) {
    return static_cast<double>(circuit.step());
  }
  static double load(const Params&, const Circuit& circuit, std::uint32_t index) {
    return circuit.block(index).cells;
  }
  static double position(const Params&, const Circuit&, std::uint32_t index) { return index; }
  static void neighbours(const Params&, const Circuit& circuit, std::uint32_t index, Neighbours& to);

  void start(Context<Gates>& cx);
  void on(Context<Gates>& cx, Logged<Gates>& log, const Tick&);
  void on(Context<Gates>& cx, Logged<Gates>& log, const Drive& drive);
  void on(Context<Gates>& cx, Logged<Gates>& log, const Script& script);
  void on(Context<Gates>& cx, Logged<Gates>& log, const Changes& changes);
  void on(Context<Gates>& cx, Logged<Gates>& log, const Replace& replace);
  /// Whether both drive the same from now on. What was counted may differ.
  bool goes_on_like(const Gates& other, const View<Gates>&) const {
    return nets == other.nets && wheel == other.wheel && is_settled == other.is_settled;
  }
  bool observe(const Gates& then, const Gates& now) {
    const Counts own = counts;
    *this = now;
    counts.changes += own.changes - then.counts.changes;
    counts.evaluations += own.evaluations - then.counts.evaluations;
    counts.suppressed += own.suppressed - then.counts.suppressed;
    counts.told += own.told - then.counts.told;
    return true;
  }
  void finish(Results& results, const Finish<Gates>& cx) const;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(nets, wheel, counts, is_settled);
  }
  friend bool operator==(const Gates& a, const Gates& b) {
    return a.nets == b.nets && a.wheel == b.wheel && a.counts == b.counts && a.is_settled == b.is_settled;
  }

 private:
  friend class Wave;
  void run_wave(Context<Gates>& cx, Logged<Gates>& log, const Replace* replace);

  /// A net before an event has changed it.
  struct Before {
    std::uint32_t net;
    std::uint16_t slot;
    Value value;
    std::uint8_t pending;
  };
  // What undoes an event together with the log.
  static void restore(Gates& gates, std::span<const Before> before);
  static void put_back(Gates& gates, std::span<const std::uint32_t> taken);

  /// Lists that an event needs, kept for their memory. Empty between events, and no part of the state.
  struct Scratch {
    std::vector<std::uint32_t> due, gates, tell, told;
    std::vector<std::pair<std::uint32_t, Value>> flops;
    std::vector<Changes> outbox;  ///< by neighbour
    std::vector<Vcd::Change> watched;
    std::vector<std::uint32_t> taken;  ///< slot, and what was in it
    std::vector<Before> before;        ///< in the order of the changes
    // With gates without delay:
    std::vector<std::uint32_t> delayed;     ///< gates to be evaluated when the others have settled
    std::vector<std::uint32_t> touched;     ///< nets that have changed in this round
    std::vector<Value> before_round;        ///< by net; none: it is as before
    std::vector<Vcd::Change> watched_from;  ///< what `watched` was before, one for each

    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }
    Scratch(Scratch&&) = default;
    Scratch& operator=(Scratch&&) = default;
  };
  Scratch scratch_;
  const Circuit* circuit_ = nullptr;  ///< what all share, for those that undo
};

}  // namespace anachron::models::logic
