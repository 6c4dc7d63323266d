#include "logic/input/stimuli.hpp"

#include <charconv>
#include <numeric>

#include <anachron/model/rng.hpp>

#include "logic/input/text.hpp"

namespace anachron::models::logic {

namespace {
constexpr std::uint64_t kLatest = std::uint64_t{1} << 50;
constexpr std::uint32_t kMostVectors = 1'000'000'000;
}  // namespace

Stimuli::Stimuli(const Params& params, const Netlist& netlist)
    : seed_(params.stimulus_seed),
      period_(params.period),
      vectors_(params.vectors),
      kinds_(netlist.inputs().size(), params.stimuli.empty() ? Kind::random : Kind::none) {
  if (vectors_ > kMostVectors)
    throw InputError("--vectors: '" + std::to_string(vectors_) + "' is not valid: expected at most " +
                     std::to_string(kMostVectors));
  std::vector<std::uint32_t> input_of(netlist.nets(), kNone);
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) input_of[netlist.inputs()[i]] = i;
  for (const Gate& gate : netlist.gates()) {
    if (!is_flip_flop(gate.op)) continue;
    const std::uint32_t clock = input_of[netlist.input(gate, 0)];
    if (clock != kNone) kinds_[clock] = Kind::clock;
  }
  if (!params.stimuli.empty()) read(params.stimuli, netlist);
  for (const Kind kind : kinds_) {
    has_clocks_ |= kind == Kind::clock;
    if (kind == Kind::clock || kind == Kind::random) step_ = std::gcd(step_, std::uint64_t{period_});
  }
  if (has_clocks_) step_ = std::gcd(step_, std::uint64_t{period_ / 2});
}

Value Stimuli::value(std::uint32_t input, std::uint32_t half) const {
  if (kinds_[input] == Kind::clock) return half % 2 ? Value::one : Value::zero;
  std::uint64_t draws = half / 2;
  Rng rng(seed_, input, draws, RngStream::shared);
  return rng.bits() >> 63 ? Value::one : Value::zero;
}

void Stimuli::read(const std::string& path, const Netlist& netlist) {
  std::vector<std::uint32_t> input_of(netlist.nets(), kNone);
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) input_of[netlist.inputs()[i]] = i;
  const std::string text = read_file(path);
  Lines lines(text);
  std::uint64_t last = 0;
  std::vector<std::uint64_t> last_of(kinds_.size(), kLatest + 1);
  for (auto line = lines.next(); !line.empty(); line = lines.next()) {
    const Place at{path, lines.number()};
    std::uint64_t time = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), time);
    if (error != std::errc{} || (end != line.data() + line.size() && !is_blank(*end)) || time > kLatest)
      at.fail_expected("TIME INPUT=VALUE..., with whole ticks up to 2^50", line);
    if (time < last)
      at.fail("expected a time of at least " + std::to_string(last) + ", as before, found " +
              std::to_string(time));
    last = time;
    step_ = std::gcd(step_, time);
    std::string_view rest = trimmed(line.substr(static_cast<std::size_t>(end - line.data())));
    while (!rest.empty()) {
      std::size_t length = 0;
      while (length < rest.size() && !is_blank(rest[length])) ++length;
      const std::string_view word = rest.substr(0, length);
      rest = trimmed(rest.substr(length));
      const auto equals = word.rfind('=');
      if (equals == std::string_view::npos || equals + 2 != word.size())
        at.fail_expected("INPUT=VALUE, with a value of 0, 1, x or z", word);
      const auto value = value_of(word.back());
      if (!value) at.fail_expected("INPUT=VALUE, with a value of 0, 1, x or z", word);
      const NetIndex net = netlist.find(word.substr(0, equals));
      const std::uint32_t input = net == kNone ? kNone : input_of[net];
      if (input == kNone) at.fail_expected("an input of the circuit", word.substr(0, equals));
      if (last_of[input] == time)
        at.fail("expected one value of an input at a time, found a second one of " +
                in_quotes(word.substr(0, equals)));
      last_of[input] = time;
      kinds_[input] = Kind::file;
      changes_.push_back({time, input, *value});
    }
  }
}

}  // namespace anachron::models::logic
