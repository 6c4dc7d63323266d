// A random model that is hard to run in parallel: several LP types, every rollback kind, random fan-out, zero
// delays, simultaneous events, events and states that own memory, and short-lived subtrees that are often
// cancelled.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <anachron/anachron.hpp>

#include "comm/transport/local/local_cluster.hpp"
#include "support/temporary_folder.hpp"

namespace anachron::test {

struct TangleParams {
  std::uint32_t lps_per_type = 8;
  std::uint32_t roots = 3;     // events that each LP starts with
  std::uint32_t life = 12;     // generations
  double zero_delay = 0.2;     // share of sends without delay
  double tie = 0.3;            // share of sends to a whole time
  double local = 0.3;          // share of sends to oneself
  double faults = 0;           // share of events that throw
  double stops = 0;            // share of events that stop the run
  double gap = 0;              // least delay of sends to others, at most 1
  std::uint32_t clusters = 0;  // within which there is none; 0: each LP is alone
  double broadcasts = 0.02;    // share of events that broadcast
  double cancels = 0.3;        // share of events that cancel one that their LP has sent, those that may
  bool in_loops = false;       // broadcasts are loops of single sends
  double ordered = 0.3;        // share of sends that ask for an order among simultaneous events
  double irrevocable = 0;      // share of events that send an irrevocable one
  bool uneven = false;         // some events draw more numbers than others: a wrong order makes other draws
  std::string in_order{};      // the file with what LPs write in order; empty: one that goes with the run
};

/// Of LP number `index` of a type.
inline std::uint32_t tangle_cluster(const TangleParams& params, std::uint32_t type, std::uint32_t index) {
  return params.clusters > 0 ? index % params.clusters : type * params.lps_per_type + index;
}

struct Cell;
struct Bag;
struct Gate;
struct Ledger;

/// What an LP has written, of which the ranks that it was on have parts.
struct Written {
  Written(std::uint64_t written) : value(written), order(next_order()) {}
  std::uint64_t value, order;

  friend bool operator==(const Written& a, const Written& b) { return a.value == b.value; }

 private:
  static std::uint64_t next_order() {
    static std::atomic<std::uint64_t> next{0};
    return next.fetch_add(1, std::memory_order_relaxed);  // of one LP one after the other
  }
};
using Outputs = std::vector<std::vector<Written>>;

/// What was committed, per LP: filled by actions at commit. And groups of LPs, of each type the same numbers.
struct TangleTrace {
  explicit TangleTrace(const TangleParams& params)
      : of_lp(4 * std::size_t{params.lps_per_type}),
        decrees(params.lps_per_type),
        in_order("--in-order", params.in_order.empty() ? folder.file("in-order") : params.in_order),
        groups(make_groups(params.lps_per_type)) {
    in_order.begin_with("all of it\n");
  }
  void output_files(ModelFiles& to) const {
    to.add(in_order, [this](Time end) { in_order.stream() << "until " << end << '\n'; });
  }
  // Each is written by its LP's PE only.
  mutable Outputs of_lp;
  mutable Outputs decrees;  // of Cells, by irrevocable handlers themselves
  TemporaryFolder folder;
  ModelFile in_order;  // of all LPs
  using Groups = std::tuple<Group<Cell>, Group<Bag>, Group<Gate>, Group<Ledger>>;
  std::vector<Groups> groups;

 private:
  static std::vector<Groups> make_groups(std::uint32_t lps) {
    std::vector<Groups> groups;
    for (const std::uint32_t every : {2u, 3u}) {
      std::vector<std::uint32_t> numbers;
      for (std::uint32_t k = 0; k < lps; k += every) numbers.push_back(lps - 1 - k);
      groups.emplace_back(Group<Cell>(numbers), Group<Bag>(numbers), Group<Gate>(numbers),
                          Group<Ledger>(numbers));
    }
    return groups;
  }
};

struct Ping {
  std::uint32_t life = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Ping&, const Ping&) = default;
};
struct Parcel {
  std::uint32_t life = 0;
  std::vector<std::uint64_t> content;
  std::string label;
  friend bool operator==(const Parcel&, const Parcel&) = default;
};

/// What its handler does cannot be undone.
struct Decree {
  static constexpr auto execution = irrevocable;
  std::uint32_t life = 0;
  std::uint64_t value = 0;
  friend bool operator==(const Decree&, const Decree&) = default;
};

/// Sends what an event of generation `life` leads to, and notes its commit.
/// `kept` is part of the LP's state: events that it may cancel.
template <class Lp>
void spread(Context<Lp>& cx, std::uint32_t life, std::uint64_t value, EventHandle* kept = nullptr);

