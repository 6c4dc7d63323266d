#include <anachron/model/plots.hpp>

#include <algorithm>
#include <utility>

#include <anachron/base/error.hpp>

namespace anachron {

const std::string& name_of(const Plot& plot) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, plot);
}

const std::string& title_of(const Plot& plot) {
  return std::visit(
      [](const auto& one) -> const std::string& { return one.title.empty() ? one.name : one.title; }, plot);
}

void Plots::add(Plot plot) {
  const std::string& name = name_of(plot);
  if (name.empty()) throw InputError("a plot has no name");
  if (std::ranges::any_of(all_, [&name](const Plot& other) { return name_of(other) == name; }))
    throw InputError("plot '" + name + "' is declared twice");
  all_.push_back(std::move(plot));
}

}  // namespace anachron
