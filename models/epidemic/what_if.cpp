#include "epidemic/what_if.hpp"

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::epidemic {
namespace {

constexpr const char* kForms =
    "  vaccinate NODE DAY     the person is immune from then on, if nobody has infected it before\n"
    "  isolate NODE DAY       it infects nobody from then on, and nobody infects it\n"
    "  close GROUP FROM TO    nobody is infected in that group (a logical process, by number) in these "
    "days\n";

Time day_of(const std::string& name, const std::string& text) {
  const auto day = parse_value<Time>(name, text);
  if (!(day >= 0)) throw bad_value(name, text, "a day from 0 on");
  return day;
}

void isolate(Node node, Time day, const World& world, Variant<Group>& to) {
  std::set<std::uint32_t> groups{world.group_of(node)};
  for (const Node other : world.graph().neighbours(node)) groups.insert(world.group_of(other));
  for (const std::uint32_t group : groups) to.schedule(Id<Group>(group), day, Isolate{node});
}

void close(const std::vector<std::string>& words, const World& world, Variant<Group>& to) {
  const auto group = parse_value<std::uint32_t>("GROUP", words[1]);
  if (group >= world.groups())
    throw bad_value("GROUP", words[1], "a group from 0 to " + std::to_string(world.groups() - 1));
  const Time from = day_of("FROM", words[2]), until = day_of("TO", words[3]);
  if (!(from < until)) throw bad_value("TO", words[3], "a day after FROM, " + words[2]);
  to.schedule(Id<Group>(group), from, Close{until});
}

void add_change(const std::string& change, const Simulation<Group>& simulation, Variant<Group>& to) {
  const World& world = simulation.shared<World>();
  std::istringstream in(change);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  const std::string& kind = words.front();
  const auto expect = [&](std::size_t count, const char* form) {
    if (words.size() != count) throw InputError(std::string("expected ") + form);
  };
  if (kind == "vaccinate") {
    expect(3, "vaccinate NODE DAY");
    const Node node = world.node_of("NODE", words[1]);
    to.schedule(Id<Group>(world.group_of(node)), day_of("DAY", words[2]), Vaccinate{node});
  } else if (kind == "isolate") {
    expect(3, "isolate NODE DAY");
    isolate(world.node_of("NODE", words[1]), day_of("DAY", words[2]), world, to);
  } else if (kind == "close") {
    expect(4, "close GROUP FROM TO");
    close(words, world, to);
  } else {
    throw InputError("unknown change '" + kind + "' (valid: vaccinate, isolate, close)");
  }
}

}  // namespace

ChangesOf<Group> changes() { return {kForms, add_change}; }

}  // namespace anachron::models::epidemic
