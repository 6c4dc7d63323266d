// Hooks of an LP type that nothing would call: misspelt ones, and a `commit` for an event that it does not
// handle.
//
// C++20 does not list the names of a type's members, so this knows the misspellings of a list. It takes for
// one only what could be called like the hook: a function whose first parameter is the hook's, where the type
// has no such hook.
#pragma once

#include <cstdint>
#include <type_traits>

#include <anachron/model/context.hpp>
#include <anachron/model/handler.hpp>
#include <anachron/model/lp_traits.hpp>
#include <anachron/model/misspelling_list.hpp>
#include <anachron/model/results.hpp>

namespace anachron::detail {

template <class... Parameters>
struct ParameterList {};

template <class R, class... As>
ParameterList<As...> parameters(R (*)(As...));
template <class R, class C, class... As>
ParameterList<As...> parameters(R (C::*)(As...));
template <class R, class C, class... As>
ParameterList<As...> parameters(R (C::*)(As...) const);

template <class First, class... Others>
std::type_identity<First> first_of(ParameterList<First, Others...>);
template <class Lp, class E>
std::type_identity<E> committed_by(ParameterList<Commit<Lp>&, const E&>);
template <class Lp, class E>
std::type_identity<E> foreseen_by(
    ParameterList<std::add_lvalue_reference_t<const SharedOf<Lp>>, std::uint32_t, const E&>);

/// A pointer to a function, member or not, whose first parameter is a First.
template <class Function, class First>
concept Takes = requires(Function function) {
  { first_of(parameters(function)) } -> std::same_as<std::type_identity<First>>;
};

#define ANACHRON_MISSPELLING(misspelling, hook, First)                                             \
  static_assert(                                                                                   \
      !requires { requires Takes<decltype(&Lp::misspelling), First>; } || requires { &Lp::hook; }, \
      "anachron: nothing calls `" #misspelling "`: did you mean `" #hook "`?");
#define ANACHRON_VALUE_MISSPELLING(misspelling, hook, ...)                            \
  static_assert(                                                                      \
      !requires {                                                                     \
        requires std::is_object_v<std::remove_pointer_t<decltype(&Lp::misspelling)>>; \
        requires !std::is_member_pointer_v<decltype(&Lp::misspelling)>;               \
      } || requires { &Lp::hook; },                                                   \
      "anachron: nothing reads `" #misspelling "`: did you mean `" #hook "`?");

// clang-format off: each list is statements
template <class Lp>
constexpr void check_misspellings() {
  using Params = ParamsOf<Lp>;
  ANACHRON_MISSPELLINGS_OF_START(ANACHRON_MISSPELLING, Context<Lp>&)
  ANACHRON_MISSPELLINGS_OF_FINISH(ANACHRON_MISSPELLING, Results&)
  ANACHRON_MISSPELLINGS_OF_COMMIT(ANACHRON_MISSPELLING, Commit<Lp>&)
  ANACHRON_MISSPELLINGS_OF_COUNT(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_LOAD(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_POSITION(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_NEIGHBOURS(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_CLUSTER(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_LOOKAHEAD(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_FORESEE(ANACHRON_MISSPELLING, std::add_lvalue_reference_t<const SharedOf<Lp>>)
  ANACHRON_MISSPELLINGS_OF_MAY_STOP(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_PLOTS(ANACHRON_MISSPELLING, const Params&)
  ANACHRON_MISSPELLINGS_OF_UNTIL(ANACHRON_VALUE_MISSPELLING)
  ANACHRON_MISSPELLINGS_OF_EXECUTION(ANACHRON_VALUE_MISSPELLING)
  ANACHRON_MISSPELLINGS_OF_ENCODABLE_EVENTS(ANACHRON_VALUE_MISSPELLING)
}
// clang-format on

#undef ANACHRON_MISSPELLING
#undef ANACHRON_VALUE_MISSPELLING

/// Only where the type has a single `commit`: a name that is overloaded tells none of its types.
template <class Lp>
constexpr void check_commit() {
  if constexpr (requires { committed_by<Lp>(parameters(&Lp::commit)); }) {
    using Event = typename decltype(committed_by<Lp>(parameters(&Lp::commit)))::type;
    static_assert(
        Receives<Lp, Event>,
        "anachron: the LP type has a `commit` for an event that it has no `on` for: nothing calls it");
  }
}

/// The same of `foresee`, which must also be static and take what it is given.
template <class Lp>
constexpr void check_foresee() {
  if constexpr (requires { parameters(&Lp::foresee); }) {
    constexpr bool kIsStatic = std::is_pointer_v<decltype(&Lp::foresee)>;
    constexpr bool kTakes = requires { foreseen_by<Lp>(parameters(&Lp::foresee)); };
    static_assert(kIsStatic && kTakes,
                  "anachron: declare `static void foresee(const Shared&, std::uint32_t index, const E&)`");
    if constexpr (kIsStatic && kTakes)
      static_assert(
          Receives<Lp, typename decltype(foreseen_by<Lp>(parameters(&Lp::foresee)))::type>,
          "anachron: the LP type has a `foresee` for an event that it has no `on` for: nothing calls it");
  }
}

}  // namespace anachron::detail