struct TangleBase {
  using Params = TangleParams;
  using Shared = TangleTrace;
  static std::uint64_t count(const Params& params) { return params.lps_per_type; }
  static double lookahead(const Params& params) { return params.gap; }
  static bool may_stop(const Params& params) { return params.stops > 0; }
  /// Anything will do: no partition changes the results.
  static void neighbours(const Params& params, const TangleTrace&, std::uint32_t index, Neighbours& to) {
    to.add(AnyId<Cell, Bag, Gate, Ledger>::from(index % 4, (index * 7 + 3) % params.lps_per_type), index);
    to.add(Id<Gate>(index / 2), 3);
  }
};

/// Copied as bytes.
struct Cell : TangleBase {
  static constexpr std::uint32_t kType = 0;
  static std::uint32_t cluster(const TangleParams& params, std::uint32_t index) {
    return tangle_cluster(params, kType, index);
  }
  std::uint64_t sum = 0, pings = 0;
  EventHandle kept;
  Stream luck{1};
  Tally sizes;             // of parcels
  std::uint64_t seen = 0;  // of pings, the values
  void start(Context<Cell>& cx);
  void on(Context<Cell>& cx, const Ping& ping);
  void on(Context<Cell>& cx, const Parcel& parcel);
  void on(Context<Cell>& cx, const Decree& decree);
  void finish(Results& results) const { results.add("sizes", sizes); }
  // What it has only observed, and how to take over what can be.
  bool goes_on_like(const Cell& other, const View<Cell>&) const {
    return sum == other.sum && pings == other.pings && kept == other.kept && luck == other.luck;
  }
  bool observe(const Cell& then, const Cell& now) {
    if (!(then.sizes == now.sizes)) return false;
    const Tally own = sizes;
    const std::uint64_t before = seen - then.seen;
    *this = now;
    sizes = own;
    seen += before;
    return true;
  }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(sum, pings, kept, luck, sizes, seen);
  }
  friend bool operator==(const Cell& a, const Cell& b) {
    return a.sum == b.sum && a.pings == b.pings && a.kept == b.kept && a.luck == b.luck &&
           a.sizes == b.sizes && a.seen == b.seen;
  }
};

/// Copied by its copy constructor.
struct Bag : TangleBase {
  static constexpr std::uint32_t kType = 1;
  static std::uint32_t cluster(const TangleParams& params, std::uint32_t index) {
    return tangle_cluster(params, kType, index);
  }
  std::vector<std::uint64_t> last;
  std::string text;
  EventHandle kept;
  void start(Context<Bag>& cx);
  void on(Context<Bag>& cx, const Ping& ping);
  void on(Context<Bag>& cx, const Parcel& parcel);
  static void commit(Commit<Bag>& cx, const Parcel& parcel);
  template <class Archive>
  void serialize(Archive& ar) {
    ar(last, text, kept);
  }
  friend bool operator==(const Bag& a, const Bag& b) {
    return a.last == b.last && a.text == b.text && a.kept == b.kept;
  }
};

/// Reversed.
struct Gate : TangleBase {
  static constexpr std::uint32_t kType = 2;
  static std::uint32_t cluster(const TangleParams& params, std::uint32_t index) {
    return tangle_cluster(params, kType, index);
  }
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> stack;
  Stream luck{2};
  void start(Context<Gate>& cx);
  auto on(Context<Gate>& cx, const Ping& ping) {
    const Stream before = luck;
    const std::uint64_t added = ping.value + cx.rng(luck).below(9u);
    sum += added;
    const bool pushed = ping.value % 3 == 0;
    if (pushed) stack.push_back(ping.value);
    spread(cx, ping.life, ping.value ^ sum);
    return [added, before, pushed](Gate& gate) {
      gate.sum -= added;
      gate.luck = before;
      if (pushed) gate.stack.pop_back();
    };
  }
  auto on(Context<Gate>& cx, const Parcel& parcel) {
    auto old = std::make_unique<std::vector<std::uint64_t>>(stack);  // a reverser may own memory
    stack.assign(parcel.content.begin(), parcel.content.end());
    spread(cx, parcel.life, parcel.content.size() + sum);
    return [old = std::move(old)](Gate& gate) { gate.stack = *old; };
  }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(sum, stack, luck);
  }
  friend bool operator==(const Gate& a, const Gate& b) {
    return a.sum == b.sum && a.stack == b.stack && a.luck == b.luck;
  }
};

