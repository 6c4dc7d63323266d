// From LP types to a program: makes the model that the command line runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <anachron/run/app.hpp>
#include <anachron/run/simulation.hpp>

namespace anachron {
namespace detail {

template <class... Lps>
class TypedModel : public AnyModel {
  static_assert(sizeof...(Lps) == 1 || ((CountsByParams<Lps> || CountsByShared<Lps>) && ...),
                "anachron: with several LP types, each needs `static std::uint64_t count(const Params&)`");

 public:
  TypedModel(std::string name, std::string summary) : name_(std::move(name)), summary_(std::move(summary)) {}

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
    simulation_.config = config;
    if constexpr (kNeedsCount) {
      validate(count_);
      (simulation_.template lps<Lps>(count_.lps), ...);
    }
    Report report = simulation_.run(progress, interrupted);
    report.model = name_;
    return report;
  }

 private:
  static constexpr bool kNeedsCount = !((CountsByParams<Lps> || CountsByShared<Lps>) || ...);

  struct Count {
    std::uint32_t lps = 1024;
    static void describe(Describe<Count>& d) { d(&Count::lps, "Number of LPs").at_least(1); }
  };

  template <class Lp>
  bool type_may_stop() {
    if constexpr (TellsWhetherItStops<Lp>)
      return Lp::may_stop(simulation_.template params<Lp>());
    else
      return false;
  }

  std::string name_, summary_;
  Simulation<Lps...> simulation_;
  Count count_;
};

}  // namespace detail

/// The model made of these LP types, as the command line sees it.
template <class... Lps>
std::unique_ptr<AnyModel> make_model(std::string name, std::string summary) {
  return std::make_unique<detail::TypedModel<Lps...>>(std::move(name), std::move(summary));
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
