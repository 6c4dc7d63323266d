// A session: an epidemic on a ring of towns. When it has taken hold, several ways to act are tried from that
// day on, before one is taken.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Traveller {};  // an infected one arrives
struct Spread {};     // the town's infected infect, or recover
struct Close {};      // nobody leaves any more
struct Vaccinate {
  double share;  // of those who were not ill yet
};

struct Town {
  std::uint32_t healthy = 1000, ill = 0, ever_ill = 0;
  bool is_closed = false;

  void start(an::Context<Town>& cx) {
    for (int i = 0; cx.self().index() == 0 && i < 5; ++i) cx.send(cx.self(), 0, Traveller{});
  }
  void on(an::Context<Town>& cx, const Traveller&) {
    if (healthy > 0) infect_one(cx);
  }
  void on(an::Context<Town>& cx, const Spread&) {
    const double meets_healthy = healthy / 1000.0;
    if (cx.rng().bernoulli(0.7)) {
      if (cx.rng().bernoulli(meets_healthy)) infect_one(cx);
    } else {
      --ill;
    }
    if (!is_closed && cx.rng().bernoulli(0.02))
      cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), cx.rng().exponential(1), Traveller{});
    if (ill > 0) await_next(cx);
  }
  void on(an::Context<Town>&, const Close&) { is_closed = true; }
  void on(an::Context<Town>&, const Vaccinate& dose) {
    healthy -= static_cast<std::uint32_t>(healthy * dose.share);
  }
  void finish(an::Results& r) const { r.count("ever ill", ever_ill); }

 private:
  void infect_one(an::Context<Town>& cx) {
    --healthy;
    ++ever_ill;
    if (++ill == 1) await_next(cx);
  }
  void await_next(an::Context<Town>& cx) { cx.send(cx.self(), cx.rng().exponential(1.0 / ill), Spread{}); }
};

using Session = an::Session<Town>;

std::vector<std::uint32_t> ever_ill(const Session& session) {
  return session.gather<Town>([](const Town& town) { return town.ever_ill; });
}
int towns_hit(const Session& session) {
  const auto ill = ever_ill(session);
  return static_cast<int>(ill.size() - std::count(ill.begin(), ill.end(), 0u));
}

void wait_and_see(Session&) {}
void close_all(Session& session) {
  for (std::uint32_t k = 0; k < session.lp_count<Town>(); ++k)
    session.schedule(session.id<Town>(k), session.now() + 1, Close{});
}
void vaccinate_where_nobody_is_ill(Session& session) {
  const auto ill = ever_ill(session);
  for (std::uint32_t k = 0; k < ill.size(); ++k)
    if (ill[k] == 0) session.schedule(session.id<Town>(k), session.now() + 3, Vaccinate{0.8});
}

/// Over ranks the first one speaks for all.
template <class... Values>
void say(const Session& session, const char* text, Values... values) {
  if (session.rank() == 0) std::printf(text, values...);
}

void explore(Session session) {
  while (towns_hit(session) < 5 && session.now() < 365) session.run_until(session.now() + 1);
  say(session, "day %.0f: %d towns are hit\n", session.now(), towns_hit(session));

  const auto reports = session.branch({wait_and_see, close_all, vaccinate_where_nobody_is_ill}, 100);
  const char* const names[] = {"wait and see", "close", "vaccinate"};
  for (std::size_t way = 0; way < reports.size(); ++way)
    say(session, "%-19s  %5.0f ever ill\n", names[way], reports[way].results.value("ever ill"));

  const an::Mark today = session.mark();  // how long may they be open yet?
  for (int days : {2, 5, 10}) {
    session.run_until(session.now() + days);
    close_all(session);
    session.run_until(100);
    const double ill = session.report().results.value("ever ill");
    say(session, "close after %2d days  %5.0f ever ill\n", days, ill);
    session.rewind(today);
  }
  close_all(session);
  session.accept(today);
  session.run_until(100);
  say(session, "day %.0f: %d towns were hit\n", session.now(), towns_hit(session));
}

int main(int argc, char** argv) {
  an::Simulation<Town> simulation;
  simulation.lps<Town>(50);
  return an::cli(simulation, argc, argv, [&] { explore(simulation.open()); });
}
