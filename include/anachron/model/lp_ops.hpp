// Makes the kernel's tables from the model's types: one EventOps per (LP type, event type), one LpOps per LP
// type.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <type_traits>

#include <anachron/base/hash.hpp>
#include <anachron/event/event_list.hpp>
#include <anachron/model/context.hpp>
#include <anachron/model/equal.hpp>
#include <anachron/model/logged.hpp>
#include <anachron/model/misspellings.hpp>
#include <anachron/model/names.hpp>
#include <anachron/model/neighbours.hpp>
#include <anachron/model/payload_ops.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/retraction_ops.hpp>
#include <anachron/model/state_ops.hpp>
#include <anachron/model/view.hpp>

namespace anachron::detail {

/// Records the exception being handled as the failure of the event. Also std::bad_alloc: the engine throws
/// none through a handler, so it is the model's own, perhaps of a state that is wrong and will be rolled
/// back.
void fail_with_exception(event::Frame& frame) noexcept;

template <class Reverser, class Lp>
struct Reversal : event::Effect {
  Reverser reverser;
  explicit Reversal(Reverser r) : reverser(std::move(r)) {}

  static void undo(event::Effect& effect, void* lp) {
    static_cast<Reversal&>(effect).reverser(*static_cast<Lp*>(lp));
  }
  static void destroy(event::Effect& effect) noexcept { std::destroy_at(static_cast<Reversal*>(&effect)); }
  static constexpr event::EffectOps kOps{&undo, nullptr,
                                         std::is_trivially_destructible_v<Reverser> ? nullptr : &destroy};
};

/// The LP type tells what of its state decides what it does, for exact what-if: `bool goes_on_like(const Lp&
/// other, const View<Lp>& cx) const`. What it has only observed may differ.
template <class Lp>
concept GoesOnAlike = requires(const Lp& lp, const View<Lp>& cx) {
  { lp.goes_on_like(lp, cx) } -> std::same_as<bool>;
};
/// ... and what becomes of it meanwhile: `bool observe(const Lp& then, const Lp& now)`. Another one, that
/// went on like it, was `then` at that time and is `now`. So it becomes `now`, but for what each had observed
/// before; to the last bit as if it had been there. False: that cannot be told, and nothing was changed.
template <class Lp>
concept TakesOver = requires(Lp& lp, const Lp& other) {
  { lp.observe(other, other) } -> std::same_as<bool>;
};

/// The tables of all events of an LP type that the program may send.
template <class Lp>
inline constinit event::EventList kEventsOf;
/// A table in that list. Nobody reads it: what a table points to mentions it, so it is there, and is
/// initialised, wherever the table is.
template <class Lp, const event::EventOps& kOps>
inline event::ListedEvent kListedEvent{kEventsOf<Lp>, kOps};

template <class Lp, class E>
struct EventTable {
  using Payload = PayloadTable<E, event::kPayloadOffset<E>>;

  static constexpr event::UndoKind kUndo = undo_kind<Lp, E>();
  static constexpr bool kMayThrow = [] {
    if constexpr (kUndo == event::UndoKind::log)
      return true;
    else
      return !noexcept(std::declval<Lp&>().on(std::declval<Context<Lp>&>(), std::declval<const E&>()));
  }();

  static void execute(event::Frame& frame, void* state, event::EventHeader& e) {
    static_cast<void>(&kListedEvent<Lp, event_ops<Lp, E>()>);
    Lp& lp = *static_cast<Lp*>(state);
    Context<Lp> cx(frame);
    try {
      if constexpr (kUndo == event::UndoKind::log) {
        Logged<Lp> log(frame, lp);
        lp.on(cx, log, std::as_const(event::payload<E>(e)));
      } else if constexpr (kUndo == event::UndoKind::reverse) {
        auto reverser = lp.on(cx, std::as_const(event::payload<E>(e)));
        using Stored = Reversal<decltype(reverser), Lp>;
        if (frame.keep_undo) {
          if (void* const at = frame.make_room(sizeof(Stored), alignof(Stored)))
            frame.add(::new (at) Stored(std::move(reverser)), Stored::kOps);
        }
      } else {
        lp.on(cx, std::as_const(event::payload<E>(e)));
      }
    } catch (...) {
      fail_with_exception(frame);
    }
  }

