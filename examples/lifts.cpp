// Lifts in the buildings of a town. Passengers come at whole seconds, so that much happens at the same time:
// a lift that goes on at the second at which somebody calls it has heard that, because calls have priority.
#include <algorithm>
#include <random>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {  // seconds: between two passengers, mean
  std::uint32_t buildings = 20, floors = 12, passengers = 5000, seconds = 2;
};
struct Passenger {  // calls a lift
  static constexpr an::Order order{.priority = -1};
  int from = 0, to = 0;         // floors; on the way to another building down to 0, and there up from 0
  int building = 0, floor = 0;  // in the end
  an::Time set_out = 0, called = 0;
  bool operator==(const Passenger&) const = default;
};
struct Turn {};  // the lift has got to a floor, or closed its doors, or was idle and is called
struct Day {
  std::vector<std::vector<Passenger>> of;  // each building
  explicit Day(const Params& params) : of(params.buildings) {
    std::minstd_rand random;
    const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
    double now = 0;
    for (std::uint32_t k = 0; k < params.passengers; ++k) {
      const int home = below(params.buildings), from = below(params.floors);
      const int building = below(params.buildings), floor = below(params.floors);
      now += below(2 * params.seconds + 1);
      of[home].push_back({from, building == home ? floor : 0, building, floor, now});
    }
  }
};
struct Lift {
  using Params = ::Params;
  using Shared = Day;
  int floor = 0, heading = 1, moving = 0;
  bool idle = true;
  std::vector<Passenger> waiting, riding;
  an::Tally wait, trip;
  bool operator==(const Lift&) const = default;
  static std::uint32_t count(const Params& params) { return params.buildings; }
  static double lookahead(const Params&) { return 60; }
  void start(an::Context<Lift>& cx) {
    for (const Passenger& one : cx.shared().of[cx.self().index()]) cx.send_at(cx.self(), one.set_out, one);
  }
  void on(an::Context<Lift>& cx, const Passenger& one) {
    waiting.emplace_back(one).called = cx.now();
    if (std::exchange(idle, false)) cx.send(cx.self(), 0, Turn{});  // a step later: when all have called
  }
  void on(an::Context<Lift>& cx, const Turn&) {
    floor += std::exchange(moving, 0);
    const auto out = std::ranges::stable_partition(riding, [&](auto& one) { return one.to != floor; });
    const auto in = std::ranges::stable_partition(waiting, [&](auto& one) { return one.from != floor; });
    heading = out.empty() && in.empty() && !is_wanted(heading) ? -heading : heading;
    if (!out.empty() || !in.empty())
      cx.send(cx.self(), 5, Turn{});
    else if (idle = !is_wanted(heading); !idle)
      moving = heading, cx.send(cx.self(), 2, Turn{});
    for (const auto& [from, to, building, end, set_out, called] : out)
      if (cx.id(building) == cx.self())
        trip.add(cx, cx.now() - set_out);
      else
        cx.send(cx.id(building), 60, Passenger{0, end, building, end, set_out});
    for (const Passenger& one : in) wait.add(cx, cx.now() - one.called);
    riding.erase(out.begin(), out.end());
    riding.insert(riding.end(), in.begin(), in.end());
    waiting.erase(in.begin(), in.end());
  }
  bool is_wanted(int way) const {
    const auto ahead = [&](int at) { return (at - floor) * way > 0; };
    return std::ranges::any_of(riding, ahead, &Passenger::to) ||
           std::ranges::any_of(waiting, ahead, &Passenger::from);
  }
  void finish(an::Results& r) const { r.add("wait", wait), r.add("trip", trip); }
};

int main(int argc, char** argv) { return an::cli<Lift>(argc, argv); }
