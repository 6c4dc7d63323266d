// Runs of circuits, and what their VCD files tell.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "logic/model.hpp"

namespace anachron::models::logic {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fs::path("logic_test_" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

inline std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The changes of each net in a VCD file: "TIME:VALUE ...".
inline std::map<std::string, std::string> changes(const std::string& path) {
  std::istringstream in(read(path));
  std::map<std::string, std::vector<std::string>> names;
  std::map<std::string, std::string> all, last;
  std::string time;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "$var") {
      std::string kind, width, id, name;
      words >> kind >> width >> id >> name;
      names[id].push_back(name);
    } else if (word.starts_with('#')) {
      time = word.substr(1);
    } else if (!word.empty() && !word.starts_with('$') && last[word.substr(1)] != word) {
      last[word.substr(1)] = word;
      for (const auto& name : names[word.substr(1)]) {
        std::string& of_net = all[name];
        of_net += (of_net.empty() ? "" : " ") + time + ':' + word[0];
      }
    }
  }
  return all;
}

struct Outcome {
  Report report;
  std::map<std::string, std::string> nets;
  std::string vcd;
};

inline Outcome run(const Folder& folder, Params params, Sync sync = Sync::sequential) {
  Simulation<Gates> simulation;
  params.vcd = folder.file("out.vcd");
  simulation.params<Params>() = params;
  simulation.config.sync = sync;
  if (sync != Sync::sequential) {
    simulation.config.workers = 2;
    simulation.config.pes = 3;
    simulation.config.mapping = Mapping::fixed;
  }
  Outcome result{simulation.run(), changes(params.vcd), read(params.vcd)};
  return result;
}

inline Outcome run(const Folder& folder, const std::string& circuit, const std::string& stimuli) {
  Params params;
  params.circuit = folder.write("c.v", circuit);
  params.stimuli = folder.write("s.txt", stimuli);
  return run(folder, params);
}

}  // namespace anachron::models::logic
