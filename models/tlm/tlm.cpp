#include "tlm/tlm.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>
#include <anachron/base/parse.hpp>

#include "tlm/model.hpp"

namespace anachron::models {
namespace tlm {

void Cell::neighbours(const Params&, const Mesh& mesh, std::uint32_t index, Neighbours& to) {
  const Place at = mesh.grid().place(index);
  if (!mesh.is_air(at)) return;
  double own = 1;  // the scattering
  for (unsigned port = 0; port < kPorts; ++port) {
    const Mesh::Beside beside = mesh.beside(at, static_cast<Port>(port));
    if (beside.cell == Mesh::kNone)
      own += beside.reflection != 0;
    else
      to.add(Id<Cell>(beside.cell));
  }
  to.add(Id<Cell>(index), own);
  mesh.for_each_receiver_in(index, [&to](std::uint32_t k) { to.add(Id<Receiver>(k)); });
}

namespace {

/// The field at a transmitter is far above all else.
constexpr double kCovered = 0.99;

/// In decibels above a volt. Empty for nothing.
Results::Cell level(double volts) {
  if (volts <= 0) return std::string();
  return 20 * std::log10(volts);
}

/// The figures in the order in which a reader wants them, whichever LP adds to them first.
void name_figures(Results& results, const Mesh& mesh) {
  results.max("step", mesh.step());
  for (const char* name : {"cells", "cells_reached", "scatterings"}) results.count(name, 0);
  for (const char* name : {"energy_transmitted", "energy_under_way", "energy_absorbed", "energy_left",
                           "energy_cut", "energy_missing"})
    results.add(name, 0);
  results.max("highest_field", 0);
}

}  // namespace

void Cell::finish(Results& results, const Finish<Cell>& cx) const {
  const Mesh& mesh = cx.shared();
  const std::uint32_t index = cx.self().index();
  const Place at = mesh.grid().place(index);
  if (index == 0) name_figures(results, mesh);
  if (!mesh.is_air(at)) return;
  // What it sent then has not arrived before the end.
  const bool is_latest = scatterings > 0 && scattered + mesh.step() >= cx.now();
  const double under_way = is_latest ? energy.sent : 0;
  results.count("cells");
  if (scatterings > 0) {
    results.count("cells_reached");
    results.count("scatterings", scatterings);
    results.add("energy_transmitted", energy.transmitted);
    results.add("energy_under_way", under_way);
    results.add("energy_absorbed", energy.absorbed);
    results.add("energy_left", energy.left);
    results.add("energy_cut", energy.cut);
    // Of each cell this is what went on to others and did not come from them. The sum of all is an error of
    // rounding, where the run was not interrupted in the middle of a step.
    results.add("energy_missing",
                energy.transmitted - energy.absorbed - energy.left - energy.cut - under_way);
    results.max("highest_field", highest);
  }
  const double metres = cx.params().cell, volts = is_latest ? field : 0;
  const auto centre = [metres](std::uint32_t cell) { return (cell + 0.5) * metres; };
  if (at.z == mesh.layer())
    results.row("field", {"x", "y", "volts", "highest", "level"},
                {centre(at.x), centre(at.y), volts, highest, level(highest)});
  if (at.y == mesh.row())
    results.row("section", {"x", "z", "volts", "highest", "level"},
                {centre(at.x), centre(at.z), volts, highest, level(highest)});
}

void Cell::plots(const Params& params, const Mesh& mesh, Plots& to) {
  const PlotAxis x{.column = "x", .unit = "m"}, y{.column = "y", .unit = "m"}, z{.column = "z", .unit = "m"};
  const PlotAxis now{.column = "volts", .label = "field at the end", .unit = "V"};
  const PlotAxis level{.column = "level", .label = "level of the highest field", .unit = "dBV"};
  const auto metres = [&params](std::uint32_t cell) {
    return format_value((cell + 0.5) * params.cell) + " m";
  };
  const std::string height = "at a height of " + metres(mesh.layer()), row = "at y = " + metres(mesh.row());
  constexpr auto kDiverging = FieldPlot::Colours::diverging;
  to.add(FieldPlot{"field", "Field at the end, " + height, "field", x, y, now, kDiverging, kCovered});
  to.add(FieldPlot{"section", "Field at the end, " + row, "section", x, z, now, kDiverging, kCovered});
  to.add(FieldPlot{.name = "level",
                   .title = "Level of the highest field, " + height,
                   .table = "field",
                   .x = x,
                   .y = y,
                   .value = level,
                   .covered = kCovered});
}

void Receiver::plots(const Params&, Plots& to) {
  to.add(LinePlot{.name = "signal",
                  .title = "Field at the receivers",
                  .table = "signal",
                  .x = {.column = "time", .unit = "ns"},
                  .y = {.column = "volts", .label = "field", .unit = "V"},
                  .by = "receiver"});
}

void Receiver::finish(Results& results, const Finish<Receiver>& cx) const {
  const Mesh& mesh = cx.shared();
  const Place at = mesh.grid().place(mesh.receivers()[cx.self().index()]);
  const auto centre = [metres = cx.params().cell](std::uint32_t cell) { return (cell + 0.5) * metres; };
  for (const Heard& heard : signal)
    results.row("signal", {"receiver", "x", "y", "z", "time", "volts"},
                {std::int64_t{cx.self().index()} + 1, centre(at.x), centre(at.y), centre(at.z),
                 heard.step * mesh.step(), heard.volts});
}

namespace {

class Model : public AnyModel {
 public:
  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }
  std::vector<Option> options() override { return options_of(params_); }
  std::optional<Time> default_until() const override { return Cell::until; }
  bool may_stop() override { return false; }
  std::unique_ptr<AnyModel> copy() override { return std::make_unique<Model>(*this); }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    if (params_.receive_at.empty()) return run_with<Cell>(config, progress, interrupted);
    return run_with<Cell, Receiver>(config, progress, interrupted);
  }

 private:
  template <class... Lps>
  Report run_with(const Config& config, const ProgressCallback& progress,
                  const std::function<bool()>& interrupted) {
    Simulation<Lps...> simulation;
    simulation.config = config;
    simulation.template params<Params>() = params_;
    Report report = simulation.run(progress, interrupted);
    report.model = name_;
    return report;
  }

  std::string name_ = "tlm";
  std::string summary_ = "electromagnetic waves over terrain, by the transmission line matrix method";
  Params params_;
};

}  // namespace
}  // namespace tlm

std::unique_ptr<AnyModel> make_tlm() { return std::make_unique<tlm::Model>(); }

}  // namespace anachron::models
