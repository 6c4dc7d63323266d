#include "engine/monitor.hpp"

#include <chrono>

#include "pe/in_order.hpp"

namespace anachron::engine {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};

bool is_revocable(Activity activity) { return activity == Activity::handler || activity == Activity::undo; }

}  // namespace

/// While LPs are constructed nobody asks, as nothing could be done about it: not before as many PEs have
/// theirs as there are workers.
void Monitor::watch_start(sched::Team& team, const Callbacks& user) {
  while (!team.wait_for(kPeriod)) {
    if (control_.constructed() < *config_.workers) continue;
    if (user.interrupted && user.interrupted()) control_.interrupt();
    if (user.progress) user.progress(look());
  }
}

void Monitor::watch_run(sched::Team& team, const Callbacks& user) {
  for (bool is_over = false; !is_over;) {
    is_over = team.wait_for(kPeriod);
    // Asked also when it is over: who polls in a program of many short runs is to hear of each.
    if (user.interrupted && user.interrupted()) control_.interrupt();
    if (is_over) return;
    if (team.done() == 0) binding_.watch();  // one that is done needs no core
    if (recording_.is_wanted()) recording_.write("a signal", true);
    if (user.progress) user.progress(look());
  }
}

Progress Monitor::look() {
  Progress now = control_.look();
  now.until = config_.until;
  now.wall_s = gvt_manager_.elapsed();
  std::vector<event::Running> running;
  for (const auto& pe : pes_) running.push_back(pe->running());
  if (const auto found = watchdog_.look(running, observe::Watchdog::Clock::now())) {
    const event::EventOps& event = *found->what.event;
    now.long_event = {
        .lp = lps_.name(found->what.lp),
        .event = event.event_name,
        .time = found->what.time,
        .seconds = found->seconds,
        .speculative = pe::speculates(config_) && !event.irrevocable && is_revocable(found->what.activity),
        .activity = found->what.activity};
    recording_.write("an event that does not return");
  }
  return now;
}

}  // namespace anachron::engine
