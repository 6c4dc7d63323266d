#include "logic/output/vcd.hpp"

#include <algorithm>
#include <ostream>
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

std::string heading_of(std::uint64_t time) { return '#' + std::to_string(time) + '\n'; }

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
  head << "$upscope $end\n$enddefinitions $end\n" << heading_of(0) << "$dumpvars\n";
  for (const auto& [number, value] : initial) head << to_char(value) << code(number) << '\n';
  head << "$end\n";
  file_.begin_with(std::move(head).str(), heading_of(0));
}

void Vcd::write(std::uint64_t time, const std::vector<Change>& changes) const {
  std::ostream& out = file_.under(heading_of(time));
  for (const auto& [number, value] : changes) out << to_char(value) << code(number) << '\n';
}

void Vcd::end(std::uint64_t time) const {
  const std::uint64_t last = std::stoull(file_.heading().substr(1));
  file_.under(heading_of(std::max(time, last)));
}

}  // namespace anachron::models::logic
