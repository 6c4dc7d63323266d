// A mistake to find: with `--global` the tickets are numbered by a variable outside of the LPs, which no
// rollback restores.
#include <atomic>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t desks = 64, visitors = 4;
  bool global = false;
  static void describe(an::Describe<Params>& d) {
    d(&Params::desks, "Number of desks").at_least(1);
    d(&Params::visitors, "Visitors that begin at each desk");
    d(&Params::global, "Number the tickets of all desks by one variable: wrong");
  }
};

struct Visitor {
  std::uint64_t last_ticket = 0;
};

std::atomic<std::uint64_t> tickets_of_all{0};  // wrong: a handler changes what is not its LP's

struct Desk {
  using Params = ::Params;
  static constexpr an::Time until = 100;
  static std::uint32_t count(const Params& p) { return p.desks; }

  std::uint64_t tickets = 0;  // right: part of the state, which rolls back

  void start(an::Context<Desk>& cx) {
    for (std::uint32_t i = 0; i < cx.params().visitors; ++i)
      cx.send(cx.self(), cx.rng().exponential(1), Visitor{});
  }
  void on(an::Context<Desk>& cx, const Visitor&) {
    const std::uint64_t ticket = cx.params().global ? ++tickets_of_all : ++tickets;
    const double form = ticket % 10 == 0 ? 2 : 0;  // every tenth visitor fills in a form
    cx.send(cx.id(cx.rng().below(cx.lp_count())), form + cx.rng().exponential(1), Visitor{ticket});
  }
  void finish(an::Results& r) const { r.count("tickets", static_cast<std::int64_t>(tickets)); }

  friend bool operator==(const Desk&, const Desk&) = default;
};

int main(int argc, char** argv) { return an::cli<Desk>(argc, argv); }
