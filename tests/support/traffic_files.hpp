// Small road networks, written to files for the traffic model.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "traffic/params.hpp"

namespace anachron::test {

/// Writes a network and a trip table to a folder of its own; removes it in the end.
class WrittenFiles {
 public:
  WrittenFiles(const std::string& network, const std::string& trips) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / (std::string("anachron_") + test->test_suite_name() + "_" +
                                                  test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "net") << network;
    std::ofstream(folder_ / "trips") << trips;
  }
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;
  ~WrittenFiles() { std::filesystem::remove_all(folder_); }

  models::traffic::Params params() const {
    models::traffic::Params params;
    params.network = (folder_ / "net").string();
    params.trips = (folder_ / "trips").string();
    return params;
  }

  /// Writes another file to the folder; its path.
  std::string add(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_;
};

/// Two zones with a road each way: 10 units of time, capacity 8 vehicles/h.
inline const std::string kTwoZones =
    "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 2\n<FIRST THRU NODE> 1\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n"
    "1 2 8 3 10 0.15 4 ;\n"
    "2 1 8 3 10 0 0 ;\n";

/// Four zones in a ring of one-way roads, on which all drive to the zone before their own, `trips` from each.
inline const std::string kRing =
    "<NUMBER OF ZONES> 4\n<NUMBER OF NODES> 4\n<FIRST THRU NODE> 1\n<NUMBER OF LINKS> 4\n<END OF METADATA>\n"
    "1 2 600 0.1 1 0 0 ;\n"
    "2 3 600 0.1 1 0 0 ;\n"
    "3 4 600 0.1 1 0 0 ;\n"
    "4 1 600 0.1 1 0 0 ;\n";
inline std::string trips_around(unsigned trips) {
  std::string table = "<NUMBER OF ZONES> 4\n<END OF METADATA>\n";
  for (const auto& [from, to] : {std::pair("1", "4"), {"2", "1"}, {"3", "2"}, {"4", "3"}})
    table += std::string("Origin ") + from + "\n" + to + " : " + std::to_string(trips) + ";\n";
  return table;
}

inline std::string trips_between(double from_1_to_2, double within_1, double from_2_to_1) {
  return "<NUMBER OF ZONES> 2\n<END OF METADATA>\nOrigin 1\n1 : " + std::to_string(within_1) +
         "; 2 : " + std::to_string(from_1_to_2) + ";\nOrigin 2\n1 : " + std::to_string(from_2_to_1) + ";\n";
}

}  // namespace anachron::test
