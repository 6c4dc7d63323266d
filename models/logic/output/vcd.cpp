#include "logic/output/vcd.hpp"

#include <stdexcept>

#include <anachron/base/error.hpp>

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

}  // namespace

Vcd::Vcd(const std::string& path, const Netlist& netlist, Watch watch)
    : path_(path), file_(path), numbers_(netlist.nets(), kNone) {
  if (!file_) throw InputError("--vcd: cannot write '" + path + "'");
  file_ << "$comment Anachron, model logic $end\n$timescale " << netlist.timescale
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
    file_ << "$var wire 1 " << code(numbers_[same]) << ' ' << netlist.net_name(net) << " $end\n";
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
  file_ << "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
  for (const auto& [number, value] : initial) file_ << to_char(value) << code(number) << '\n';
  file_ << "$end\n";
}

void Vcd::put_time(std::uint64_t time) const {
  if (time == time_) return;
  file_ << '#' << time << '\n';
  time_ = time;
}

void Vcd::write(std::uint64_t time, const std::vector<Change>& changes) const {
  put_time(time);
  for (const auto& [number, value] : changes) file_ << to_char(value) << code(number) << '\n';
}

void Vcd::end(std::uint64_t time) const {
  if (time > time_) put_time(time);
  if (!file_.flush()) throw std::runtime_error("--vcd: cannot write '" + path_ + "'");
}

}  // namespace anachron::models::logic
