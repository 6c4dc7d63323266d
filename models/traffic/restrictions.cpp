#include "traffic/restrictions.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/lines.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::traffic {
namespace {

NodeIndex node_of(const std::string& name, const std::string& word, const Network& network) {
  const auto id = parse_value<std::uint32_t>(name, word);
  for (NodeIndex node = 0; node < network.nodes(); ++node)
    if (network.id(node) == id) return node;
  throw InputError(name + ": the network has no node " + word);
}

LinkIndex link_of(NodeIndex from, NodeIndex to, const Network& network) {
  std::string ends;
  for (LinkIndex link = network.first_out(from); link < network.first_out(from + 1); ++link) {
    if (network.link(link).to == to) return link;
    ends += (ends.empty() ? "" : ", ") + std::to_string(network.id(network.link(link).to));
  }
  throw InputError("there is no road from node " + std::to_string(network.id(from)) + " to node " +
                   std::to_string(network.id(to)) + "; roads from there lead to " +
                   (ends.empty() ? "nowhere" : ends));
}

double at_least_zero(const std::string& name, const std::string& word) {
  const auto value = parse_value<double>(name, word);
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError(name + ": '" + word + "': expected a number from 0 on");
  return value;
}

bool comes_before(const Restriction& a, const Restriction& b) {
  return a.link != b.link ? a.link < b.link : a.begin < b.begin;
}

}  // namespace

Restriction parse_restriction(std::span<const std::string> words, const Network& network,
                              const std::string& factor) {
  if (words.size() != 5)
    throw InputError("expected FROM TO BEGIN END " + factor + ", found " + std::to_string(words.size()) +
                     " words");
  Restriction out;
  out.link = link_of(node_of("FROM", words[0], network), node_of("TO", words[1], network), network);
  out.begin = at_least_zero("BEGIN", words[2]);
  out.end = at_least_zero("END", words[3]);
  if (!(out.begin < out.end))
    throw InputError("END: '" + words[3] + "': expected a minute after BEGIN, " + words[2]);
  out.factor = at_least_zero(factor, words[4]);
  return out;
}

Restrictions::Restrictions(std::istream& in, const std::string& name, const Network& network) {
  LineReader lines(in);
  unsigned number = 0;
  while (const auto line = lines.next()) {
    ++number;
    std::istringstream row{std::string(line->substr(0, line->find('#')))};
    std::vector<std::string> words;
    for (std::string word; row >> word;) words.push_back(word);
    if (words.empty()) continue;
    try {
      all_.push_back(parse_restriction(words, network));
    } catch (const InputError& error) {
      throw InputError(name + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  std::stable_sort(all_.begin(), all_.end(), comes_before);
  for (std::size_t i = 1; i < all_.size(); ++i)
    if (all_[i].link == all_[i - 1].link && all_[i].begin < all_[i - 1].end) {
      const RoadLink& road = network.link(all_[i].link);
      throw InputError(name + ": two restrictions of the road from " + std::to_string(network.id(road.from)) +
                       " to " + std::to_string(network.id(road.to)) + " overlap, at minute " +
                       format_real(all_[i].begin));
    }
}

Restrictions Restrictions::read(const std::string& path, const Network& network) {
  std::ifstream in(path, std::ios::binary);
  in.peek();  // of a folder nothing can be read
  if (!in && !in.eof()) throw InputError(path + ": cannot be opened for reading");
  return {in, path, network};
}

std::span<const Restriction> Restrictions::of(LinkIndex link) const {
  const auto [begin, end] =
      std::equal_range(all_.begin(), all_.end(), Restriction{.link = link},
                       [](const Restriction& a, const Restriction& b) { return a.link < b.link; });
  return {begin, end};
}

}  // namespace anachron::models::traffic
