// Hooks of an LP type that nothing would call: misspelt ones, and a `commit` for an event that it does not
// handle.
//
// C++20 does not list the names of a type's members, so this knows the usual slips, and takes for one only
// what could be called like the hook: a function whose first parameter is the hook's, where the type has no
// such hook.
#pragma once

#include <type_traits>

#include <anachron/model/context.hpp>
#include <anachron/model/handler.hpp>
#include <anachron/model/lp_traits.hpp>
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

/// A pointer to a function, member or not, whose first parameter is a First.
template <class Function, class First>
concept Takes = requires(Function function) {
  { first_of(parameters(function)) } -> std::same_as<std::type_identity<First>>;
};

#define ANACHRON_SLIP(slip, hook, ...)                                                            \
  static_assert(                                                                                  \
      !requires { requires Takes<decltype(&Lp::slip), __VA_ARGS__>; } || requires { &Lp::hook; }, \
      "anachron: nothing calls `" #slip "`: did you mean `" #hook "`?")
#define ANACHRON_VALUE_SLIP(slip, hook)                                        \
  static_assert(                                                               \
      !requires {                                                              \
        requires std::is_object_v<std::remove_pointer_t<decltype(&Lp::slip)>>; \
        requires !std::is_member_pointer_v<decltype(&Lp::slip)>;               \
      } || requires { &Lp::hook; }, "anachron: nothing reads `" #slip "`: did you mean `" #hook "`?")

template <class Lp>
constexpr void check_slips() {
  using Params = ParamsOf<Lp>;
  ANACHRON_SLIP(Start, start, Context<Lp>&);
  ANACHRON_SLIP(strat, start, Context<Lp>&);
  ANACHRON_SLIP(Finish, finish, Results&);
  ANACHRON_SLIP(finsh, finish, Results&);
  ANACHRON_SLIP(finnish, finish, Results&);
  ANACHRON_SLIP(finalize, finish, Results&);
  ANACHRON_SLIP(Count, count, const Params&);
  ANACHRON_SLIP(cuont, count, const Params&);
  ANACHRON_SLIP(Load, load, const Params&);
  ANACHRON_SLIP(laod, load, const Params&);
  ANACHRON_SLIP(Position, position, const Params&);
  ANACHRON_SLIP(postion, position, const Params&);
  ANACHRON_SLIP(positon, position, const Params&);
  ANACHRON_SLIP(Neighbours, neighbours, const Params&);
  ANACHRON_SLIP(neighbors, neighbours, const Params&);
  ANACHRON_SLIP(neigbours, neighbours, const Params&);
  ANACHRON_SLIP(Lookahead, lookahead, const Params&);
  ANACHRON_SLIP(lookAhead, lookahead, const Params&);
  ANACHRON_SLIP(look_ahead, lookahead, const Params&);
  ANACHRON_SLIP(lookahed, lookahead, const Params&);
  ANACHRON_SLIP(lookhead, lookahead, const Params&);
  ANACHRON_SLIP(mayStop, may_stop, const Params&);
  ANACHRON_SLIP(maystop, may_stop, const Params&);
  ANACHRON_SLIP(can_stop, may_stop, const Params&);
  ANACHRON_SLIP(comit, commit, Commit<Lp>&);
  ANACHRON_SLIP(committ, commit, Commit<Lp>&);
  ANACHRON_SLIP(on_commit, commit, Commit<Lp>&);
  ANACHRON_VALUE_SLIP(Until, until);
  ANACHRON_VALUE_SLIP(untill, until);
  ANACHRON_VALUE_SLIP(unitl, until);
  ANACHRON_VALUE_SLIP(excecution, execution);
  ANACHRON_VALUE_SLIP(exection, execution);
}

#undef ANACHRON_SLIP
#undef ANACHRON_VALUE_SLIP

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

}  // namespace anachron::detail
