// A network of cells for mobile telephones (Carothers, Fujimoto, Lin 1995). Each has a few channels; a call
// holds one of them, and goes with its caller from cell to cell. Time is in minutes. See README.md.
#pragma once

#include <cstdint>
#include <string_view>

#include <anachron/base/type_name.hpp>
#include <anachron/model/model.hpp>

#include "pcs/params.hpp"
#include "pcs/torus.hpp"

namespace anachron::models::pcs {

// How they are undone is part of the events' types and not of what they are: both kinds have one name, so
// that an experiment has one digest.

/// To oneself: a call begins.
template <Undo kUndo>
struct NewCall {
  static constexpr std::string_view name = type_name<NewCall<Undo::copy>>();
};
/// From the cell that the caller leaves.
template <Undo kUndo>
struct HandOff {
  static constexpr std::string_view name = type_name<HandOff<Undo::copy>>();
  Time left = 0;  ///< of the call, from now on

  template <class Archive>
  void serialize(Archive& ar) {
    ar(left);
  }
};
/// To oneself: a call has ended or left the cell.
template <Undo kUndo>
struct Release {
  static constexpr std::string_view name = type_name<Release<Undo::copy>>();
};

struct Cell {
  using Params = pcs::Params;
  using Shared = Torus;
  static constexpr bool encodable_events = true;
  static constexpr Time until = 60;

  /// Those who want a channel, since the end of the warm-up.
  struct Requests {
    std::uint64_t all = 0, refused = 0;
    friend bool operator==(const Requests&, const Requests&) = default;
  };

  Requests calls;      ///< that begin here
  Requests hand_offs;  ///< that come from another cell
  std::uint32_t busy = 0;
  TimeAverage channels;  ///< busy ones

  /// What undoes the handling of a call that begins or comes. A sum of times cannot be undone by subtraction.
  struct UndoRequest {
    TimeAverage before;
    Requests Cell::* requests;
    bool is_counted, is_taken;
    void operator()(Cell& cell) const {
      (cell.*requests).all -= is_counted;
      (cell.*requests).refused -= is_counted && !is_taken;
      cell.busy -= is_taken;
      cell.channels = before;
    }
  };
  struct UndoRelease {
    TimeAverage before;
    void operator()(Cell& cell) const {
      ++cell.busy;
      cell.channels = before;
    }
  };

  static std::uint32_t count(const Params&, const Torus& torus) { return torus.cells(); }
  /// Calls come and end in the cell; those that last longer than their caller stays go on to the next one.
  static void neighbours(const Params& params, const Torus& torus, std::uint32_t index, Neighbours& to) {
    const double leave = params.dwell == kNever ? 0 : params.holding / params.dwell;
    to.add(Id<Cell>(index), params.arrivals * (2 + leave));
    for (std::uint32_t side = 0; side < Torus::kSides; ++side)
      to.add(Id<Cell>(torus.beside(index, static_cast<Side>(side))), params.arrivals * leave / Torus::kSides);
  }
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params& params) {
    return params.dwell == kNever ? kForever : params.hand_off;
  }

  void start(Context<Cell>& cx) {
    if (cx.params().undo == Undo::copy)
      await_call<Undo::copy>(cx);
    else
      await_call<Undo::reverse>(cx);
  }

  void on(Context<Cell>& cx, const NewCall<Undo::copy>& call) { handle(cx, call); }
  void on(Context<Cell>& cx, const HandOff<Undo::copy>& call) { handle(cx, call); }
  void on(Context<Cell>& cx, const Release<Undo::copy>&) { release(cx); }

  UndoRequest on(Context<Cell>& cx, const NewCall<Undo::reverse>& call) noexcept {
    const TimeAverage before = channels;
    return {before, &Cell::calls, is_warm(cx), handle(cx, call)};
  }
  UndoRequest on(Context<Cell>& cx, const HandOff<Undo::reverse>& call) noexcept {
    const TimeAverage before = channels;
    return {before, &Cell::hand_offs, is_warm(cx), handle(cx, call)};
  }
  UndoRelease on(Context<Cell>& cx, const Release<Undo::reverse>&) noexcept {
    const TimeAverage before = channels;
    release(cx);
    return {before};
  }

  void finish(Results& results, const Finish<Cell>& cx) const {
    results.count("calls", static_cast<std::int64_t>(calls.all));
    results.mean("blocked_fraction", static_cast<double>(calls.refused), calls.all);
    results.count("hand_offs", static_cast<std::int64_t>(hand_offs.all));
    results.mean("dropped_fraction", static_cast<double>(hand_offs.refused), hand_offs.all);
    results.add("busy_channels", channels);
    const WeightedTally busy_channels = channels.until(results.span().end, results.span().warm_up);
    const std::uint32_t columns = cx.shared().columns(), index = cx.self().index();
    const auto number = [](auto n) { return static_cast<std::int64_t>(n); };
    results.row("cells", {"column", "row", "calls", "blocked", "hand_offs", "dropped", "busy_channels"},
                {number(index % columns), number(index / columns), number(calls.all), number(calls.refused),
                 number(hand_offs.all), number(hand_offs.refused), busy_channels.mean()});
  }
  static void plots(const Params&, Plots& to) {
    const PlotAxis busy{.column = "busy_channels", .label = "busy channels, average over time"};
    to.add(FieldPlot{.name = "cells",
                     .title = "Busy channels of each cell",
                     .table = "cells",
                     .x = {.column = "column"},
                     .y = {.column = "row"},
                     .value = busy});
    to.add(HistogramPlot{
        .name = "busy_channels", .title = "Busy channels of the cells", .table = "cells", .value = busy});
  }

  friend bool operator==(const Cell&, const Cell&) = default;

 private:
  template <Undo kUndo>
  static void await_call(Context<Cell>& cx) {
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().arrivals), NewCall<kUndo>{});
  }

  template <Undo kUndo>
  bool handle(Context<Cell>& cx, const NewCall<kUndo>&) {
    await_call<kUndo>(cx);
    const bool is_taken = admit(cx, calls);
    if (is_taken) hold<kUndo>(cx, cx.rng().exponential(cx.params().holding));
    return is_taken;
  }
  template <Undo kUndo>
  bool handle(Context<Cell>& cx, const HandOff<kUndo>& call) {
    const bool is_taken = admit(cx, hand_offs);
    if (is_taken) hold<kUndo>(cx, call.left);
    return is_taken;
  }

  /// Takes a channel if there is one.
  bool admit(Context<Cell>& cx, Requests& requests) {
    const bool is_taken = busy < cx.params().channels;
    if (is_warm(cx)) {
      ++requests.all;
      requests.refused += !is_taken;
    }
    if (is_taken) channels.set(cx, ++busy);
    return is_taken;
  }

  /// What becomes of a call that lasts for `left` and has a channel now. Nothing that happens here meanwhile
  /// changes that, so the next cell is told at once, long before the caller comes.
  template <Undo kUndo>
  static void hold(Context<Cell>& cx, Time left) {
    const Params& params = cx.params();
    if (params.dwell != kNever) {
      const Time stays = cx.rng().exponential(params.dwell);
      if (stays < left) {
        const auto side = static_cast<Side>(cx.rng().below(Torus::kSides));
        cx.send(cx.id(cx.shared().beside(cx.self().index(), side)), params.hand_off + stays,
                HandOff<kUndo>{left - stays});
        left = stays;
      }
    }
    cx.send(cx.self(), left, Release<kUndo>{});
  }

  void release(Context<Cell>& cx) { channels.set(cx, --busy); }
};

}  // namespace anachron::models::pcs
