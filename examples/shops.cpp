// Shops take customers from each other; a printer prints large receipts. Shows what conservative runs need,
// lookahead, and an LP type that does what cannot be undone.
#include <cstdio>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t shops = 50;
  std::uint32_t customers = 10;
  double walk = 2;
  std::uint32_t enough = 0;
  static void describe(an::Describe<Params>& d) {
    d(&Params::shops, "Number of shops").at_least(1);
    d(&Params::customers, "Customers that begin at each shop");
    d(&Params::walk, "Minutes that it takes to get to another shop, at least").at_least(0);
    d(&Params::enough, "Close when a shop has served so many; 0: never").name("close-after");
  }
};

struct Customer {};
struct Receipt {
  std::uint32_t shop = 0, cents = 0;
};
struct Printer;

struct Shop {
  using Params = ::Params;
  static constexpr an::Time until = 600;
  std::uint32_t served = 0;

  static std::uint32_t count(const Params& params) { return params.shops; }
  static double lookahead(const Params& params) { return params.walk; }
  static bool may_stop(const Params& params) { return params.enough > 0; }

  void start(an::Context<Shop>& cx) {
    for (std::uint32_t i = 0; i < cx.params().customers; ++i)
      cx.send(cx.self(), cx.rng().exponential(10), Customer{});
  }
  void on(an::Context<Shop>& cx, const Customer&);
};

struct Printer {
  using Params = ::Params;
  static constexpr auto execution = an::irrevocable;

  static std::uint32_t count(const Params&) { return 1; }
  static double lookahead(const Params&) { return an::kForever; }  // sends nothing

  void on(an::Context<Printer>& cx, const Receipt& receipt) {
    std::printf("%6.2f  shop %2u  %.2f\n", cx.now(), receipt.shop, receipt.cents / 100.0);
  }
};

void Shop::on(an::Context<Shop>& cx, const Customer&) {
  an::Rng& rng = cx.rng();
  const Params& params = cx.params();
  const auto cents = static_cast<std::uint32_t>(rng.exponential(2500));
  if (cents > 20'000) cx.send(cx.id<Printer>(0), params.walk, Receipt{cx.self().index(), cents});
  cx.send(cx.id(rng.below(cx.lp_count())), params.walk + rng.exponential(10), Customer{});
  if (++served == params.enough) cx.stop();
}

int main(int argc, char** argv) { return an::cli<Shop, Printer>(argc, argv); }
