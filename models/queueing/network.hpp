// A network of queues: stations with servers, classes of jobs, where jobs come from and where they go. What
// all stations share.
#pragma once

#include <cstdint>
#include <istream>
#include <limits>
#include <string>
#include <vector>

#include "common/delay.hpp"
#include "queueing/params.hpp"

namespace anachron::models::queueing {

/// Of `Station::servers` and `Station::places`.
inline constexpr std::uint32_t kNoLimit = std::numeric_limits<std::uint32_t>::max();

struct Class {
  std::string name;
  std::uint32_t priority = 0;  ///< the lowest number is the most important
};

struct Place {
  std::string name;
  std::uint32_t servers = 1;
  std::uint32_t capacity = kNoLimit;  ///< jobs, those in service too
  Discipline discipline = Discipline::fcfs;
};

/// What a class does at a station.
struct Flow {
  struct Route {
    std::uint32_t to = 0;
    double until = 0;  ///< sum of the probabilities up to and with this one
  };
  Delay arrivals, service;
  bool has_arrivals = false, has_service = false;
  std::uint32_t population = 0;  ///< jobs at time 0, which never leave the network
  std::vector<Route> routes;     ///< who takes none of them leaves
};

class Network {
 public:
  /// Of the file that the parameters name, or generated. Throws InputError that names file and line, or the
  /// option.
  explicit Network(const Params& params);
  /// Reads the format of README.md. `name` is for messages.
  Network(std::istream& in, const std::string& name);

  std::uint32_t stations() const { return static_cast<std::uint32_t>(places_.size()); }
  std::uint32_t classes() const { return static_cast<std::uint32_t>(classes_.size()); }
  const Place& place(std::uint32_t station) const { return places_[station]; }
  const Class& job_class(std::uint32_t number) const { return classes_[number]; }
  const Flow& flow(std::uint32_t station, std::uint32_t number) const {
    return flows_[std::size_t{station} * classes_.size() + number];
  }
  /// Queues of a station: one for each priority that a class has, if its discipline minds priorities.
  std::uint32_t queues(std::uint32_t station) const {
    return places_[station].discipline == Discipline::fcfs ? 1 : ranks_;
  }
  /// In which of them a class waits.
  std::uint32_t queue(std::uint32_t station, std::uint32_t number) const {
    return places_[station].discipline == Discipline::fcfs ? 0 : rank_[number];
  }
  /// Stations have names of their own: the network is from a file.
  bool is_named() const { return is_named_; }

  /// Jobs per unit of time at a station if none is lost; of a closed class in proportion to this.
  double rate(std::uint32_t station, std::uint32_t number) const {
    return rates_[std::size_t{station} * classes_.size() + number];
  }
  /// The least time from the beginning of a service to when the job comes to another station, without
  /// `--transfer`; kForever: nothing goes to another station.
  double least_service() const { return least_service_; }

 private:
  friend class Reader;

  void generate(const Params& params);
  /// What follows from the rest.
  void complete();
  void find_rates();

  std::vector<Place> places_;
  std::vector<Class> classes_;
  std::vector<Flow> flows_;  // by station, then class
  std::vector<std::uint32_t> rank_;
  std::vector<double> rates_;
  std::uint32_t ranks_ = 1;
  double least_service_ = 0;
  bool is_named_ = false;
};

}  // namespace anachron::models::queueing
