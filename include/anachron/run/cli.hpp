// From LP types to a program: makes the model that the command line runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <anachron/run/app.hpp>
#include <anachron/run/simulation.hpp>

namespace anachron {

/// What can be changed of a run of these LP types: for `anachron what-if`.
template <class... Lps>
struct ChangesOf {
  std::string forms;  ///< How changes are written, one form in a line; empty: there are none.
  /// Adds a change to a variant. `simulation` has the parameters, and the shared data of its types. Throws
  /// InputError that names what is wrong with the change, and what is valid.
  std::function<void(const std::string& change, const Simulation<Lps...>& simulation, Variant<Lps...>& to)>
      add;
};

namespace detail {

/// Throws std::logic_error if they have other digests, events or results.
void check_variant(const std::string& name, const Report& variant, const Report& full_run);
/// Its changes are errors of this variant.
[[noreturn]] void fail_in_variant(const std::string& variant, const std::string& what);

template <class... Lps>
class TypedModel : public AnyModel {
  static_assert(sizeof...(Lps) == 1 || ((CountsByParams<Lps> || CountsByShared<Lps>) && ...),
                "anachron: with several LP types, each needs `static std::uint64_t count(const Params&)`");

 public:
  TypedModel(std::string name, std::string summary, ChangesOf<Lps...> changes = {})
      : name_(std::move(name)), summary_(std::move(summary)), changes_(std::move(changes)) {}

  const std::string& name() const override { return name_; }
  const std::string& summary() const override { return summary_; }

  std::vector<Option> options() override {
    std::vector<Option> all;
    if constexpr (kNeedsCount) all = options_of(count_);
    for (auto& option : simulation_.options()) all.push_back(std::move(option));
    return all;
  }

  std::optional<Time> default_until() const override {
    const Time until = simulation_.config.until;
    return until == kForever ? std::nullopt : std::optional(until);
  }

  bool may_stop() override { return (type_may_stop<Lps>() || ...); }

  std::unique_ptr<AnyModel> copy() override {
    auto out = std::make_unique<TypedModel>(*this);
    out->simulation_ = simulation_.replica();
    return out;
  }

  Report run(const Config& config, const ProgressCallback& progress,
             const std::function<bool()>& interrupted) override {
    prepare(config);
    Report report = simulation_.run(progress, interrupted);
    report.model = name_;
    return report;
  }

  std::string change_forms() const override { return changes_.forms; }

  WhatIfReport what_if(const Config& config, const std::vector<NamedVariant>& variants, unsigned side_by_side,
                       bool checked, const ProgressCallback& progress,
                       const std::function<bool()>& interrupted) override {
    if (!changes_.add)
      return AnyModel::what_if(config, variants, side_by_side, checked, progress, interrupted);
    prepare(config);
    const Simulation<Lps...> simulation = simulation_.replica();
    std::vector<Variant<Lps...>> all;
    Begun begun;
    for (const NamedVariant& variant : variants) all.push_back(parsed(variant, simulation, begun));
    auto session = simulation.open();
    session.keep_history();
    session.run_until(config.until, progress, interrupted);
    WhatIfReport report{session.report(), {}};
    report.run.model = name_;
    if (report.run.ending == Ending::interrupted) return report;
    const auto results = session.run(all, side_by_side);
    for (std::size_t i = 0; i < all.size(); ++i) {
      report.variants.push_back({variants[i], results[i], 0});
      if (!checked) continue;
      auto full = simulation.open();
      full.apply(all[i]);
      full.run_until(config.until, progress, interrupted);
      const Report of_full = full.report();
      if (of_full.ending == Ending::interrupted) break;
      check_variant(variants[i].name, results[i].report, of_full);
      report.variants.back().full_run_s = of_full.wall_s;
    }
    return report;
  }

 private:
  static constexpr bool kNeedsCount = !((CountsByParams<Lps> || CountsByShared<Lps>) || ...);

  struct Count {
    std::uint32_t lps = 1024;
    static void describe(Describe<Count>& d) { d(&Count::lps, "Number of LPs").at_least(1); }
  };

  void prepare(const Config& config) {
    simulation_.config = config;
    if constexpr (kNeedsCount) {
      validate(count_);
      (simulation_.template lps<Lps>(count_.lps), ...);
    }
  }

  /// By their first changes. Variants that begin alike share them.
  using Begun = std::map<std::vector<std::string>, Variant<Lps...>>;

  Variant<Lps...> parsed(const NamedVariant& variant, const Simulation<Lps...>& simulation,
                         Begun& begun) const {
    Variant<Lps...> out;
    std::vector<std::string> changes;
    for (const std::string& change : variant.changes) try {
        changes.push_back(change);
        const auto [known, is_new] = begun.try_emplace(changes, out);
        if (is_new) changes_.add(change, simulation, known->second);
        out = known->second;
      } catch (const InputError& error) {
        fail_in_variant(variant.name, error.what());
      }
    return out;
  }

  template <class Lp>
  bool type_may_stop() {
    if constexpr (TellsWhetherItStops<Lp>)
      return Lp::may_stop(simulation_.template params<Lp>());
    else
      return false;
  }

  std::string name_, summary_;
  ChangesOf<Lps...> changes_;
  Simulation<Lps...> simulation_;
  Count count_;
};

}  // namespace detail

/// The model made of these LP types, as the command line sees it.
template <class... Lps>
std::unique_ptr<AnyModel> make_model(std::string name, std::string summary, ChangesOf<Lps...> changes = {}) {
  return std::make_unique<detail::TypedModel<Lps...>>(std::move(name), std::move(summary),
                                                      std::move(changes));
}

/// A whole program: options, modes, report. Returns the exit status (see `run_program`).
///
///     int main(int argc, char** argv) { return an::cli<Hub, Office>(argc, argv); }
template <class... Lps>
int cli(int argc, char** argv) {
  using First = std::tuple_element_t<0, std::tuple<Lps...>>;
  detail::TypedModel<Lps...> model(std::string(detail::short_name<First>()), "");
  return run_program(model, argc, argv);
}

/// The same for a program that runs `simulation` itself, in `body`, once or in steps: options set its
/// `config` and its parameters, and `body` prints. Returns the exit status (see `run_program`).
template <class... Lps>
int cli(Simulation<Lps...>& simulation, int argc, char** argv, const std::function<void()>& body) {
  return run_program(simulation.config, simulation.options(), argc, argv, body);
}

}  // namespace anachron
