// The engine simulates itself: PHOLD under Time Warp on a machine of many cores, whose costs are parameters.
// An LP is a core, time is the machine's in seconds, and what the cores simulate has a time of its own,
// "virtual" here. Predicts rate and efficiency of machines that nobody has at hand;
// bench/results/cluster/machines.md has its assumptions and how it fits runs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
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
  double remote = 0.1, horizon = kNever;
  double event = 160e-9, undo = 100e-9, remote_event = 1.1e-6, message = 3.8e-6, latency = 5e-6, hop = 2e-6,
         look = 0.5e-6;
  std::uint32_t processors = 0;
  static void describe(an::Describe<Params>& d) {
    d(&Params::cores, "Cores of the machine, a rank each").at_least(1);
    d(&Params::lps, "LPs of the simulated PHOLD, of all cores").at_least(1);
    d(&Params::balls, "Events per LP").at_least(1);
    d(&Params::batch, "Events of a core between two looks at its inbox").at_least(1).name("turn");
    d(&Params::interval, "Events of a core between two GVT rounds").at_least(1).name("round");
    d(&Params::remote, "Share of events that go to another core");
    d(&Params::horizon, "How far beyond GVT events may run, in virtual time");
    d(&Params::event, "Seconds that an event costs, with its history");
    d(&Params::undo, "Seconds to undo one");
    d(&Params::remote_event, "Seconds more of an event from another core, half of them at each end");
    d(&Params::message, "Seconds of a message, half of them at each end");
    d(&Params::latency, "Seconds that a message is under way");
    d(&Params::hop, "Seconds of a core for a step of the GVT tree");
    d(&Params::look, "Seconds of a look at an empty inbox");
    d(&Params::processors, "That cores share, when there are more cores than processors; 0: each has its own")
        .name("shared");
  }
  /// How much slower each core is because it shares a processor.
  double slowdown() const { return processors && processors < cores ? double(cores) / processors : 1; }
};

/// An event of the simulated simulation: its virtual time, and who it is.
struct Item {
  double time = 0;
  std::uint64_t id = 0;
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
    std::uint32_t to = 0;  // the child's core
  };
  std::set<Item> pending;
  std::deque<Done> history;  // in virtual order
  std::vector<Message> inbox;
  std::vector<std::pair<std::uint32_t, Message>> outbox;
  std::uint64_t made = 0, executed = 0, undone = 0, committed = 0, since_round = 0, rounds = 0, sent = 0,
                messages = 0;
  std::uint32_t reports = 0;
  double least_below = kNever, least_sent = kNever, gvt = 0, busy = 0;
  bool reported = false, asleep = false;

  static std::uint32_t count(const Params& params) { return params.cores; }
  static double lookahead(const Params& params) { return std::min(params.latency, params.look); }

  void start(an::Context<Core>& cx) {
    const Params& params = cx.params();
    const std::uint64_t balls = std::uint64_t{params.balls} * params.lps / params.cores;
    for (std::uint64_t i = 0; i < balls; ++i) pending.insert({cx.rng().exponential(1), new_id(cx)});
    cx.send(cx.self(), params.look * cx.rng().uniform(), Turn{});  // not all at the same time
  }

  /// One turn of the worker loop: inbox, a batch, outbox, GVT. It takes as long as what it did costs.
  void on(an::Context<Core>& cx, const Turn&) {
    const Params& params = cx.params();
    double cost = params.look;
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
    if (in_batch > 0) busy += cost;
    cost *= params.slowdown();
    messages += outbox.size();
    for (auto& [to, message] : std::exchange(outbox, {}))
      cx.send(cx.id(to), cost + params.latency, std::move(message));
    if (!reported && (since_round >= params.interval || in_batch == 0) && reports == children(cx))
      cost += report(cx, cost);
    asleep = in_batch == 0;
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
    r.max("gvt_rounds", static_cast<double>(rounds));
    r.max("gvt", gvt);
  }

 private:
  std::uint64_t new_id(an::Context<Core>& cx) { return std::uint64_t{cx.self().index()} << 40 | made++; }

  /// Time by time the core wakes up from waiting for a message or for GVT.
  void wake(an::Context<Core>& cx) {
    if (std::exchange(asleep, false)) cx.send(cx.self(), cx.params().look, Turn{});
  }
  void post(std::uint32_t to, const Parcel& parcel) {
    least_sent = std::min(least_sent, parcel.item.time);
    const auto at = std::find_if(outbox.begin(), outbox.end(), [to](const auto& m) { return m.first == to; });
    if (at != outbox.end()) return at->second.parcels.push_back(parcel);
    outbox.push_back({to, Message{{parcel}}});
  }

  /// Executes the first event; returns what that costs besides.
  double execute(an::Context<Core>& cx) {
    const Params& params = cx.params();
    const Item item = pending.extract(pending.begin()).value();
    const Item child{item.time + cx.rng().exponential(1), new_id(cx)};
    const std::uint32_t own = cx.self().index();
    std::uint32_t to = own;
    if (params.cores > 1 && cx.rng().bernoulli(params.remote))
      to = (own + 1 + static_cast<std::uint32_t>(cx.rng().below(params.cores - 1))) % params.cores;
    history.push_back({item, child, to});
    ++executed;
    if (to == own) {
      pending.insert(child);
      return 0;
    }
    ++sent;
    post(to, {child, false});
    return params.remote_event / 2;
  }

  double take(an::Context<Core>& cx, const Parcel& parcel) {
    if (parcel.cancels && pending.erase(parcel.item)) return 0;
    const double cost = roll_back(cx, parcel.item);
    if (!parcel.cancels)
      pending.insert(parcel.item);
    else if (!pending.erase(parcel.item))
      throw std::logic_error("a cancellation of nothing");
    return cost;
  }
  /// Undoes what comes at or after an event.
  double roll_back(an::Context<Core>& cx, const Item& to) {
    const Params& params = cx.params();
    if (to.time < gvt) throw std::logic_error("an event before GVT");
    double cost = 0;
    while (!history.empty() && !(history.back().item < to)) {
      const Done done = history.back();
      history.pop_back();
      pending.insert(done.item);
      ++undone;
      cost += params.undo;
      if (done.to == cx.self().index()) {
        pending.erase(done.child);  // it comes later than its cause, so it is pending again
      } else {
        post(done.to, {done.child, true});
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
    for (; !history.empty() && history.front().item.time < gvt; history.pop_front()) ++committed;
    ++rounds;
    since_round = 0;
    reported = false;
    wake(cx);
  }
};

int main(int argc, char** argv) { return an::cli<Core>(argc, argv); }
