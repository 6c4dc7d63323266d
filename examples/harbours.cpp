// Events that can be sent to another process: freighters carry goods between harbours.
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Harbour;

struct Params {
  std::uint32_t harbours = 20, freighters = 3;
  static void describe(an::Describe<Params>& d) {
    d(&Params::harbours, "Harbours").at_least(2);
    d(&Params::freighters, "Freighters that lie in each harbour at the start");
  }
};

class Manifest {
 public:
  void add(std::string goods, double tons) {
    goods_.emplace_back(std::move(goods), tons);
    weigh();
  }
  double tons() const { return tons_; }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(goods_);
    if constexpr (Archive::kIsReading) weigh();
  }

 private:
  void weigh() {
    tons_ = std::accumulate(goods_.begin(), goods_.end(), 0.0,
                            [](double sum, const auto& one) { return sum + one.second; });
  }
  std::vector<std::pair<std::string, double>> goods_;
  double tons_ = 0;  // follows from the goods
};

struct Freighter {  // to the harbour where it arrives
  std::string name;
  Manifest cargo;
  std::optional<an::Id<Harbour>> pilot_from;
};

struct Harbour {
  using Params = ::Params;
  static constexpr bool encodable_events = true;  // checked by the compiler
  static constexpr an::Time until = 365;          // days
  static std::uint32_t count(const Params& p) { return p.harbours; }
  double landed = 0;
  std::uint32_t piloted = 0;

  void start(an::Context<Harbour>& cx) {
    for (std::uint32_t i = 0; i < cx.params().freighters; ++i)
      sail(cx, "Freighter " + std::to_string(cx.self().index()) + "-" + std::to_string(i));
  }
  void on(an::Context<Harbour>& cx, const Freighter& freighter) {
    landed += freighter.cargo.tons();
    if (freighter.pilot_from == cx.self()) ++piloted;
    sail(cx, freighter.name);
  }
  void finish(an::Results& r) const {
    r.add("tons", landed);
    r.count("piloted", piloted);
  }

 private:
  static void sail(an::Context<Harbour>& cx, std::string name) {
    auto& rng = cx.rng();
    const auto to = cx.id(rng.below(cx.lp_count()));
    Freighter freighter{std::move(name), {}, {}};
    freighter.cargo.add("grain", rng.uniform(100, 500));
    if (rng.bernoulli(0.3)) freighter.cargo.add("timber", rng.uniform(10, 50));
    if (rng.bernoulli(0.1)) freighter.pilot_from = to;
    cx.send(to, 1 + rng.exponential(9), std::move(freighter));
  }
};

int main(int argc, char** argv) { return an::cli<Harbour>(argc, argv); }