  static void commit(const event::Frame& frame, const event::EventHeader& e) {
    Commit<Lp> cx(frame);
    Lp::commit(cx, event::payload<E>(e));
  }
  static void foresee(const void* shared, std::uint32_t index, const event::EventHeader& e) noexcept {
    Lp::foresee(*static_cast<const SharedOf<Lp>*>(shared), index, event::payload<E>(e));
  }
  static void destroy(event::EventHeader& e) noexcept { std::destroy_at(&event::payload<E>(e)); }
  static bool equal(const event::EventHeader& a, const event::EventHeader& b) {
    return equal_values(event::payload<E>(a), event::payload<E>(b));
  }
};

template <class Lp, class E>
inline constexpr event::EventOps kEventOps{
    .type_hash = fold_multiply(hash_text(full_name<Lp>()), hash_text(full_name<E>()) | 1),
    .bytes = event::kPayloadOffset<E> + sizeof(E),
    .execute = &EventTable<Lp, E>::execute,
    .commit =
        [] {
          if constexpr (CommitsEvent<Lp, E>)
            return &EventTable<Lp, E>::commit;
          else
            return nullptr;
        }(),
    .destroy = std::is_trivially_destructible_v<E> ? nullptr : &EventTable<Lp, E>::destroy,
    .undo = EventTable<Lp, E>::kUndo,
    .may_throw_unreversed =
        EventTable<Lp, E>::kUndo == event::UndoKind::reverse && EventTable<Lp, E>::kMayThrow,
    .irrevocable = kIsIrrevocable<Lp, E>,
    .has_foresee = ForeseesEvent<Lp, E>,
    .event_name = short_name<E>(),
    .equal =
        [] {
          if constexpr (HasEqualValues<E>)
            return &EventTable<Lp, E>::equal;
          else
            return nullptr;
        }(),
    .foresee =
        [] {
          if constexpr (ForeseesEvent<Lp, E>)
            return &EventTable<Lp, E>::foresee;
          else
            return nullptr;
        }(),
    .trivially_copyable = std::is_trivially_copyable_v<E>,
    .plain_bytes = is_plain<E>() ? sizeof(E) : 0,
    .alignment = std::max(alignof(event::EventHeader), alignof(E)),
    .copy = EventTable<Lp, E>::Payload::copy_or_null(),
    .move = &EventTable<Lp, E>::Payload::move,
    .encode =
        [] {
          if constexpr (kAsksForEncodableEvents<Lp>) check_encodable<E>();
          return EventTable<Lp, E>::Payload::encode_or_null();
        }(),
    .decode = EventTable<Lp, E>::Payload::decode_or_null(),
    .print = &EventTable<Lp, E>::Payload::print,
};

template <class Lp, class E>
constexpr const event::EventOps& event_ops() {
  return kEventOps<Lp, E>;
}

/// A pointer to a function, member or not: data members may be called as they like.
template <class Pointer>
inline constexpr bool kIsFunction =
    std::is_member_function_pointer_v<Pointer> || std::is_function_v<std::remove_pointer_t<Pointer>>;

template <class Lp>
struct LpTable {
  static constexpr bool kCopyable = std::is_copy_constructible_v<Lp> && std::is_move_assignable_v<Lp>;

  static void construct(void* at) { ::new (at) Lp(); }
  static void destroy(void* lp) noexcept { std::destroy_at(static_cast<Lp*>(lp)); }
  static void copy(void* to, const void* from) { ::new (to) Lp(*static_cast<const Lp*>(from)); }
  static void restore(void* to, void* from) { *static_cast<Lp*>(to) = std::move(*static_cast<Lp*>(from)); }
  static bool equal(const void* a, const void* b) {
    return equal_values(*static_cast<const Lp*>(a), *static_cast<const Lp*>(b));
  }
  static bool goes_on_like(const event::Frame& frame, const void* a, const void* b) {
    const View<Lp> cx(frame);
    return static_cast<const Lp*>(a)->goes_on_like(*static_cast<const Lp*>(b), cx);
  }
  static bool observe(void* lp, const void* then, const void* now) {
    return static_cast<Lp*>(lp)->observe(*static_cast<const Lp*>(then), *static_cast<const Lp*>(now));
  }
  static void events(void* into, void (*visit)(void* into, const event::EventOps& ops)) {
    visit(into, kRetractionOps<Lp>);
    for (auto* node = kEventsOf<Lp>.newest(); node; node = node->next) visit(into, *node->ops);
  }
  static void start(event::Frame& frame, void* lp) {
    Context<Lp> cx(frame);
    try {
      Lp& state = *static_cast<Lp*>(lp);
      if constexpr (StartsWithLog<Lp>) {
        Logged<Lp> log(frame, state);
        state.start(cx, log);
      } else {
        state.start(cx);
      }
    } catch (...) {
      fail_with_exception(frame);
    }
  }
  static void finish(const event::Frame& frame, const void* lp, Results& results) {
    const Lp& state = *static_cast<const Lp*>(lp);
    if constexpr (requires { state.finish(results); }) {
      state.finish(results);
    } else {
      Finish<Lp> cx(frame);
      state.finish(results, cx);
    }
  }

