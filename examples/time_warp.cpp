// The engine simulates itself: PHOLD under Time Warp on a machine of many cores, whose costs are parameters.
// An LP is a core, time is the machine's in seconds, and what the cores simulate has a time of its own,
// "virtual" here. Predicts rate and efficiency of machines that nobody has at hand;
// bench/results/machines.md has its assumptions and how it fits runs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kFanOut = 16;  // of the tree over which GVT is found

struct Params {
  std::uint32_t cores = 16, lps = 1'048'576, balls = 10, batch = 16, interval = 512;
  double remote = 0.1, sigma = 0, horizon = kNever;
  double event = 118e-9, undo = 2.5e-6, remote_event = 0.2e-6, message = 2.3e-6, latency = 5e-6, hop = 2e-6,
         look = 1.2e-6;
  std::uint32_t processors = 0;
  static void describe(an::Describe<Params>& d) {
    d(&Params::cores, "Cores of the machine, a rank each").at_least(1);
    d(&Params::lps, "LPs of the simulated PHOLD, of all cores").at_least(1);
    d(&Params::balls, "Events per LP").at_least(1);
    d(&Params::batch, "Events of a core between two looks at its inbox").at_least(1).name("turn");
    d(&Params::interval, "Events of a core between two GVT rounds").at_least(1).name("round");
    d(&Params::remote, "Share of events that go to another LP, the others to their own");
    d(&Params::sigma, "Standard deviation of the distance to the other LP; 0: any LP of all");
    d(&Params::horizon, "How far beyond GVT events may run, in virtual time");
    d(&Params::event, "Seconds that an event costs, with its history");
    d(&Params::undo, "Seconds to undo one");
    d(&Params::remote_event, "Seconds more of an event from another core, half of them at each end");
    d(&Params::message, "Seconds of a message, half of them at each end");
    d(&Params::latency, "Seconds that a message is under way");
    d(&Params::hop, "Seconds of a core for a step of the GVT tree");
    d(&Params::look, "Seconds of a look at an empty inbox with nothing else to do");
    d(&Params::processors, "That cores share, when there are more cores than processors; 0: each has its own")
        .name("shared");
  }
  /// LPs lie on cores in blocks.
  std::uint32_t core_of(std::uint32_t lp) const {
    return static_cast<std::uint32_t>(std::uint64_t{lp} * cores / lps);
  }
  std::uint32_t first_lp_of(std::uint32_t core) const {
    return static_cast<std::uint32_t>((std::uint64_t{core} * lps + cores - 1) / cores);
  }
  /// How much slower each core is because it shares a processor.
  double slowdown() const { return processors && processors < cores ? double(cores) / processors : 1; }
};

/// An event of the simulated simulation: its virtual time, who it is, and whose.
struct Item {
  double time = 0;
  std::uint64_t id = 0;
  std::uint32_t lp = 0;
  friend auto operator<=>(const Item&, const Item&) = default;
};
struct Parcel {
  Item item;
  bool cancels = false;
};
struct Message {
  std::vector<Parcel> parcels;
};
struct Turn {};
struct Report {  // up the tree: the least virtual time below
  double least = kNever;
};
struct Opened {  // and down again
  double gvt = 0;
};

struct Core {
  using Params = ::Params;
  static constexpr an::Time until = 1e-3;

  struct Done {
    Item item, child;
  };
  std::set<Item> pending;
  std::map<std::uint32_t, std::vector<Done>> history;  // by LP, as the engine's; in virtual order
  std::vector<Message> inbox;
  std::vector<std::pair<std::uint32_t, Message>> outbox;
  std::uint64_t made = 0, executed = 0, undone = 0, committed = 0, since_round = 0, rounds = 0, sent = 0,
                messages = 0;
  std::uint32_t reports = 0;
  double least_below = kNever, least_sent = kNever, gvt = 0, busy = 0, polled = 0, asleep_since = 0;
  bool reported = false, asleep = false;

  static std::uint32_t count(const Params& params) { return params.cores; }
  static double lookahead(const Params& params) { return std::min(params.latency, params.look); }