/// Logged; also copied for one event type.
struct Ledger : TangleBase {
  static constexpr std::uint32_t kType = 3;
  static std::uint32_t cluster(const TangleParams& params, std::uint32_t index) {
    return tangle_cluster(params, kType, index);
  }
  std::uint64_t accounts[8] = {};
  Stream luck{1};  // the purpose of another type, too
  std::string note;
  void start(Context<Ledger>& cx);
  void on(Context<Ledger>& cx, Logged<Ledger>& log, const Ping& ping) const;
  void on(Context<Ledger>& cx, const Parcel& parcel);
  template <class Archive>
  void serialize(Archive& ar) {
    ar(accounts, luck, note);
  }
  friend bool operator==(const Ledger& a, const Ledger& b) {
    return std::equal(std::begin(a.accounts), std::end(a.accounts), std::begin(b.accounts)) &&
           a.note == b.note && a.luck == b.luck;
  }
};

using Tangle = Simulation<Cell, Bag, Gate, Ledger>;

/// Mostly none. Few priorities, so that any part of the key may decide.
template <class Lp>
Order some_order(Context<Lp>& cx) {
  Rng& rng = cx.rng();
  if (!rng.bernoulli(cx.params().ordered)) return {};
  const int priorities[] = {0, 0, -1, 1, Order::kLeast, Order::kGreatest};
  const int priority = priorities[rng.below(6u)];
  return {.priority = priority, .in_order = rng.bernoulli(0.6)};
}

template <class Lp, class To>
EventHandle send_one(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  Rng& rng = cx.rng();
  const TangleParams& params = cx.params();
  const std::uint32_t k =
      rng.bernoulli(params.local) ? cx.self().index() : rng.below(cx.template lp_count<To>());
  const auto to = cx.template id<To>(k);
  const bool parcel = rng.bernoulli(0.3);
  const Order among = some_order(cx);
  const auto go = [&](auto&& send) {
    if (parcel)
      return send(Parcel{life, std::vector<std::uint64_t>(value % 5, value), std::string(value % 40, 'x')});
    return send(Ping{life, value});
  };
  const double kind = rng.uniform();
  const bool is_near =
      tangle_cluster(params, Lp::kType, cx.self().index()) == tangle_cluster(params, To::kType, k);
  const double gap = is_near ? 0 : params.gap;
  const Time whole = gap > 0 ? std::ceil(cx.now() + gap) : std::floor(cx.now()) + 1;
  if (kind < params.zero_delay)
    return go([&](auto event) { return cx.send(to, gap, std::move(event), among); });
  if (kind < params.zero_delay + params.tie)
    return go([&](auto event) { return cx.send_at(to, whole + rng.below(2u), std::move(event), among); });
  return go([&](auto event) { return cx.send(to, gap + rng.exponential(1.0), std::move(event), among); });
}

/// Cancels what is kept, in time or not, but not later than conservative execution allows.
template <class Lp>
std::uint64_t cancel_kept(Context<Lp>& cx, EventHandle& kept) {
  const TangleParams& params = cx.params();
  if (!kept || !cx.rng().bernoulli(params.cancels)) return 0;
  if (params.gap > 0 && kept.time >= cx.now() && kept.time < cx.now() + params.gap) return 0;
  const bool in_time = cx.cancel(kept);
  if (cx.rng().bernoulli(0.8)) kept = {};  // else twice
  return in_time ? 1 : 2;
}

/// Sends to an LP of which not even the type is known when this is compiled.
template <class Lp>
EventHandle send_to_any(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  Rng& rng = cx.rng();
  using Any = AnyId<Ledger, Cell, Gate, Bag>;
  Any to = cx.self();
  if (!rng.bernoulli(cx.params().local))
    to = Any::from(rng.below(std::uint32_t{Any::kTypes}), rng.below(cx.params().lps_per_type));
  return cx.send(to, cx.params().gap + rng.exponential(1.0), Ping{life, value}, some_order(cx));
}

template <class Lp>
EventHandle send_any(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  switch (cx.rng().below(5u)) {
    case 0:
      return send_one<Lp, Cell>(cx, life, value);
    case 1:
      return send_one<Lp, Bag>(cx, life, value);
    case 2:
      return send_one<Lp, Gate>(cx, life, value);
    case 3:
      return send_one<Lp, Ledger>(cx, life, value);
    default:
      return send_to_any(cx, life, value);
  }
}