  static double load(const void* params, const void* shared, std::uint32_t index) {
    if constexpr (LoadsByShared<Lp>)
      return Lp::load(*static_cast<const ParamsOf<Lp>*>(params), *static_cast<const SharedOf<Lp>*>(shared),
                      index);
    else
      return Lp::load(*static_cast<const ParamsOf<Lp>*>(params), index);
  }

  static double position(const void* params, const void* shared, std::uint32_t index) {
    if constexpr (PlacedByShared<Lp>)
      return Lp::position(*static_cast<const ParamsOf<Lp>*>(params),
                          *static_cast<const SharedOf<Lp>*>(shared), index);
    else
      return Lp::position(*static_cast<const ParamsOf<Lp>*>(params), index);
  }

  static void neighbours(const void* params, const void* shared, std::uint32_t index, Neighbours& to) {
    if constexpr (NeighboursByShared<Lp>)
      Lp::neighbours(*static_cast<const ParamsOf<Lp>*>(params), *static_cast<const SharedOf<Lp>*>(shared),
                     index, to);
    else
      Lp::neighbours(*static_cast<const ParamsOf<Lp>*>(params), index, to);
  }

  static std::uint32_t cluster(const void* params, const void* shared, std::uint32_t index) {
    if constexpr (ClustersByShared<Lp>)
      return Lp::cluster(*static_cast<const ParamsOf<Lp>*>(params), *static_cast<const SharedOf<Lp>*>(shared),
                         index);
    else
      return Lp::cluster(*static_cast<const ParamsOf<Lp>*>(params), index);
  }

  static double lookahead(const void* params, const void* shared) {
    if constexpr (LooksAheadByShared<Lp>)
      return Lp::lookahead(*static_cast<const ParamsOf<Lp>*>(params),
                           *static_cast<const SharedOf<Lp>*>(shared));
    else
      return Lp::lookahead(*static_cast<const ParamsOf<Lp>*>(params));
  }

  static void output_files(const void* shared, ModelFiles& to) {
    static_cast<const SharedOf<Lp>*>(shared)->output_files(to);
  }

  static bool may_stop(const void* params) { return Lp::may_stop(*static_cast<const ParamsOf<Lp>*>(params)); }

