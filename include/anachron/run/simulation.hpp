// A simulation of LP types, set up and run from C++.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/multicast_ops.hpp>
#include <anachron/model/params.hpp>
#include <anachron/model/plots.hpp>
#include <anachron/run/any_model.hpp>
#include <anachron/run/config.hpp>
#include <anachron/run/replications.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/session.hpp>

namespace anachron {

class FinishedRun;

namespace detail {

/// What the templates below cannot know: in src/run/simulation.cpp.
std::pair<Report, std::shared_ptr<const FinishedRun>> run_kernel(std::vector<event::LpTypeEntry> types,
                                                                 const Config& config,
                                                                 const ProgressCallback& progress,
                                                                 const std::function<bool()>& interrupted);
const void* final_state(const FinishedRun* run, std::size_t type, std::uint32_t index);
/// Whether this process has it: over ranks only that of the LP has.
bool has_final_state(const FinishedRun& run, std::size_t type, std::uint32_t index);
/// Throws InputError unless 1 <= count and the LPs of all types fit in an LpId.
void check_lp_count(std::string_view type, std::uint64_t count, std::uint64_t so_far);
[[noreturn]] void fail_without_count(std::string_view type);

template <class List, class... Ts>
struct Unique {
  using type = List;
};
template <class... Seen, class T, class... Ts>
struct Unique<std::tuple<Seen...>, T, Ts...>
    : Unique<std::conditional_t<(std::is_same_v<Seen, T> || ...) || std::is_void_v<T>, std::tuple<Seen...>,
                                std::tuple<Seen..., T>>,
             Ts...> {};
/// A tuple of the distinct types, without void.
template <class... Ts>
using UniqueTuple = typename Unique<std::tuple<>, Ts...>::type;

template <class Tuple>
struct SharedPointers;
template <class... Ts>
struct SharedPointers<std::tuple<Ts...>> {
  using type = std::tuple<std::shared_ptr<const Ts>...>;
};

}  // namespace detail

/// LPs of the given types. Set `config`, the parameters and, for types without a `count`, the number of LPs,
/// then `run`, as often as you like: each run starts afresh.
///
///     an::Simulation<Counter> simulation;
///     simulation.lps<Counter>(200);
///     simulation.params<Counter>().load = 0.5;
///     simulation.config.until = 5000;
///     const an::Report report = simulation.run();
template <class... Lps>
class Simulation {
  static_assert(sizeof...(Lps) > 0, "anachron: a simulation has at least one LP type");
  static_assert(std::tuple_size_v<detail::UniqueTuple<Lps...>> == sizeof...(Lps),
                "anachron: an LP type is listed twice");
  static_assert(std::tuple_size_v<detail::UniqueTuple<Lps...>> < sizeof...(Lps) ||
                    !detail::share_a_name<Lps...>(),
                "anachron: two LP types have the same name, so the digest could not tell them apart");

 public:
  /// The engine's options. `until` is what the first LP type with such a member says.
  Config config = default_config();

  /// The parameters of an LP type, or of a Params type, to read or to set before `run`.
  template <class T>
  auto& params() {
    if constexpr ((std::is_same_v<T, Lps> || ...)) {
      return std::get<ParamsOf<T>>(params_);
    } else {
      static_assert(
          (std::is_same_v<T, ParamsOf<Lps>> || ...),
          "anachron: the simulation has neither LPs of this type nor LPs with these parameters: list the LP "
          "type in `Simulation<..>`");
      return std::get<T>(params_);
    }
  }

  /// The parameters as options of a command line, each Params type once. They refer to the simulation.
  std::vector<Option> options() {
    std::vector<Option> all;
    const auto add = [&all](auto& params) {
      for (auto& option : options_of(params)) all.push_back(std::move(option));
    };
    std::apply([&add](auto&... params) { (add(params), ...); }, params_);
    return all;
  }

  /// Sets the number of LPs of a type, for types that do not tell it by `count`.
  template <class Lp>
  void lps(std::uint64_t count) {
    counts_[kIndex<Lp>] = count;
  }

  /// Gives the read-only data of type S that `run` would otherwise make from the parameters.
  template <class S>
  void shared(std::shared_ptr<const S> data) {
    std::get<std::shared_ptr<const S>>(given_) = std::move(data);
  }

