// Finds, when the program is built, an LP type that is sent events while no simulation of the program has LPs
// of it. A handler that sends calls a function that only such a list defines, by friend injection. Otherwise
// the linker does not find it and says its name. GCC warns of it before, where the type is in an unnamed
// namespace. The compiler cannot check it: it sees handlers and lists one by one, maybe in different files.
#pragma once

namespace anachron::detail {

template <class Lp>
struct LpType {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
  friend void an_lp_type_is_sent_events_but_no_cli_and_no_Simulation_lists_it(LpType<Lp>) noexcept;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
};

template <class Lp>
struct ListedLpType {
  // Used: other files may send to the type.
  [[gnu::used]] friend void an_lp_type_is_sent_events_but_no_cli_and_no_Simulation_lists_it(
      LpType<Lp>) noexcept {}
};

/// Where LPs of this type get events. Does nothing when it runs.
template <class Lp>
inline void require_list() noexcept {
  an_lp_type_is_sent_events_but_no_cli_and_no_Simulation_lists_it(LpType<Lp>{});
}

/// Where a list has the type, or its absence is provided for. Does nothing when it runs.
template <class Lp>
inline void be_listed() noexcept {
  static_assert(sizeof(ListedLpType<Lp>) > 0);
  an_lp_type_is_sent_events_but_no_cli_and_no_Simulation_lists_it(LpType<Lp>{});
}

}  // namespace anachron::detail
