// Shops that write what they sell into one journal, in the order in which it happened.
#include <cstdint>
#include <iomanip>
#include <ostream>
#include <string>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t shops = 50;
  std::string journal = "journal.txt";

  static void describe(an::Describe<Params>& d) {
    d(&Params::journal, "Writes all sales").hint("FILE").output_file();
  }
};

/// A file lives in the shared data: it is opened before the start and there for all LPs.
struct Journal {
  an::ModelFile file;

  explicit Journal(const Params& params) : file("--journal", params.journal) {}
  void output_files(an::ModelFiles& to) const { to.add(file); }
};

struct Customer {
  std::uint32_t cents = 0;
};

struct Shop {
  using Params = ::Params;
  using Shared = Journal;
  static constexpr an::Time until = 20;
  static std::uint32_t count(const Params& params) { return params.shops; }

  std::uint64_t sold = 0;

  void start(an::Context<Shop>& cx) { sell(cx, cx.self()); }
  void on(an::Context<Shop>& cx, const Customer& customer) {
    sold += customer.cents;
    cx.in_order([&file = cx.shared().file, time = cx.now(), shop = cx.self().index(), customer] {
      file.stream() << std::fixed << std::setprecision(2) << time << "  shop " << shop << "  "
                    << customer.cents / 100.0 << '\n';
    });
    sell(cx, cx.id(cx.rng().below(cx.lp_count())));
  }
  void finish(an::Results& r) const { r.count("cents", static_cast<std::int64_t>(sold)); }

 private:
  static void sell(an::Context<Shop>& cx, an::Id<Shop> at) {
    const auto after = cx.rng().exponential(1);
    cx.send(at, after, Customer{cx.rng().below(5000u)});
  }
};

int main(int argc, char** argv) { return an::cli<Shop>(argc, argv); }