  void start(an::Context<Core>& cx) {
    const Params& params = cx.params();
    const std::uint32_t own = cx.self().index();
    for (std::uint32_t lp = params.first_lp_of(own); lp < params.first_lp_of(own + 1); ++lp)
      for (std::uint32_t i = 0; i < params.balls; ++i)
        pending.insert({cx.rng().exponential(1), new_id(cx), lp});
    cx.send(cx.self(), params.look * cx.rng().uniform(), Turn{});  // not all at the same time
  }

  /// One turn of the worker loop: inbox, a batch, outbox, GVT. It takes as long as what it did costs.
  void on(an::Context<Core>& cx, const Turn&) {
    const Params& params = cx.params();
    double cost = 0;
    for (Message& message : std::exchange(inbox, {})) {
      cost += params.message / 2 + params.remote_event / 2 * double(message.parcels.size());
      for (const Parcel& parcel : message.parcels) cost += take(cx, parcel);
    }
    std::uint32_t in_batch = 0;
    for (; in_batch < params.batch && !pending.empty() && pending.begin()->time < gvt + params.horizon;
         ++in_batch)
      cost += params.event + execute(cx);
    since_round += in_batch;
    cost += params.message / 2 * double(outbox.size());
    if (cost == 0) cost = params.look;
    (in_batch > 0 ? busy : polled) += cost;
    cost *= params.slowdown();
    messages += outbox.size();
    for (auto& [to, message] : std::exchange(outbox, {}))
      cx.send(cx.id(to), cost + params.latency, std::move(message));
    if (!reported && (since_round >= params.interval || in_batch == 0) && reports == children(cx))
      cost += report(cx, cost);
    asleep = in_batch == 0;
    asleep_since = cx.now() + cost;
    if (!asleep) cx.send(cx.self(), cost, Turn{});
  }
  void on(an::Context<Core>& cx, const Message& message) {
    inbox.push_back(message);
    wake(cx);
  }
  void on(an::Context<Core>& cx, const Report& report) {
    least_below = std::min(least_below, report.least);
    ++reports;
    wake(cx);
  }
  void on(an::Context<Core>& cx, const Opened& opened) { open(cx, opened.gvt, 0); }

  void finish(an::Results& r) const {
    r.count("executed", static_cast<std::int64_t>(executed));
    r.count("committed", static_cast<std::int64_t>(committed));
    r.count("undone", static_cast<std::int64_t>(undone));
    r.count("sent", static_cast<std::int64_t>(sent));
    r.count("messages", static_cast<std::int64_t>(messages));
    r.add("busy_s", busy);
    r.add("polled_s", polled);
    r.max("gvt_rounds", static_cast<double>(rounds));
    r.max("gvt", gvt);
  }

 private:
  std::uint64_t new_id(an::Context<Core>& cx) { return std::uint64_t{cx.self().index()} << 40 | made++; }

  /// The core has waited for a message or for GVT, and looked for one all the time.
  void wake(an::Context<Core>& cx) {
    if (!std::exchange(asleep, false)) return;
    polled += std::max(cx.now() - asleep_since, 0.0) / cx.params().slowdown();
    cx.send(cx.self(), cx.params().look, Turn{});
  }
  void post(std::uint32_t to, const Parcel& parcel) {
    least_sent = std::min(least_sent, parcel.item.time);
    const auto at = std::find_if(outbox.begin(), outbox.end(), [to](const auto& m) { return m.first == to; });
    if (at != outbox.end()) return at->second.parcels.push_back(parcel);
    outbox.push_back({to, Message{{parcel}}});
  }

  /// LPs stand in a ring.
  std::uint32_t receiver(an::Context<Core>& cx, std::uint32_t from) {
    const Params& params = cx.params();
    if (params.sigma == 0) return static_cast<std::uint32_t>(cx.rng().below(params.lps));
    const auto ring = static_cast<std::int64_t>(params.lps);
    const std::int64_t to = from + std::llround(cx.rng().normal(0, params.sigma));
    return static_cast<std::uint32_t>((to % ring + ring) % ring);
  }

