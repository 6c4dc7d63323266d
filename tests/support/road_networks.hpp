// Road networks of the real world, where there are any, and what tests of all networks need.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "traffic/network.hpp"

namespace anachron::test {

/// Files of a network in the format TNTP.
struct RealNetworkFiles {
  std::string stem;     // of their paths: `_net.tntp` and the like come behind it
  std::string missing;  // why there are none; else nothing
};

/// `needed` is the end of the name of a file that has to be there.
inline RealNetworkFiles real_network(const std::string& folder, const std::string& stem,
                                     const std::string& needed = "_net.tntp") {
  const char* const data = std::getenv("ANACHRON_DATA");
  if (!data) return {{}, "no real road networks: the environment variable ANACHRON_DATA is not set"};
  const std::string path = std::string(data) + "/tntp/" + folder + "/" + stem;
  return {path, std::filesystem::exists(path + needed) ? "" : "no " + path + needed};
}

/// How long each link takes when it is empty.
inline std::vector<double> free_times(const models::traffic::Network& network) {
  std::vector<double> times;
  for (const models::traffic::RoadLink& link : network.links()) times.push_back(link.free_time);
  return times;
}

}  // namespace anachron::test