/// Sends one event to many LPs: all of a type, a range, a group.
template <class To, class Lp>
void send_many(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  Rng& rng = cx.rng();
  const std::uint32_t lps = cx.template lp_count<To>();
  Time delay = cx.params().gap + (rng.bernoulli(cx.params().zero_delay) ? 0 : rng.exponential(1.0));
  if (rng.bernoulli(cx.params().tie)) delay = std::max(delay, std::ceil(cx.now() + delay) - cx.now());
  const auto& group = std::get<Group<To>>(cx.shared().groups[rng.below(2u)]);
  Range<To> range{Id<To>(rng.below(lps)), 0};
  range.count = 1 + rng.below(lps - range.first.index());
  const std::uint32_t whom = rng.below(3u);
  const Order among = some_order(cx);

  const auto go = [&](const auto& event) {
    if (cx.params().in_loops) {
      for (std::uint32_t k = 0; k < lps; ++k) {
        const Id<To> id(k);
        if (whom == 0 || (whom == 1 && k - range.first.index() < range.count) ||
            (whom == 2 && group.contains(id)))
          cx.send(id, delay, event, among);
      }
    } else if (whom == 0) {
      cx.template broadcast<To>(delay, event, among);
    } else if (whom == 1) {
      cx.broadcast(range, delay, event, among);
    } else {
      cx.broadcast(group, delay, event, among);
    }
  };
  if (rng.bernoulli(0.3))
    go(Parcel{life, std::vector<std::uint64_t>(value % 5, value), std::string(value % 40, 'x')});
  else
    go(Ping{life, value});
}

template <class Lp>
void spread(Context<Lp>& cx, std::uint32_t life, std::uint64_t value, EventHandle* kept) {
  const TangleParams& params = cx.params();
  Rng& rng = cx.rng();
  if (kept) value += cancel_kept(cx, *kept);
  auto* trace = &cx.shared().of_lp[std::size_t{Lp::kType} * params.lps_per_type + cx.self().index()];
  cx.on_commit([trace, value, time = cx.now()] {
    trace->push_back(value);
    trace->push_back(static_cast<std::uint64_t>(time * 1e6));
  });
  cx.in_order([&file = cx.shared().in_order, value, time = cx.now()] {
    file.under(fmt::format("at {}:\n", std::floor(time))) << value << '\n';
    if (value % 7 == 0) file.stream() << "seven\n";
  });
  if (params.stops > 0 && rng.bernoulli(params.stops)) cx.stop();
  if (params.faults > 0 && rng.bernoulli(params.faults)) cx.send(cx.self(), -1, Ping{});
  if (life == 0) return;
  if (params.irrevocable > 0 && rng.bernoulli(params.irrevocable))
    cx.send(cx.template id<Cell>(rng.below(params.lps_per_type)), params.gap + rng.exponential(1.0),
            Decree{life - 1, value}, some_order(cx));
  if (params.uneven && value % 3 == 0) rng.uniform();
  if (rng.bernoulli(params.broadcasts)) {
    const std::uint32_t short_life = std::min(life - 1, 1u);  // there are many of them
    switch (rng.below(4u)) {
      case 0:
        send_many<Cell>(cx, short_life, value);
        break;
      case 1:
        send_many<Bag>(cx, short_life, value);
        break;
      case 2:
        send_many<Gate>(cx, short_life, value);
        break;
      default:
        send_many<Ledger>(cx, short_life, value);
        break;
    }
  }
  for (std::uint32_t n = rng.below(3u); n > 0; --n) {
    const std::uint64_t next = value * 6364136223846793005u + n;
    const EventHandle sent = send_any(cx, life - 1, next);
    if (!kept) continue;
    if (rng.bernoulli(0.5)) *kept = sent;
    if (rng.bernoulli(params.cancels / 4)) cx.cancel(sent);  // nobody has seen it
  }
}

/// What two equivalent runs have in common.
struct TangleResult {
  Report report;
  std::vector<Cell> cells;
  std::vector<Bag> bags;
  std::vector<Gate> gates;
  std::vector<Ledger> ledgers;
  Outputs trace, decrees;
  std::string in_order;  // empty: not known
};

/// One of a run that has not begun.
TangleResult result_for(const TangleParams& params);
/// Puts in what was committed on this rank.
void add_outputs(TangleResult& result, const TangleTrace& of_rank);

/// A tangle without stops and faults.
TangleParams random_tangle(std::mt19937_64& random);

/// One with some of every feature that there is.
TangleParams random_medley(std::mt19937_64& random);

/// Runs the model.
TangleResult run_tangle(const TangleParams& params, const Config& config);
/// Runs it over so many ranks, which are threads here. The report is that of rank 0, and the file that it has
/// written. Throws what rank 0 throws.
TangleResult run_tangle_over_ranks(const TangleParams& params, const Config& config, unsigned ranks,
                                   const transport::LocalCluster::Options& options);

/// Digest, counts, final states and committed output are the same. For gtest's ASSERT_TRUE: the message says
/// what differs.
std::string difference(const TangleResult& a, const TangleResult& b);

}  // namespace anachron::test