  /// The functions of an LP type that need no LP: they are static, and given the model's parameters.
  static constexpr void add_static_functions(event::LpOps& ops) {
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::count)>; } || CountsByParams<Lp> || CountsByShared<Lp>,
        "anachron: declare `static std::uint64_t count(const Params&)` or "
        "`static std::uint64_t count(const Params&, const Shared&)`");
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::load)>; } || LoadsByParams<Lp> || LoadsByShared<Lp>,
        "anachron: declare `static double load(const Params&, std::uint32_t index)` or "
        "`static double load(const Params&, const Shared&, std::uint32_t index)`");
    if constexpr (LoadsByParams<Lp> || LoadsByShared<Lp>) ops.load = &load;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::position)>; } || PlacedByParams<Lp> ||
            PlacedByShared<Lp>,
        "anachron: declare `static double position(const Params&, std::uint32_t index)` or "
        "`static double position(const Params&, const Shared&, std::uint32_t index)`");
    if constexpr (PlacedByParams<Lp> || PlacedByShared<Lp>) ops.position = &position;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::neighbours)>; } || NeighboursByParams<Lp> ||
            NeighboursByShared<Lp>,
        "anachron: declare `static void neighbours(const Params&, std::uint32_t index, "
        "anachron::Neighbours&)` "
        "or `static void neighbours(const Params&, const Shared&, std::uint32_t index, "
        "anachron::Neighbours&)`");
    if constexpr (NeighboursByParams<Lp> || NeighboursByShared<Lp>) ops.neighbours = &neighbours;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::cluster)>; } || ClustersByParams<Lp> ||
            ClustersByShared<Lp>,
        "anachron: declare `static std::uint32_t cluster(const Params&, std::uint32_t index)` or "
        "`static std::uint32_t cluster(const Params&, const Shared&, std::uint32_t index)`");
    if constexpr (ClustersByParams<Lp> || ClustersByShared<Lp>) ops.cluster = &cluster;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::lookahead)>; } || LooksAheadByParams<Lp> ||
            LooksAheadByShared<Lp>,
        "anachron: declare `static double lookahead(const Params&)` or "
        "`static double lookahead(const Params&, const Shared&)`");
    if constexpr (LooksAheadByParams<Lp> || LooksAheadByShared<Lp>) ops.lookahead = &lookahead;
    static_assert(
        !requires { &SharedOf<Lp>::output_files; } || NamesFiles<Lp>,
        "anachron: declare `void output_files(anachron::ModelFiles&) const` in the shared data");
    if constexpr (NamesFiles<Lp>) ops.output_files = &output_files;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::may_stop)>; } || TellsWhetherItStops<Lp>,
        "anachron: declare `static bool may_stop(const Params&)`");
    if constexpr (TellsWhetherItStops<Lp>) ops.may_stop = &may_stop;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::plots)>; } || PlotsByParams<Lp> || PlotsByShared<Lp>,
        "anachron: declare `static void plots(const Params&, anachron::Plots&)` or "
        "`static void plots(const Params&, const Shared&, anachron::Plots&)`");
  }

  static constexpr event::LpOps make() {
    static_assert(std::is_default_constructible_v<Lp>,
                  "anachron: an LP type must be default-constructible; set its state up in `start`");
    static_assert(std::is_class_v<Lp>, "anachron: an LP type is a struct with `on` overloads");
    check_misspellings<Lp>();
    check_commit<Lp>();
    check_foresee<Lp>();
    event::LpOps ops{};
    ops.name = short_name<Lp>();
    ops.full_name = full_name<Lp>();
    ops.name_hash = hash_text(full_name<Lp>());
    ops.bytes = sizeof(Lp);
    ops.alignment = alignof(Lp);
    ops.trivially_copyable = std::is_trivially_copyable_v<Lp>;
    ops.construct = &construct;
    ops.destroy = &destroy;
    if constexpr (kCopyable) {
      ops.copy = &copy;
      ops.restore = &restore;
    }
    if constexpr (HasEqualValues<Lp>) ops.equal = &equal;
    if constexpr (GoesOnAlike<Lp>) ops.goes_on_like = &goes_on_like;
    if constexpr (TakesOver<Lp>) ops.observe = &observe;
    if constexpr (Encodable<Lp>) {
      ops.encode = &StateTable<Lp>::encode;
      ops.decode = &StateTable<Lp>::decode;
    } else {
      ops.why_not_encoded = &StateTable<Lp>::why_not_encoded;
    }
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::start)>; } || Starts<Lp> || StartsWithLog<Lp>,
        "anachron: declare `void start(anachron::Context<Lp>&)`");
    if constexpr (Starts<Lp> || StartsWithLog<Lp>) ops.start = &start;
    static_assert(
        !requires { requires kIsFunction<decltype(&Lp::finish)>; } ||
            requires(const Lp& lp, Results& r) { lp.finish(r); } ||
            requires(const Lp& lp, Results& r, const Finish<Lp>& cx) { lp.finish(r, cx); },
        "anachron: declare `void finish(anachron::Results&) const` or "
        "`void finish(anachron::Results&, const anachron::Finish<Lp>&) const`");
    if constexpr (
        requires(const Lp& lp, Results& r) { lp.finish(r); } ||
        requires(const Lp& lp, Results& r, const Finish<Lp>& cx) { lp.finish(r, cx); })
      ops.finish = &finish;
    add_static_functions(ops);
    ops.irrevocable = kAsksForIrrevocable<Lp>;
    ops.retraction = &kRetractionOps<Lp>;
    ops.events = &events;
    return ops;
  }
};

template <class Lp>
inline constexpr event::LpOps kLpOps = LpTable<Lp>::make();

template <class Lp>
constexpr const event::LpOps& lp_ops() {
  return kLpOps<Lp>;
}

}  // namespace anachron::detail
