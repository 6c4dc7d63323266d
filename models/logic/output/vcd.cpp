#include "logic/output/vcd.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace anachron::models::logic {

namespace {

/// A short name of printable characters, as the format wants.
std::string code(std::uint32_t number) {
  constexpr std::uint32_t kFirst = '!', kCount = '~' - '!' + 1;
  std::string result;
  do {
    result += static_cast<char>(kFirst + number % kCount);
    number /= kCount;
  } while (number > 0);
  return result;
}

/// Of the first so many bytes of a dump: the number in the last line that begins with '#'; 0: there is none.
std::uint64_t last_time(const std::string& path, std::uint64_t bytes) {
  std::ifstream file(path);
  std::string line, time = "0";
  for (std::uint64_t at = 0; at < bytes && std::getline(file, line); at += line.size() + 1)
    if (line.starts_with('#')) time = line.substr(1);
  return std::stoull(time);
}

}  // namespace

Vcd::Vcd(const std::string& path, const Netlist& netlist, Watch watch)
    : file_("--vcd", path), numbers_(netlist.nets(), kNone) {
  std::ostringstream head;
  head << "$comment Anachron, model logic $end\n$timescale " << netlist.timescale
       << " $end\n$scope module circuit $end\n";
  std::vector<Change> initial;
  const auto declare = [&](NetIndex net) {
    const NetIndex same = netlist.same(net);
    if (numbers_[same] == kNone) {
      numbers_[same] = static_cast<std::uint32_t>(initial.size());
      const bool is_driven = netlist.driver(same) != kNone || netlist.is_input(same);
      initial.push_back({numbers_[same], same == Netlist::kZero  ? Value::zero
                                         : same == Netlist::kOne ? Value::one
                                         : is_driven             ? Value::x
                                                                 : Value::z});
    }
    head << "$var wire 1 " << code(numbers_[same]) << ' ' << netlist.net_name(net) << " $end\n";
  };
  if (watch == Watch::all) {
    for (NetIndex net = Netlist::kOne + 1; net < netlist.nets(); ++net) declare(net);
  } else {
    std::vector<bool> is_declared(netlist.nets());
    for (const auto* ports : {&netlist.inputs(), &netlist.outputs()})
      for (const NetIndex net : *ports) {
        if (!is_declared[net]) declare(net);
        is_declared[net] = true;
      }
  }
  head << "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
  for (const auto& [number, value] : initial) head << to_char(value) << code(number) << '\n';
  head << "$end\n";
  head_ = std::move(head).str();
}

void Vcd::put_time(std::uint64_t time) const {
  if (!time_) time_ = begin();
  if (time == *time_) return;
  file_.stream() << '#' << time << '\n';
  time_ = time;
}

/// Returns the last time in the file.
std::uint64_t Vcd::begin() const {
  if (file_.kept() > 0) return last_time(file_.path(), file_.kept());
  file_.stream() << head_;
  return 0;
}

void Vcd::write(std::uint64_t time, const std::vector<Change>& changes) const {
  put_time(time);
  for (const auto& [number, value] : changes) file_.stream() << to_char(value) << code(number) << '\n';
}

void Vcd::end(std::uint64_t time) const {
  put_time(std::max(time, time_.value_or(0)));
  file_.flush();
}

}  // namespace anachron::models::logic
