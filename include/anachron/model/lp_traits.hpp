// What an LP type declares besides its handlers: parameters, shared data, number, default end time.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <anachron/base/time.hpp>

namespace anachron {

class Neighbours;
class ModelFiles;
class Plots;

/// Parameters of an LP type that declares none.
struct NoParams {};

namespace detail {

template <class Lp>
struct ParamsTrait {
  using type = NoParams;
};
template <class Lp>
  requires requires { typename Lp::Params; }
struct ParamsTrait<Lp> {
  using type = typename Lp::Params;
};

template <class Lp>
struct SharedTrait {
  using type = void;
};
template <class Lp>
  requires requires { typename Lp::Shared; }
struct SharedTrait<Lp> {
  using type = typename Lp::Shared;
};

}  // namespace detail

/// `Lp::Params`, or NoParams.
template <class Lp>
using ParamsOf = typename detail::ParamsTrait<Lp>::type;

/// `Lp::Shared`, or void.
template <class Lp>
using SharedOf = typename detail::SharedTrait<Lp>::type;

template <class Lp>
concept HasShared = !std::is_void_v<SharedOf<Lp>>;

/// The LP type tells how many LPs there are: `static count(const Params&)`.
template <class Lp>
concept CountsByParams = requires(const ParamsOf<Lp>& params) {
  { Lp::count(params) } -> std::convertible_to<std::uint64_t>;
};

/// ... or `static count(const Params&, const Shared&)`.
template <class Lp>
concept CountsByShared = HasShared<Lp> && requires(const ParamsOf<Lp>& params,
                                                   const std::add_lvalue_reference_t<SharedOf<Lp>> shared) {
  { Lp::count(params, shared) } -> std::convertible_to<std::uint64_t>;
};

/// The LP type tells how the work is spread: `static double load(const Params&, std::uint32_t index)`, the
/// events that LP `index` is expected to handle. Any unit will do, but all types have the same; without one a
/// type is like the others on average. Only used to deal LPs to processing elements.
template <class Lp>
concept LoadsByParams = requires(const ParamsOf<Lp>& params, std::uint32_t index) {
  { Lp::load(params, index) } -> std::convertible_to<double>;
};

/// ... or `static double load(const Params&, const Shared&, std::uint32_t index)`.
template <class Lp>
concept LoadsByShared =
    HasShared<Lp> && requires(const ParamsOf<Lp>& params,
                              const std::add_lvalue_reference_t<SharedOf<Lp>> shared, std::uint32_t index) {
      { Lp::load(params, shared, index) } -> std::convertible_to<double>;
    };

/// The LP type tells which LPs send to each other. `static double position(const Params&, std::uint32_t
/// index)` puts LPs, also those of different types, in a row in which those that do are near each other. Only
/// used to deal LPs to processing elements. Without it LPs are in the order of their numbers.
template <class Lp>
concept PlacedByParams = requires(const ParamsOf<Lp>& params, std::uint32_t index) {
  { Lp::position(params, index) } -> std::convertible_to<double>;
};

/// ... or `static double position(const Params&, const Shared&, std::uint32_t index)`.
template <class Lp>
concept PlacedByShared =
    HasShared<Lp> && requires(const ParamsOf<Lp>& params,
                              const std::add_lvalue_reference_t<SharedOf<Lp>> shared, std::uint32_t index) {
      { Lp::position(params, shared, index) } -> std::convertible_to<double>;
    };

/// The LP type tells to which LPs its LPs send, and how much: `static void neighbours(const Params&,
/// std::uint32_t index, Neighbours& to)`. Only used to deal LPs to processing elements, by --partition metis.
template <class Lp>
concept NeighboursByParams = requires(const ParamsOf<Lp>& params, std::uint32_t index, Neighbours& to) {
  { Lp::neighbours(params, index, to) } -> std::same_as<void>;
};

/// ... or `static void neighbours(const Params&, const Shared&, std::uint32_t index, Neighbours& to)`.
template <class Lp>
concept NeighboursByShared = HasShared<Lp> && requires(const ParamsOf<Lp>& params,
                                                       const std::add_lvalue_reference_t<SharedOf<Lp>> shared,
                                                       std::uint32_t index, Neighbours& to) {
  { Lp::neighbours(params, shared, index, to) } -> std::same_as<void>;
};

/// The LP type tells which of its LPs belong together, with each other and with those of other types:
/// `static std::uint32_t cluster(const Params&, std::uint32_t index)`. LPs of the same number are always
/// dealt to the same processing element (H. Avril, C. Tropper, "Clustered Time Warp and logic simulation",
/// PADS 1995). Only a partition from a file may part them. Each LP of a type that does not tell is a cluster
/// of its own. What LPs of a cluster send to each other may be sooner than their lookahead.
template <class Lp>
concept ClustersByParams = requires(const ParamsOf<Lp>& params, std::uint32_t index) {
  { Lp::cluster(params, index) } -> std::convertible_to<std::uint32_t>;
};

/// ... or `static std::uint32_t cluster(const Params&, const Shared&, std::uint32_t index)`.
template <class Lp>
concept ClustersByShared =
    HasShared<Lp> && requires(const ParamsOf<Lp>& params,
                              const std::add_lvalue_reference_t<SharedOf<Lp>> shared, std::uint32_t index) {
      { Lp::cluster(params, shared, index) } -> std::convertible_to<std::uint32_t>;
    };

/// The LP type tells what is to be drawn of the results: `static void plots(const Params&, Plots& to)`.
template <class Lp>
concept PlotsByParams = requires(const ParamsOf<Lp>& params, Plots& to) {
  { Lp::plots(params, to) } -> std::same_as<void>;
};

/// ... or `static void plots(const Params&, const Shared&, Plots& to)`.
template <class Lp>
concept PlotsByShared =
    HasShared<Lp> &&
    requires(const ParamsOf<Lp>& params, const std::add_lvalue_reference_t<SharedOf<Lp>> shared, Plots& to) {
      { Lp::plots(params, shared, to) } -> std::same_as<void>;
    };

/// The shared data name the files that LPs write: `void output_files(ModelFiles& to) const`, see ModelFile.
template <class Lp>
concept NamesFiles =
    HasShared<Lp> && requires(std::add_lvalue_reference_t<const SharedOf<Lp>> shared, ModelFiles& to) {
      { shared.output_files(to) } -> std::same_as<void>;
    };

/// The LP type promises a least delay of what its LPs send to other LPs, of any type:
/// `static double lookahead(const Params&)`, in simulated time. What an LP sends to itself, or within
/// its cluster, may be sooner. A conservative run needs it, above 0, and fails where it is not kept (R. M.
/// Fujimoto, "Parallel discrete event simulation", CACM 33(10), 1990). Infinite: the type's LPs send within
/// their clusters only.
template <class Lp>
concept LooksAheadByParams = requires(const ParamsOf<Lp>& params) {
  { Lp::lookahead(params) } -> std::convertible_to<double>;
};

/// ... or `static double lookahead(const Params&, const Shared&)`.
template <class Lp>
concept LooksAheadByShared =
    HasShared<Lp> &&
    requires(const ParamsOf<Lp>& params, const std::add_lvalue_reference_t<SharedOf<Lp>> shared) {
      { Lp::lookahead(params, shared) } -> std::convertible_to<double>;
    };

/// The LP type says whether its events may call `cx.stop()`: `static bool may_stop(const Params&)`. Only
/// conservative runs ask, and keep what it takes to end at that very event.
template <class Lp>
concept TellsWhetherItStops = requires(const ParamsOf<Lp>& params) {
  { Lp::may_stop(params) } -> std::convertible_to<bool>;
};

template <class Lp>
concept HasUntil = requires {
  { Lp::until } -> std::convertible_to<Time>;
  requires !std::is_member_pointer_v<decltype(&Lp::until)>;
};

}  // namespace anachron
