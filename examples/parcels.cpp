// A tour of the model API: couriers carry parcels between hubs, an office counts what arrives and closes the
// day.
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

enum class Routing { direct, by_centre };

struct Params {
  std::uint32_t hubs = 40;
  std::uint32_t parcels = 100;
  double speed = 30;
  Routing routing = Routing::direct;
  bool strict = false;
  std::string town = "Ghent";
  std::uint64_t enough = 0;
  std::uint64_t map_seed = 1;

  static void describe(an::Describe<Params>& d) {
    d(&Params::hubs, "Number of hubs").at_least(2);
    d(&Params::parcels, "Parcels that each hub hands in, one an hour on average");
    d(&Params::speed, "Speed of a courier in km/h").above(0).at_most(130);
    d(&Params::routing, "Which way parcels go")
        .choices({{"direct", Routing::direct}, {"by-centre", Routing::by_centre}});
    d(&Params::strict, "A parcel for its own hub is an error");
    d(&Params::town, "Name of the town").hint("NAME");
    d(&Params::enough, "End the day after so many parcels; 0: never").name("stop-after");
    d(&Params::map_seed, "Another seed, another town");
  }
};

/// Read-only data of all LPs, built once before the start.
struct Map {
  struct Place {
    double x, y;  // km
  };
  std::vector<Place> places;

  explicit Map(const Params& params) {
    if (params.hubs > 10'000) throw an::InputError("--hubs: a town has at most 10000");
    std::uint64_t draws = 0;
    an::Rng rng(params.map_seed, 0, draws, an::RngStream::shared);
    for (std::uint32_t i = 0; i < params.hubs; ++i) {
      const double x = rng.uniform(0, 20);
      places.push_back({x, rng.uniform(0, 20)});
    }
  }
  double distance(std::uint32_t a, std::uint32_t b) const {
    const double dx = places[a].x - places[b].x, dy = places[a].y - places[b].y;
    return std::sqrt(dx * dx + dy * dy);
  }
};

struct Hub;
struct Office;

struct Parcel {  // to a hub; owns memory
  an::Id<Hub> to;
  an::Time handed_in = 0;
  std::vector<an::Id<Hub>> route;
};
struct HandIn {};   // to a hub: it hands in a parcel
struct Delivered {  // to the office
  an::Id<Hub> at;
  double hours = 0;
  std::uint32_t stops = 0;
};

struct Hub {
  using Params = ::Params;
  using Shared = Map;
  static constexpr an::Time until = 24 * 7;  // hours
  static std::uint32_t count(const Params&, const Map& map) {
    return static_cast<std::uint32_t>(map.places.size());
  }

  std::uint32_t left = 0;                   // parcels still to hand in
  std::array<std::uint32_t, 24> by_hour{};  // parcels that came through, by hour of the day

  void start(an::Context<Hub>& cx) {
    left = cx.params().parcels;
    if (left > 0) cx.send(cx.self(), cx.rng().exponential(1), HandIn{});
  }

  // Returns void: undone by copying the state before.
  void on(an::Context<Hub>& cx, const HandIn&) {
    an::Rng& rng = cx.rng();
    Parcel parcel{cx.id(rng.below(cx.lp_count())), cx.now(), {}};
    if (cx.params().strict && parcel.to == cx.self()) throw std::runtime_error("a parcel for its own hub");
    forward(cx, std::move(parcel));
    if (--left > 0) cx.send(cx.self(), rng.exponential(1), HandIn{});
  }

  // Takes Logged<Hub>&: only what is written is saved.
  void on(an::Context<Hub>& cx, an::Logged<Hub>& log, const Parcel& parcel) const {
    const auto hour = static_cast<std::size_t>(cx.now()) % by_hour.size();
    ++log.write(by_hour[hour]);
    if (parcel.to == cx.self()) {
      const auto stops = static_cast<std::uint32_t>(parcel.route.size());
      cx.send(cx.id<Office>(0), 0, Delivered{cx.self(), cx.now() - parcel.handed_in, stops});
    } else {
      forward(cx, parcel);
    }
  }

  void finish(an::Results& r, const an::Finish<Hub>& f) const {
    for (std::size_t hour = 0; hour < by_hour.size(); ++hour) {
      r.count("stops", by_hour[hour]);
      r.row("hours", {"hub", "hour", "parcels"},
            {std::int64_t{f.self().index()}, static_cast<std::int64_t>(hour), std::int64_t{by_hour[hour]}});
    }
  }

 private:
  static void forward(an::Context<Hub>& cx, Parcel parcel) {
    auto next = parcel.to;
    if (cx.params().routing == Routing::by_centre && cx.self() != cx.id(0)) next = cx.id(0);
    const double km = cx.shared().distance(cx.self().index(), next.index());
    parcel.route.push_back(cx.self());
    cx.send(next, km / cx.params().speed, std::move(parcel));
  }
};

struct Office {
  using Params = ::Params;
  static std::uint32_t count(const Params&) { return 1; }

  std::uint64_t delivered = 0, late = 0;
  double hours = 0, slowest = 0;

  // Returns a callable: that undoes it.
  auto on(an::Context<Office>& cx, const Delivered& d) {
    auto undo = [hours = hours, slowest = slowest, late = late](Office& o) {
      o.hours = hours;
      o.slowest = slowest;
      o.late = late;
      --o.delivered;
    };
    ++delivered;
    hours += d.hours;
    if (d.hours > slowest) slowest = d.hours;
    if (d.hours > 0.75) {
      ++late;
      cx.on_commit([town = cx.params().town, number = late, at = d.at.index()] {
        if (number % 100 == 1)
          std::printf("%s: late parcel number %u at hub %u\n", town.c_str(), unsigned(number), at);
      });
    }
    if (delivered == cx.params().enough) cx.stop();
    return undo;
  }

  // Runs when a delivery can no longer be rolled back.
  static void commit(an::Commit<Office>& cx, const Delivered& d) {
    if (d.hours > 0.9) std::printf("%.2f h: %.2f hours to hub %u\n", cx.now(), d.hours, d.at.index());
  }

  void finish(an::Results& r) const {
    r.count("delivered", static_cast<std::int64_t>(delivered));
    r.add("hours_under_way", hours);
    r.mean("mean_hours", hours, delivered);
    r.max("slowest", slowest);
  }
};

int main(int argc, char** argv) { return an::cli<Hub, Office>(argc, argv); }
