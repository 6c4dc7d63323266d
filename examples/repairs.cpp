// Machines break down, workshops repair them. A whole model of two LP types that follows all rules of
// docs/a-right-model.md; examples/python/repairs.py is the same in Python, with the same digest.
#include <deque>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Machine;

struct Params {
  std::uint32_t machines = 1000, workshops = 20, crews = 2;
  double uptime = 100, repair = 3, transport = 0.5;
  static void describe(an::Describe<Params>& d) {
    d(&Params::machines, "Number of machines").at_least(1);
    d(&Params::workshops, "Number of workshops").at_least(1);
    d(&Params::crews, "Machines that a workshop repairs at a time").at_least(1);
    d(&Params::uptime, "Mean hours from a repair to the next failure").above(0);
    d(&Params::repair, "Mean hours of a repair").above(0);
    d(&Params::transport, "Hours of the way to a workshop, and back").above(0);
  }
};

struct Fail {};      // a machine to itself
struct Repaired {};  // a workshop to a machine
struct Broken {      // a machine to a workshop
  an::Id<Machine> machine;
};
struct Done {  // a workshop to itself
  an::Id<Machine> machine;
};

struct Machine {
  using Params = ::Params;
  static constexpr an::Time until = 1000;         // hours
  static constexpr bool encodable_events = true;  // so that it runs over several processes, too
  static std::uint32_t count(const Params& p) { return p.machines; }
  static double lookahead(const Params& p) { return p.transport; }
  static bool may_stop(const Params&) { return false; }

  an::Time failed_at = 0;
  std::uint32_t failures = 0;
  an::Tally down;
  bool operator==(const Machine&) const = default;  // for --check-rollback

  void start(an::Context<Machine>& cx) { run(cx); }
  void on(an::Context<Machine>& cx, const Fail&);
  void on(an::Context<Machine>& cx, const Repaired&) {
    down.add(cx, cx.now() - failed_at);
    run(cx);
  }
  void finish(an::Results& r) const {
    r.count("failures", failures);
    r.add("hours_down", down);
  }

 private:
  static void run(an::Context<Machine>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().uptime), Fail{});
  }
};

struct Workshop {
  using Params = ::Params;
  static constexpr bool encodable_events = true;
  static std::uint32_t count(const Params& p) { return p.workshops; }
  static double lookahead(const Params& p) { return p.transport; }
  static bool may_stop(const Params&) { return false; }

  std::uint32_t busy = 0;
  std::deque<an::Id<Machine>> line;
  an::TimeAverage length;
  bool operator==(const Workshop&) const = default;

  void on(an::Context<Workshop>& cx, const Broken& event) {
    if (busy < cx.params().crews) return repair(cx, event.machine);
    line.push_back(event.machine);
    length.change(cx, 1);
  }
  void on(an::Context<Workshop>& cx, const Done& event) {
    --busy;
    cx.send(event.machine, cx.params().transport, Repaired{});
    if (line.empty()) return;
    repair(cx, line.front());
    line.pop_front();
    length.change(cx, -1);
  }
  void finish(an::Results& r) const { r.add("line", length); }

 private:
  void repair(an::Context<Workshop>& cx, an::Id<Machine> machine) {
    ++busy;
    cx.send(cx.self(), cx.rng().exponential(cx.params().repair), Done{machine});
  }
};

void Machine::on(an::Context<Machine>& cx, const Fail&) {  // here, where Workshop is known
  ++failures;
  failed_at = cx.now();
  const auto workshop = cx.id<Workshop>(cx.self().index() % cx.params().workshops);
  cx.send(workshop, cx.params().transport, Broken{cx.self()});
}

int main(int argc, char** argv) { return an::cli<Machine, Workshop>(argc, argv); }
