// Which events an LP type handles, and how each handler is undone: read off the signatures of its `on`
// overloads.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <anachron/event/ops.hpp>
#include <anachron/model/captures.hpp>

namespace anachron {

/// When events are executed. `speculative`, the default: as soon as they are known, and undone when that was
/// too soon. `irrevocable`: when they are certain to commit; see docs/reference/output.md.
enum class Execution : std::uint8_t { speculative, irrevocable };

/// `static constexpr auto execution = anachron::irrevocable;` in an event type, or in an LP type for all its
/// events. Such an event is executed once, when nothing that can still happen sorts before it, and never
/// undone. Its handler may print, call other programs, and need not be undoable.
inline constexpr Execution irrevocable = Execution::irrevocable;

template <class Lp>
class Context;
template <class Lp>
class Logged;
template <class Lp>
class Commit;

namespace detail {

/// Converts to E and to nothing else: finds `on` overloads that take exactly this event type.
template <class E>
struct Exactly {
  template <class T>
    requires std::same_as<std::remove_cv_t<T>, E>
  operator const T&() const;
  /// For `on` overloads that take it by value: some compilers would convert the other one's result.
  template <class T>
    requires std::same_as<std::remove_cv_t<T>, E>
  operator T() const = delete;
};

template <class Lp, class E>
concept PlainHandler = requires(Lp& lp, Context<Lp>& cx, Exactly<E> e) { lp.on(cx, e); };

template <class Lp, class E>
concept LoggedHandler =
    requires(Lp& lp, Context<Lp>& cx, Logged<Lp>& log, Exactly<E> e) { lp.on(cx, log, e); };

template <class Lp, class E>
concept ConvertingHandler = requires(Lp& lp, Context<Lp>& cx, const E& e) { lp.on(cx, e); };

template <class Lp, class E>
using HandlerResult =
    decltype(std::declval<Lp&>().on(std::declval<Context<Lp>&>(), std::declval<const E&>()));

}  // namespace detail

/// LP type `Lp` has an `on` for event type `E`.
template <class Lp, class E>
concept Receives = detail::PlainHandler<Lp, E> || detail::LoggedHandler<Lp, E>;

/// LP type `Lp` has a `void start(Context<Lp>&)`.
template <class Lp>
concept Starts = requires(Lp& lp, Context<Lp>& cx) { lp.start(cx); };

/// ... or `void start(Context<Lp>&, Logged<Lp>&)`, which keeps nothing: start is not undone. For what
/// handlers that log share with it.
template <class Lp>
concept StartsWithLog = requires(Lp& lp, Context<Lp>& cx, Logged<Lp>& log) { lp.start(cx, log); };

/// LP type `Lp` has a `static void commit(Commit<Lp>&, const E&)`.
template <class Lp, class E>
concept CommitsEvent = requires(Commit<Lp>& cx, const E& e) { Lp::commit(cx, e); };

/// LP type `Lp` has a `static void foresee(const Shared&, std::uint32_t index, const E&)`.
template <class Lp, class E>
concept ForeseesEvent = requires {
  typename Lp::Shared;
} && requires(const typename Lp::Shared& shared, const E& e) { Lp::foresee(shared, std::uint32_t{}, e); };

namespace detail {

struct NamesOn {
  void on();
};
template <class Lp>
struct AlsoNamesOn : Lp, NamesOn {};
/// Lp has members called `on` that are private, or too many to take the address of. A name is looked up
/// before access is checked, so in AlsoNamesOn it is ambiguous then.
template <class Lp>
concept MayHidePrivateOn =
    !requires { &Lp::on; } && (std::is_final_v<Lp> || !requires { &AlsoNamesOn<Lp>::on; });

template <class Lp, class E>
concept CapitalOn = requires(Lp& lp, Context<Lp>& cx, Exactly<E> e) { lp.On(cx, e); };

template <class Lp, class E>
concept NonStaticCommit =
    requires(Lp& lp, Commit<Lp>& cx, const E& e) { lp.commit(cx, e); } && !CommitsEvent<Lp, E>;
template <class Lp, class E>
concept ContextCommit = requires(Lp& lp, Context<Lp>& cx, const E& e) { lp.commit(cx, e); };

/// Checks an event type against the LP type that is to receive it; the messages are for the model's author.
template <class Lp, class E>
constexpr void check_handler() {
  static_assert(
      Receives<Lp, E> || !ConvertingHandler<Lp, E>,
      "anachron: the receiving LP type has an `on` to which this event would be converted; an event is "
      "received as the type that was sent: `void on(Context<Lp>&, const Event&)`");
  if constexpr (!Receives<Lp, E> && !ConvertingHandler<Lp, E>) {
    constexpr bool kIsCapital = CapitalOn<Lp, E>, kMayBePrivate = !kIsCapital && MayHidePrivateOn<Lp>;
    static_assert(!kIsCapital,
                  "anachron: the receiving LP type has an `On` for this event: did you mean `on`?");
    static_assert(
        !kMayBePrivate,
        "anachron: the receiving LP type has no public `on` for this event: add "
        "`void on(anachron::Context<Lp>&, const Event&)` to it, or move the one that there is out of "
        "`private:` (Lp and Event are named in this error)");
    static_assert(
        kIsCapital || kMayBePrivate,
        "anachron: the receiving LP type has no `on` for this event: add "
        "`void on(anachron::Context<Lp>&, const Event&)` to it (Lp and Event are named in this error)");
  }
  static_assert(!(PlainHandler<Lp, E> && LoggedHandler<Lp, E>),
                "anachron: the LP type has two handlers for this event, one with and one without "
                "`Logged<Lp>&`; keep one");
  static_assert(!NonStaticCommit<Lp, E> && !ContextCommit<Lp, E>,
                "anachron: declare `static void commit(anachron::Commit<Lp>&, const Event&)`: when an event "
                "commits the "
                "state may already be later, so it cannot be seen; carry what you need in the event or use "
                "cx.on_commit");
  static_assert(std::is_move_constructible_v<E> && std::is_nothrow_destructible_v<E>,
                "anachron: an event type must be movable");
  static_assert(alignof(E) <= 64, "anachron: an event type may ask for an alignment of at most 64 bytes");
}

/// T, an LP type or an event type, asks for irrevocable execution.
template <class T>
inline constexpr bool kAsksForIrrevocable = [] {
  if constexpr (requires { requires !std::is_member_pointer_v<decltype(&T::execution)>; }) {
    static_assert(std::is_same_v<std::remove_cv_t<decltype(T::execution)>, Execution>,
                  "anachron: declare `static constexpr auto execution = anachron::irrevocable;`");
    return T::execution == Execution::irrevocable;
  } else {
    return false;
  }
}();
template <class Lp, class E>
inline constexpr bool kIsIrrevocable = kAsksForIrrevocable<Lp> || kAsksForIrrevocable<E>;

/// `static constexpr bool encodable_events = true;` in an LP type: all its events must be encodable.
template <class Lp>
inline constexpr bool kAsksForEncodableEvents = [] {
  if constexpr (requires { requires !std::is_member_pointer_v<decltype(&Lp::encodable_events)>; }) {
    static_assert(std::is_same_v<decltype(Lp::encodable_events), const bool>,
                  "anachron: declare `static constexpr bool encodable_events = true;`");
    return Lp::encodable_events;
  } else {
    return false;
  }
}();

/// How Lp's handler of E is undone.
template <class Lp, class E>
constexpr event::UndoKind undo_kind() {
  if constexpr (LoggedHandler<Lp, E>) {
    return event::UndoKind::log;
  } else if constexpr (std::is_void_v<HandlerResult<Lp, E>>) {
    static_assert(
        kIsIrrevocable<Lp, E> || (std::is_copy_constructible_v<Lp> && std::is_move_assignable_v<Lp>),
        "anachron: a handler that returns void is undone by copying the state, so the LP type must "
        "be copyable; "
        "or return a callable that undoes it, or take `anachron::Logged<Lp>&`");
    return event::UndoKind::copy;
  } else {
    static_assert(std::is_invocable_v<HandlerResult<Lp, E>&, Lp&>,
                  "anachron: `on` returns void, or a callable `[..](Lp&) { .. }` that undoes what it did");
    static_assert(std::is_move_constructible_v<HandlerResult<Lp, E>>,
                  "anachron: the callable that `on` returns must be movable");
    static_assert(
        !CapturesByReference<HandlerResult<Lp, E>>,
        "anachron: the callable that `on` returns captures by reference, but it runs when the handler's "
        "variables are gone: capture by value, as in `[old = x](Lp&) { .. }`");
    return event::UndoKind::reverse;
  }
}

}  // namespace detail
}  // namespace anachron
