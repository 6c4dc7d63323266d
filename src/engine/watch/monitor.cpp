#include "engine/watch/monitor.hpp"

#include "engine/seams.hpp"
#include "pe/in_order.hpp"

namespace anachron::engine {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};

bool is_revocable(Activity activity) { return activity == Activity::handler || activity == Activity::undo; }

}  // namespace

/// While LPs are constructed nobody asks, as nothing could be done about it: not before as many PEs have
/// theirs as there are workers.
void Monitor::watch_start(sched::Team& team, const Callbacks& user) {
  while (!team.wait_for(period())) {
    if (of_.control.constructed() < *of_.config.workers) continue;
    ask(user);
    if (user.progress) user.progress(look());
  }
}

void Monitor::watch_run(sched::Team& team, const Callbacks& user) {
  for (bool is_over = false; !is_over;) {
    const bool was_paused = of_.control.is_paused();
    is_over = team.wait_for(period());
    ask(user);  // also when it is over: who polls in a program of many short runs is to hear of each
    if (is_over) return;
    if (of_.recording.is_wanted()) of_.recording.write("a signal", true);
    if (was_paused)
      of_.binding.skip_watch();
    else if (team.done() == 0)  // one that is done needs no core
      of_.binding.watch();
    if (user.progress) user.progress(look());
  }
}

/// Whether the run is to end, to pause, or to go on.
void Monitor::ask(const Callbacks& user) {
  if (user.interrupted && user.interrupted()) return of_.control.interrupt();
  if (!of_.config.paused) return;
  if (of_.config.paused())
    of_.control.pause().begin();
  else
    of_.control.pause().end();
}

std::chrono::milliseconds Monitor::period() const {
  return of_.config.seams ? of_.config.seams->monitor_period.value_or(kPeriod) : kPeriod;
}

Progress Monitor::look() {
  Progress now = of_.control.look();
  now.until = of_.config.until;
  now.wall_s = of_.gvt_manager.elapsed();
  now.memory = of_.budget.taken();
  std::vector<event::Running> running;
  std::vector<StallWatch::Pe> pes;
  for (const auto& pe : of_.pes) {
    running.push_back(pe->running());
    now.pes.push_back(running.back().time);
    pes.push_back({pe->id(), running.back()});
  }
  if (const auto found = watchdog_.look(running, observe::Watchdog::Clock::now())) {
    const event::EventOps& event = *found->what.event;
    now.long_event = {
        .lp = of_.lps.name(found->what.lp),
        .event = event.event_name,
        .time = found->what.time,
        .seconds = found->seconds,
        .speculative = pe::speculates(of_.config) && !event.irrevocable && is_revocable(found->what.activity),
        .activity = found->what.activity,
        .pe = pes[found->pe].id};
    of_.recording.write("an event that does not return");
  }
  now.stall = stalls_.look(now, pes);
  return now;
}

}  // namespace anachron::engine
