// The options of the queueing model.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::queueing {

/// Who is next at a station.
enum class Discipline : std::uint8_t {
  fcfs,        ///< who came first
  priority,    ///< the most important class; who is being served stays
  preemptive,  ///< the same, but who is less important than a newcomer goes back to the queue, and resumes
               ///< later
};

/// All but `network` and `transfer` describe a generated network, in which all stations are alike. Times are
/// in any unit.
struct Params {
  std::string network;
  double transfer = 0;
  std::uint32_t stations = 1024;
  std::uint32_t servers = 1;
  std::uint32_t capacity = 0;
  Discipline discipline = Discipline::fcfs;
  std::uint32_t classes = 1;
  double load = 0.8;
  double leave = 0.25;
  std::uint32_t fan_out = 4;
  std::string arrivals = "exponential";
  std::string service = "exponential";
  double service_mean = 1;
  std::uint32_t population = 0;

  static void describe(Describe<Params>& d) {
    d(&Params::network, "A network of stations, a CSV file; without it one is generated").hint("FILE.csv");
    d(&Params::transfer, "Time that a job takes from one station to another: the lookahead, or a part of it")
        .at_least(0)
        .at_most(1e9);
    d(&Params::stations, "Stations").at_least(1).at_most(10'000'000);
    d(&Params::servers, "Servers of each station").at_least(1).at_most(1'000'000);
    d(&Params::capacity, "Jobs that a station holds, those in service too; others are lost; 0: no limit");
    d(&Params::discipline, "Who is next")
        .choices({{"fcfs", Discipline::fcfs},
                  {"priority", Discipline::priority},
                  {"preemptive", Discipline::preemptive}});
    d(&Params::classes, "Classes of jobs, of falling priority").at_least(1).at_most(64);
    d(&Params::load, "Share of its time that a server is busy, if no job is lost").above(0).at_most(1000);
    d(&Params::leave, "Probability that a served job leaves; else it goes to one of the next stations")
        .above(0)
        .at_most(1);
    d(&Params::fan_out, "Next stations, of which one is chosen").at_least(1).at_most(10'000);
    d(&Params::arrivals, "Distribution of the time between two arrivals from outside").hint("NAME[:SHAPE]");
    d(&Params::service, "Distribution of the time of service").hint("NAME[:SHAPE]");
    d(&Params::service_mean, "Its mean").above(0).at_most(1e9);
    d(&Params::population, "Jobs of each class at each station of a closed network; 0: an open one")
        .at_most(1'000'000);
  }
};

}  // namespace anachron::models::queueing