  /// Executes the first event; returns what that costs besides.
  double execute(an::Context<Core>& cx) {
    const Params& params = cx.params();
    const Item item = pending.extract(pending.begin()).value();
    const bool stays = !cx.rng().bernoulli(params.remote);
    const Item child{item.time + cx.rng().exponential(1), new_id(cx),
                     stays ? item.lp : receiver(cx, item.lp)};
    history[item.lp].push_back({item, child});
    ++executed;
    const std::uint32_t to = params.core_of(child.lp);
    if (to == cx.self().index()) return take(cx, {child, false});
    ++sent;
    post(to, {child, false});
    return params.remote_event / 2;
  }

  /// Returns what it costs.
  double take(an::Context<Core>& cx, const Parcel& parcel) {
    if (parcel.cancels && pending.erase(parcel.item)) return 0;
    const double cost = roll_back(cx, parcel.item);
    if (!parcel.cancels)
      pending.insert(parcel.item);
    else if (!pending.erase(parcel.item))
      throw std::logic_error("a cancellation of nothing");
    return cost;
  }
  /// Undoes what the LP of an event has executed at or after it, and what came of that.
  double roll_back(an::Context<Core>& cx, const Item& to) {
    const Params& params = cx.params();
    if (to.time < gvt) throw std::logic_error("an event before GVT");
    double cost = 0;
    std::vector<Item> children;
    const auto of_lp = history.find(to.lp);
    while (of_lp != history.end() && !of_lp->second.empty() && !(of_lp->second.back().item < to)) {
      const Done done = of_lp->second.back();
      of_lp->second.pop_back();
      pending.insert(done.item);
      ++undone;
      cost += params.undo;
      children.push_back(done.child);
    }
    for (const Item& child : children) {
      const std::uint32_t at = params.core_of(child.lp);
      if (at == cx.self().index()) {
        cost += take(cx, {child, true});
      } else {
        post(at, {child, true});
        cost += params.remote_event / 2;
      }
    }
    return cost;
  }

  // GVT: the least virtual time goes up a tree, what it is for all comes down. What a core has sent since its
  // last report is in its report, because it may still be under way; what it sent before has arrived, since
  // two messages, of the round before, have been under way one after the other since.

  static std::uint32_t children(an::Context<Core>& cx) {
    const std::uint64_t first = std::uint64_t{cx.self().index()} * kFanOut + 1, all = cx.lp_count();
    return static_cast<std::uint32_t>(first >= all ? 0 : std::min<std::uint64_t>(kFanOut, all - first));
  }
  double report(an::Context<Core>& cx, double cost) {
    const Params& params = cx.params();
    double least = std::min(
        {least_below, std::exchange(least_sent, kNever), pending.empty() ? kNever : pending.begin()->time});
    for (const Message& message : inbox)
      for (const Parcel& parcel : message.parcels) least = std::min(least, parcel.item.time);
    reported = true;
    reports = 0;
    least_below = kNever;
    const double hop = params.hop * params.slowdown();
    if (const std::uint32_t own = cx.self().index(); own > 0)
      cx.send(cx.id((own - 1) / kFanOut), cost + hop + params.latency, Report{least});
    else
      open(cx, least, cost + hop);
    return hop;
  }
  void open(an::Context<Core>& cx, double least, double cost) {
    const Params& params = cx.params();
    const double hop = params.hop * params.slowdown();
    for (std::uint32_t i = 0; i < children(cx); ++i)
      cx.send(cx.id(cx.self().index() * kFanOut + 1 + i), cost + hop + params.latency, Opened{least});
    gvt = std::max(gvt, least);
    for (auto of_lp = history.begin(); of_lp != history.end();) {
      auto& events = of_lp->second;
      const auto end = std::find_if(events.begin(), events.end(),
                                    [this](const Done& done) { return !(done.item.time < gvt); });
      committed += static_cast<std::uint64_t>(end - events.begin());
      events.erase(events.begin(), end);
      of_lp = events.empty() ? history.erase(of_lp) : std::next(of_lp);
    }
    ++rounds;
    since_round = 0;
    reported = false;
    wake(cx);
  }
};

int main(int argc, char** argv) { return an::cli<Core>(argc, argv); }
