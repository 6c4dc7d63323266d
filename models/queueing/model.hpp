// Networks of queues: an LP for each station, between which jobs go. Time is in any unit. See README.md.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/model/model.hpp>

#include "queueing/fifo.hpp"
#include "queueing/network.hpp"
#include "queueing/params.hpp"

namespace anachron::models::queueing {

/// A job at a station.
struct Job {
  Time entered = 0;  ///< the network
  Time arrived = 0;  ///< at the station
  Time since = 0;    ///< in the queue, or in service
  Time waited = 0;   ///< at the station, before `since`
  Time left = 0;     ///< of the service
  std::uint32_t job_class = 0;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(entered, arrived, since, waited, left, job_class);
  }
  friend bool operator==(const Job&, const Job&) = default;
};

/// To oneself: a job comes from outside.
struct Outside {
  std::uint32_t job_class = 0;
  friend bool operator==(const Outside&, const Outside&) = default;
};
/// From the station before.
struct Arrive {
  Time entered = 0;
  std::uint32_t job_class = 0;
  friend bool operator==(const Arrive&, const Arrive&) = default;
};
/// To oneself: a service has ended. Ahead of who comes at the same time, who else might find a place taken
/// that is free.
struct Depart {
  static constexpr Order order{.priority = -1};
  Job job;
  std::uint32_t to = 0;      ///< where it goes, `kOutside` when it leaves the network
  std::uint32_t server = 0;  ///< of a preemptive station
  friend bool operator==(const Depart&, const Depart&) = default;
};

/// To oneself: whom to serve is decided behind all arrivals of this instant.
struct Decide {
  static constexpr Order order{.priority = 1};
  friend bool operator==(const Decide&, const Decide&) = default;
};

struct Station {
  using Params = queueing::Params;
  using Shared = Network;
  static constexpr bool encodable_events = true;
  static constexpr Time until = 1000;

  /// What is known of a class.
  struct Observed {
    std::uint64_t arrived = 0, lost = 0;  ///< after the warm-up, like all of it
    std::uint64_t delayed = 0;            ///< of those that are served, those that had to wait
    Tally waiting, response;              ///< at the station, of those whose service has ended
    Tally sojourn;                        ///< in the network, of those who left it here
    friend bool operator==(const Observed&, const Observed&) = default;
  };
  /// One who is served at a preemptive station.
  struct Server {
    Job job;
    EventHandle ends;  ///< none: it is free
    friend bool operator==(const Server&, const Server&) = default;
  };

  /// How full it is, now and on average.
  struct Level {
    std::uint32_t busy = 0;     ///< servers
    std::uint32_t waiting = 0;  ///< jobs, in all queues
    bool decides = false;       ///< a `Decide` is on its way
    TimeAverage busy_servers, queue_length;
    friend bool operator==(const Level&, const Level&) = default;
  };

  std::vector<Fifo<Job>> queues;  ///< by rank of their priority
  std::vector<Server> servers;    ///< of a preemptive station
  Level level;
  std::vector<Observed> observed;  ///< by class

  static std::uint32_t count(const Params&, const Network& network) { return network.stations(); }
  static double load(const Params&, const Network& network, std::uint32_t index);
  static void neighbours(const Params&, const Network& network, std::uint32_t index, Neighbours& to);
  static bool may_stop(const Params&) { return false; }
  /// Where a job goes is known when its service begins, unless it may be preempted.
  static double lookahead(const Params& params, const Network& network) {
    return params.transfer + network.least_service();
  }

  void start(Context<Station>& cx, Logged<Station>& log);
  void on(Context<Station>& cx, Logged<Station>& log, const Outside& outside) const;
  void on(Context<Station>& cx, Logged<Station>& log, const Arrive& job) const;
  void on(Context<Station>& cx, Logged<Station>& log, const Depart& depart) const;
  void on(Context<Station>& cx, Logged<Station>& log, const Decide& decide) const;
  void finish(Results& results, const Finish<Station>& cx) const;
  void add_rows(Results& results, const Network& network, const Place& place) const;

  friend bool operator==(const Station&, const Station&) = default;

 private:
  static void await_outside(Context<Station>& cx, std::uint32_t job_class);
  /// `now` is the level, which is to be written.
  void arrive(Context<Station>& cx, Logged<Station>& log, Level& now, Time entered,
              std::uint32_t job_class) const;
  /// The server of a preemptive station that a job takes.
  std::uint32_t server_for(Context<Station>& cx, Logged<Station>& log, Level& now, std::uint32_t rank) const;
  void serve(Context<Station>& cx, Logged<Station>& log, Job job, std::uint32_t server) const;
  /// Serves the most important job that waits, if there is one.
  void serve_next(Context<Station>& cx, Logged<Station>& log, Level& now, std::uint32_t server) const;
  static void decide_later(Context<Station>& cx, Level& now);
  static void average(Context<Station>& cx, Level& now);
};

}  // namespace anachron::models::queueing
