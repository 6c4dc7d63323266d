// Broadcasts: gauges along a river measure its level; one that finds it high tells many others.
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Siren;

struct Params {
  std::uint32_t gauges = 200, sirens = 1000;
  static void describe(an::Describe<Params>& d) {
    d(&Params::gauges, "Gauges along the river, 50 or more").at_least(50);
    d(&Params::sirens, "Sirens in the towns beside it").at_least(10);
  }
};

struct Towns {
  an::Group<Siren> at_bridges;  // every seventh

  explicit Towns(const Params& params) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t k = 0; k < params.sirens; k += 7) numbers.push_back(k);
    at_bridges = an::Group<Siren>(std::move(numbers));
  }
};

struct Measure {};  // to a gauge
struct Ready {};    // to a siren: high water is near
struct Sound {      // to a siren
  double level = 0;
};

struct Siren {
  using Params = ::Params;
  static std::uint32_t count(const Params& p) { return p.sirens; }
  std::uint32_t warnings = 0, alarms = 0;

  void on(an::Context<Siren>&, const Ready&) { ++warnings; }
  void on(an::Context<Siren>&, const Sound&) { ++alarms; }
  void finish(an::Results& r) const {
    r.count("warnings", warnings);
    r.count("alarms", alarms);
  }
};

struct Gauge {
  using Params = ::Params;
  using Shared = Towns;
  static std::uint32_t count(const Params& p) { return p.gauges; }
  static constexpr an::Time until = 24 * 7;  // hours
  std::uint32_t measured = 0;

  void start(an::Context<Gauge>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Measure{}); }
  void on(an::Context<Gauge>& cx, const Measure&) {
    ++measured;
    const double level = cx.rng().exponential(1);
    const std::uint32_t self = cx.self().index(), below = cx.lp_count() - self - 1;
    if (level > 5 && below >= 5)  // the next five down the river shall look, too
      cx.broadcast(an::Range<Gauge>{cx.id(self + 1), 5}, 0.5, Measure{});
    if (level > 6) cx.broadcast(cx.shared().at_bridges, 0.1, Ready{});
    if (level > 7) cx.broadcast<Siren>(0.2, Sound{level});
    if (cx.rng().bernoulli(0.95)) cx.send(cx.self(), cx.rng().exponential(1), Measure{});
  }
  void finish(an::Results& r) const { r.count("measured", measured); }
};

int main(int argc, char** argv) { return an::cli<Gauge, Siren>(argc, argv); }