  /// The read-only data of type S that was given, or that a replica was made with. Throws std::logic_error
  /// when there is none.
  template <class S>
  const S& shared() const {
    const auto& data = std::get<std::shared_ptr<const S>>(given_);
    if (!data) throw std::logic_error("anachron: the simulation was given no shared data of this type");
    return *data;
  }

  /// Runs from time 0 to the end. `progress` is called about 5 times a second from the LPs' `start` to the
  /// end of the event loop. `interrupted` is polled as often, to the end of the LPs' `finish`, and at least
  /// once. When it returns true the run ends at the next GVT. LPs that have not started do not start any
  /// more, and then there are no results; `finish` ends when it has taken a second. Neither can end what does
  /// not return, a handler or another call of the model: `Progress::long_event` names it. Throws InputError
  /// (parameters, options), SimulationError (a committed event failed), FinishError (a `finish` failed).
  Report run(const ProgressCallback& progress = {}, const std::function<bool()>& interrupted = {}) {
    validate_params();
    finished_.reset();
    make_shared_data(params_, used_);
    try {
      auto [report, finished] = detail::run_kernel(types_of(params_, used_), config, progress, interrupted);
      finished_ = std::move(finished);
      report.plots = declared_plots();
      return std::move(report);
    } catch (const FinishError& error) {
      Report report = error.report();
      report.plots = declared_plots();
      throw FinishError(error, std::move(report));
    }
  }

  /// Runs `n` times from time 0, with the seeds `config.seed`, `config.seed` + 1 and so on, each as `run`
  /// would. When `config` has neither workers nor PEs, replications share the cores: they run sequentially
  /// side by side, or with fewer workers. Otherwise as many run side by side as there are cores for. Memory
  /// is shared out, too; the data that LPs share is made once. `progress` is told how many have ended, about
  /// 5 times a second; when `interrupted` returns true all end. Throws as `run`; of several replications that
  /// fail, the first is named. Actions for commit run in several replications at the same time. Over ranks
  /// each replication is a run over all of them, one after the other.
  Replications replicate(unsigned n, const detail::ReplicationProgress& progress = {},
                         const std::function<bool()>& interrupted = {}) const {
    return replicate_as(n, detail::plan_replications(n, config, n), progress, interrupted);
  }

  /// The same until the means are precise, with at least `Precision::kFirst` replications and at most `most`.
  /// The precision is judged after each in the order of seeds. Later ones that have been begun do not count,
  /// so there are as many on any number of cores. `Replications::imprecise` has the means that missed it.
  Replications replicate_until(const Precision& precision, unsigned most,
                               const detail::ReplicationProgress& progress = {},
                               const std::function<bool()>& interrupted = {}) const {
    detail::check_precision(precision, most);
    auto plan = detail::plan_replications(most, config, most);
    plan.precision = precision;
    return replicate_as(most, plan, progress, interrupted);
  }

  /// One with the same parameters and the same shared data, which is made now: for a run at the same time.
  /// Throws InputError as `run`.
  Simulation replica() const {
    Simulation out(*this);
    out.finished_.reset();
    validate_params();
    make_shared_data(params_, out.given_);
    return out;
  }

  /// A run in steps, with copies of the parameters: the LPs are made and their `start` has run. Throws as
  /// `run`. `config.until` is not used.
  Session<Lps...> open() const {
    struct Data {
      ParamsTuple params;
      SharedTuple shared;
    };
    validate_params();
    const auto data = std::make_shared<Data>(Data{params_, {}});
    make_shared_data(data->params, data->shared);
    auto types = types_of(data->params, data->shared);
    return Session<Lps...>(data, std::move(types), config);
  }

  /// An LP as the last run left it. Throws std::out_of_range when it was on another rank. Precondition: there
  /// was a run, and `index` is below the number of LPs of the type (std::out_of_range otherwise).
  template <class Lp>
  const Lp& lp(std::uint32_t index) const {
    return *static_cast<const Lp*>(detail::final_state(finished_.get(), kIndex<Lp>, index));
  }
  /// Whether `lp` gives this one: there was a run, and it was on this rank. Precondition: `index` is below
  /// the number of LPs of the type.
  template <class Lp>
  bool is_here(std::uint32_t index) const {
    return finished_ && detail::has_final_state(*finished_, kIndex<Lp>, index);
  }

