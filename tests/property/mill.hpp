// A model with irrevocable events, some of them on LPs that are rolled back. What their handlers do cannot be
// undone, so their output shows whether each was executed once, at the right time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

namespace anachron::test {

struct MillParams {
  std::uint32_t grinders = 8, printers = 2;
  std::uint32_t roots = 3, life = 10;
  double announced = 0.2, printed = 0.2;  // shares of irrevocable events
  double zero_delay = 0.2, tie = 0.2;
  double gap = 0;  // least delay of sends to others
  double stops = 0, faults = 0;
};

/// What irrevocable handlers have written themselves, per LP, and what at commit, which comes later.
struct MillOutput {
  explicit MillOutput(const MillParams& params)
      : of_lp(params.grinders + params.printers), at_commit(params.grinders) {}
  mutable std::vector<std::vector<std::uint64_t>> of_lp, at_commit;
};

struct Grind {
  std::uint32_t life = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Grind&, const Grind&) = default;
};
struct Turn : Grind {
  static constexpr Order order{.in_order = true};
};
struct Announce : Grind {
  static constexpr auto execution = irrevocable;
};
struct Print : Grind {
  static constexpr Order order{.priority = 1, .in_order = true};
};

struct MillBase {
  using Params = MillParams;
  using Shared = MillOutput;
  static double lookahead(const Params& params) { return params.gap; }
  static bool may_stop(const Params& params) { return params.stops > 0; }
};

struct Printer;

/// Some of its events are irrevocable; the others are undone by copies, rare ones too, and by reversers.
struct Grinder : MillBase {
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> recent;

  static std::uint32_t count(const Params& params) { return params.grinders; }
  void start(Context<Grinder>& cx);
  void on(Context<Grinder>& cx, const Grind& grind);
  void on(Context<Grinder>& cx, const Announce& announce);
  auto on(Context<Grinder>& cx, const Turn& turn);
  template <class Archive>
  void serialize(Archive& ar) {
    ar(sum, recent);
  }
  friend bool operator==(const Grinder& a, const Grinder& b) {
    return a.sum == b.sum && a.recent == b.recent;
  }
};

/// All its events are irrevocable: it cannot even be copied.
struct Printer : MillBase {
  static constexpr auto execution = irrevocable;
  std::unique_ptr<std::uint64_t> total = std::make_unique<std::uint64_t>(0);

  static std::uint32_t count(const Params& params) { return params.printers; }
  void on(Context<Printer>& cx, const Print& print);
  template <class Archive>
  void serialize(Archive& ar) {
    ar(total);
  }
};

struct MillResult {
  std::string error = "none";
  Report report;
  std::vector<Grinder> grinders;
  std::vector<std::uint64_t> totals;
  std::vector<std::vector<std::uint64_t>> output, at_commit;
};

/// A mill without stops, faults and lookahead.
MillParams random_mill(std::mt19937_64& random);

MillResult run_mill(const MillParams& params, const Config& config);

/// The same in steps, between which it looks ahead, often into a refusal, and goes back. `refusals` gets for
/// each look when an irrevocable event was due in a stretch that could be taken back.
MillResult run_mill_with_looks_ahead(const MillParams& params, const Config& config, std::uint64_t seed,
                                     std::vector<std::optional<Time>>& refusals);

/// What differs first, nothing when they are equal.
std::string difference(const MillResult& a, const MillResult& b);

}  // namespace anachron::test
