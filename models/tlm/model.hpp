// Electromagnetic waves by the transmission line matrix method. Each cell of space is an LP, which scatters
// the pulses that come to it at the same time to the cells beside it. Time is in nanoseconds. See README.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <anachron/model/model.hpp>

#include "tlm/mesh.hpp"
#include "tlm/params.hpp"

namespace anachron::models::tlm {

/// Comes to a cell through a port, from the cell beside it or back from a wall. The port is part of the type,
/// so that an event with its header fills one cache line.
template <Port kPort>
struct Pulse {
  // Compilers spell the argument in different ways.
  static constexpr std::string_view name =
      std::array<std::string_view, kPorts>{"tlm::Pulse west",  "tlm::Pulse east", "tlm::Pulse south",
                                           "tlm::Pulse north", "tlm::Pulse down", "tlm::Pulse up"}
          .at(static_cast<unsigned>(kPort));
  double volts = 0;
};
/// A transmitter's cell to itself: it sends a step of its signal.
struct Transmit {
  std::uint32_t step = 0;
};
/// A cell to itself: all pulses of this time are there.
struct Scatter {};
/// To a receiver: the field in its cell, a step ago.
struct Sample {
  double volts = 0;
};

struct Receiver;

struct Cell {
  using Params = tlm::Params;
  using Shared = Mesh;
  static constexpr bool encodable_events = true;
  static constexpr Time until = 150;

  /// In squares of volts of a pulse: that is its energy, but for a factor.
  struct Energy {
    double transmitted = 0;  ///< what transmitters have given
    double absorbed = 0;     ///< by the ground
    double left = 0;         ///< through the grid's borders
    double cut = 0;          ///< of pulses not above the threshold
    double sent = 0;         ///< of the pulses that the latest scattering has sent
    friend bool operator==(const Energy&, const Energy&) = default;
  };

  std::array<double, kPorts> in{};  ///< volts of the pulses that have come and are not scattered yet
  double source = 0;                ///< what the transmitter adds to the field in this step, in volts
  double field = 0;                 ///< volts, when it was scattered last
  double highest = 0;               ///< of |field|
  Time scattered = -1;              ///< when; below 0: never
  Energy energy;
  std::uint32_t scatterings = 0;
  bool is_due = false;  ///< there is a Scatter for what has come

  struct UndoPulse {
    double before;
    Port port;
    bool was_due;
    void operator()(Cell& cell) const {
      cell.in[static_cast<unsigned>(port)] = before;
      cell.is_due = was_due;
    }
  };
  struct UndoTransmit {
    double before;
    bool was_due;
    void operator()(Cell& cell) const {
      cell.source = before;
      cell.is_due = was_due;
    }
  };

  static std::uint32_t count(const Params&, const Mesh& mesh) { return mesh.grid().cells(); }
  static double load(const Params&, const Mesh& mesh, std::uint32_t index) {
    return mesh.is_air(mesh.grid().place(index)) ? 1 : 0;
  }
  static double position(const Params&, const Mesh&, std::uint32_t index) { return index; }
  static void neighbours(const Params&, const Mesh& mesh, std::uint32_t index, Neighbours& to);
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params&, const Mesh& mesh) { return mesh.step(); }

  void start(Context<Cell>& cx) {
    if (cx.shared().transmits(cx.self().index()) != 0) cx.send(cx.self(), 0, Transmit{0});
  }
  // One for each port. A cell gets one pulse for each of them at a time.
  auto on(Context<Cell>& cx, const Pulse<Port::west>& pulse) noexcept { return take(cx, pulse); }
  auto on(Context<Cell>& cx, const Pulse<Port::east>& pulse) noexcept { return take(cx, pulse); }
  auto on(Context<Cell>& cx, const Pulse<Port::south>& pulse) noexcept { return take(cx, pulse); }
  auto on(Context<Cell>& cx, const Pulse<Port::north>& pulse) noexcept { return take(cx, pulse); }
  auto on(Context<Cell>& cx, const Pulse<Port::down>& pulse) noexcept { return take(cx, pulse); }
  auto on(Context<Cell>& cx, const Pulse<Port::up>& pulse) noexcept { return take(cx, pulse); }
  UndoTransmit on(Context<Cell>& cx, const Transmit& transmit) noexcept;
  auto on(Context<Cell>& cx, const Scatter&) noexcept;
  void finish(Results& results, const Finish<Cell>& cx) const;
  static void plots(const Params&, const Mesh& mesh, Plots& to);

  friend bool operator==(const Cell&, const Cell&) = default;

 private:
  template <Port kPort>
  UndoPulse take(Context<Cell>& cx, const Pulse<kPort>& pulse) {
    double& slot = in[static_cast<unsigned>(kPort)];
    const UndoPulse undo{slot, kPort, is_due};
    slot = pulse.volts;
    await_others(cx);
    return undo;
  }
  /// Ties are in an order of chance. What is sent without delay comes when all of them are there.
  void await_others(Context<Cell>& cx) {
    if (is_due) return;
    is_due = true;
    cx.send(cx.self(), 0, Scatter{});
  }
  /// Sends a pulse out through a port, to the cell there or against a wall.
  void send(Context<Cell>& cx, const Place& at, Port port, double volts);
  static void deliver(Context<Cell>& cx, std::uint32_t cell, Port port, double volts);
};