 private:
  Replications replicate_as(unsigned n, const detail::ReplicationPlan& plan,
                            const detail::ReplicationProgress& progress,
                            const std::function<bool()>& interrupted) const {
    const Simulation first = replica();
    std::vector<detail::ReplicationRun> runs;
    for (unsigned lane = 0; lane < plan.side_by_side; ++lane)
      runs.push_back([own = first](const Config& with, const std::function<bool()>& ends) mutable {
        own.config = with;
        return own.run({}, ends);
      });
    return detail::run_replications(n, plan, std::move(runs), progress, interrupted);
  }

  template <class Lp>
  static constexpr std::size_t kIndex = [] {
    constexpr std::size_t index = detail::kIndexOf<Lp, Lps...>;
    static_assert(index < sizeof...(Lps),
                  "anachron: the simulation has no LPs of this type: list it in `Simulation<..>`");
    return index;
  }();

  static Config default_config() {
    Config config;
    [[maybe_unused]] bool found = false;
    (([&] {
       if constexpr (HasUntil<Lps>)
         if (!std::exchange(found, true)) config.until = Lps::until;
     }()),
     ...);
    return config;
  }

  using ParamsTuple = detail::UniqueTuple<ParamsOf<Lps>...>;
  using SharedTuple = typename detail::SharedPointers<detail::UniqueTuple<SharedOf<Lps>...>>::type;

  void validate_params() const {
    std::apply([](const auto&... params) { (validate(params), ...); }, params_);
  }
  void make_shared_data(const ParamsTuple& params, SharedTuple& shared) const {
    shared = given_;
    (make_shared_data_of<Lps>(params, shared), ...);
  }
  std::vector<event::LpTypeEntry> types_of(const ParamsTuple& params, const SharedTuple& shared) const {
    std::vector<event::LpTypeEntry> types;
    std::uint64_t first = 0;
    (add_type<Lps>(params, shared, types, first), ...);
    return types;
  }

  std::vector<Plot> declared_plots() const {
    Plots plots;
    (add_plots<Lps>(plots), ...);
    return plots.all();
  }
  template <class Lp>
  void add_plots([[maybe_unused]] Plots& plots) const {
    if constexpr (PlotsByShared<Lp>)
      Lp::plots(std::get<ParamsOf<Lp>>(params_), *std::get<std::shared_ptr<const SharedOf<Lp>>>(used_),
                plots);
    else if constexpr (PlotsByParams<Lp>)
      Lp::plots(std::get<ParamsOf<Lp>>(params_), plots);
  }

  template <class Lp>
  static void make_shared_data_of([[maybe_unused]] const ParamsTuple& params,
                                  [[maybe_unused]] SharedTuple& shared) {
    if constexpr (HasShared<Lp>) {
      static_assert(std::is_constructible_v<SharedOf<Lp>, const ParamsOf<Lp>&>,
                    "anachron: the `Shared` type of an LP type must be constructible from `const Params&`");
      auto& data = std::get<std::shared_ptr<const SharedOf<Lp>>>(shared);
      if (!data) data = std::make_shared<const SharedOf<Lp>>(std::get<ParamsOf<Lp>>(params));
    }
  }

  template <class Lp>
  void add_type(const ParamsTuple& all_params, [[maybe_unused]] const SharedTuple& shared,
                std::vector<event::LpTypeEntry>& types, std::uint64_t& first) const {
    const auto& params = std::get<ParamsOf<Lp>>(all_params);
    const void* shared_data = nullptr;
    if constexpr (HasShared<Lp>) shared_data = std::get<std::shared_ptr<const SharedOf<Lp>>>(shared).get();
    std::uint64_t count = 0;
    if (counts_[kIndex<Lp>])
      count = *counts_[kIndex<Lp>];
    else if constexpr (CountsByShared<Lp>)
      count = Lp::count(params, *std::get<std::shared_ptr<const SharedOf<Lp>>>(shared));
    else if constexpr (CountsByParams<Lp>)
      count = Lp::count(params);
    else
      detail::fail_without_count(detail::short_name<Lp>());
    detail::check_lp_count(detail::short_name<Lp>(), count, first);
    detail::be_listed<Lp>();
    types.push_back({&detail::lp_ops<Lp>(), static_cast<LpId>(first), static_cast<std::uint32_t>(count),
                     &params, shared_data, detail::shares_short_name<Lp, Lps...>()});
    first += count;
  }

  ParamsTuple params_;
  std::array<std::optional<std::uint64_t>, sizeof...(Lps)> counts_;
  SharedTuple given_, used_;
  std::shared_ptr<const FinishedRun> finished_;
};

}  // namespace anachron