/// Keeps what a cell hears.
struct Receiver {
  using Params = tlm::Params;
  using Shared = Mesh;
  static constexpr bool encodable_events = true;

  struct Heard {
    std::uint32_t step = 0;
    double volts = 0;
    friend bool operator==(const Heard&, const Heard&) = default;
  };
  std::vector<Heard> signal;

  static std::uint32_t count(const Params&, const Mesh& mesh) {
    return static_cast<std::uint32_t>(mesh.receivers().size());
  }
  static double load(const Params&, const Mesh&, std::uint32_t) { return 0.2; }
  static double position(const Params&, const Mesh& mesh, std::uint32_t index) {
    return mesh.receivers()[index];
  }
  static void neighbours(const Params&, const Mesh&, std::uint32_t, Neighbours&) {}
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params&) { return kForever; }

  auto on(Context<Receiver>& cx, const Sample& sample) {
    const double steps = cx.now() / cx.shared().step();
    signal.push_back({static_cast<std::uint32_t>(std::lround(steps)) - 1, sample.volts});
    return [](Receiver& receiver) { receiver.signal.pop_back(); };
  }
  void finish(Results& results, const Finish<Receiver>& cx) const;
  static void plots(const Params&, Plots& to);

  friend bool operator==(const Receiver&, const Receiver&) = default;
};

inline Cell::UndoTransmit Cell::on(Context<Cell>& cx, const Transmit& transmit) noexcept {
  const UndoTransmit undo{source, is_due};
  const Mesh& mesh = cx.shared();
  source = mesh.transmits(cx.self().index()) * mesh.signal().at(transmit.step);
  await_others(cx);
  if (mesh.signal().goes_on(transmit.step)) cx.send(cx.self(), mesh.step(), Transmit{transmit.step + 1});
  return undo;
}

/// Johns' scattering at a node that joins six equal lines (shunt node). The field is a third of the sum of
/// what comes in, and each line gets the field less what came in from it. That keeps the energy.
inline auto Cell::on(Context<Cell>& cx, const Scatter&) noexcept {
  // Nearly all of it changes.
  const auto undo = [before = *this](Cell& cell) { cell = before; };
  const Mesh& mesh = cx.shared();
  const std::uint32_t self = cx.self().index();
  if (source != 0)  // as if half of it came in from every line
    for (double& volts : in) {
      const double with = volts + source / 2;
      energy.transmitted += with * with - volts * volts;
      volts = with;
    }
  // In the same order, whichever came first. Opposite ports together, so that mirrored waves have the same
  // bits.
  field = ((in[0] + in[1]) + (in[2] + in[3]) + (in[4] + in[5])) / 3;
  highest = std::max(highest, std::abs(field));
  scattered = cx.now();
  ++scatterings;
  energy.sent = 0;
  const Place at = mesh.grid().place(self);
  for (unsigned port = 0; port < kPorts; ++port) send(cx, at, static_cast<Port>(port), field - in[port]);
  mesh.for_each_receiver_in(
      self, [&](std::uint32_t k) { cx.send(cx.id<Receiver>(k), mesh.step(), Sample{field}); });
  in.fill(0);
  source = 0;
  is_due = false;
  return undo;
}

inline void Cell::send(Context<Cell>& cx, const Place& at, Port port, double volts) {
  const Mesh& mesh = cx.shared();
  const Mesh::Beside beside = mesh.beside(at, port);
  double arrives = volts;
  Port enters = opposite(port);
  if (beside.cell == Mesh::kNone) {  // it comes back from the wall, half a cell away
    arrives *= beside.reflection;
    enters = port;
    (beside.is_ground ? energy.absorbed : energy.left) += volts * volts - arrives * arrives;
  }
  if (std::abs(arrives) <= mesh.threshold()) {
    energy.cut += arrives * arrives;
    return;
  }
  energy.sent += arrives * arrives;
  deliver(cx, beside.cell == Mesh::kNone ? cx.self().index() : beside.cell, enters, arrives);
}

inline void Cell::deliver(Context<Cell>& cx, std::uint32_t cell, Port port, double volts) {
  const Time delay = cx.shared().step();
  const Id<Cell> to = cx.id(cell);
  switch (port) {
    case Port::west:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::west>{volts}));
    case Port::east:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::east>{volts}));
    case Port::south:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::south>{volts}));
    case Port::north:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::north>{volts}));
    case Port::down:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::down>{volts}));
    case Port::up:
      return static_cast<void>(cx.send(to, delay, Pulse<Port::up>{volts}));
  }
}

}  // namespace anachron::models::tlm
