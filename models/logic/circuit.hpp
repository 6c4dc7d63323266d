// What all LPs of a circuit read and none changes: gates and wires as they are used, dealt to LPs.
//
// An LP has a block of gates that are near each other. Gates are cut into equal parts in one of two orders:
// that of the file, or that in which a depth-first search from the outputs leaves them. The one with fewer
// wires between parts is taken. Within a block nets have numbers of their own: first the outputs of its
// gates, then what it reads from elsewhere. Gates without delay are in one block with those that read them,
// and behind those that they answer to.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <anachron/model/model.hpp>

#include "logic/input/netlist.hpp"
#include "logic/input/stimuli.hpp"
#include "logic/net.hpp"
#include "logic/output/vcd.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

class Activity;

class Circuit {
 public:
  /// Reads or generates the netlist, writes it as Verilog if that is wanted. Throws InputError.
  explicit Circuit(const Params& params);

  /// A gate as those rare events read it that cannot do with its `Net`.
  struct Cell {
    std::uint32_t first_pin;  ///< inputs, as nets of the block
    std::uint16_t pins;
    Op op;
  };
  static constexpr std::uint32_t kLongest = 4096;  ///< delay in steps

  /// What a block reads from an input of the circuit.
  struct Stimulated {
    std::uint32_t input, net;
  };
  struct Scripted {
    std::uint64_t time;
    std::uint32_t net;
    Value value;
  };
  struct Reader {
    std::uint32_t block, net;
  };

  /// One LP's part.
  struct Block {
    std::uint32_t first_cell = 0, cells = 0;
    std::uint32_t first_net = 0, nets = 0;  ///< into the arrays that have a place for each net of each block
    std::vector<Stimulated> stimulated;     ///< random inputs and clocks
    std::vector<Scripted> scripted;         ///< from the file, by time
    std::vector<std::pair<std::uint32_t, std::uint32_t>> outputs;  ///< of the circuit: number and net
    std::vector<std::uint32_t> neighbours;                         ///< blocks that read from this one
  };

  std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_.size()); }
  const Block& block(std::uint32_t index) const { return blocks_[index]; }
  const Cell& cell(const Block& block, std::uint32_t gate) const { return cells_[block.first_cell + gate]; }
  std::uint32_t pin(const Cell& cell, std::uint32_t k) const { return pins_[cell.first_pin + k]; }
  /// Calls `answer(const After&)` for each gate without memory that answers to the net, and for each of its
  /// inputs that reads it.
  template <class Answer>
  void for_each_after(const Net& net, Answer answer) const {
    if (net.first_after == kNone) return;
    for (const After* next = after_.data() + net.first_after;; ++next) {
      answer(*next);
      if (next->is_last()) return;
    }
  }
  /// Flip-flops of which the net is the clock.
  std::span<const std::uint32_t> flops_after(const Block& block, std::uint32_t net) const {
    const std::uint32_t k = block.first_net + net;
    return {flops_after_.data() + first_flop_[k], flops_after_.data() + first_flop_[k + 1]};
  }
  /// Who else reads the output of a gate: number among the block's neighbours, and net there.
  std::span<const Reader> readers(const Block& block, std::uint32_t gate) const {
    return {readers_.data() + first_reader_[block.first_cell + gate],
            readers_.data() + first_reader_[block.first_cell + gate + 1]};
  }

  /// Where a gate of the netlist is: its block, and its number there.
  Reader place(std::uint32_t gate) const { return places_[gate]; }

  /// The nets of a block before the start.
  std::span<const Net> nets(const Block& block) const {
    return std::span(nets_).subspan(block.first_net, block.nets);
  }

  /// Its number in the VCD file, or kNone. Only with vcd().
  std::uint32_t watched(const Block& block, std::uint32_t net) const {
    return watched_[block.first_net + net];
  }

  const Netlist& netlist() const { return netlist_; }
  const Stimuli& stimuli() const { return stimuli_; }
  const Vcd* vcd() const { return vcd_.get(); }
  void output_files(ModelFiles& to) const {
    if (!vcd_) return;
    to.add(vcd_->file(), [this](Time end) { vcd_->end(static_cast<std::uint64_t>(end)); });
  }

  /// Ticks of which all times are multiples.
  std::uint64_t step() const { return step_; }
  std::uint32_t slots() const { return slots_; }  ///< more than the longest delay in steps; a power of two
  std::uint32_t undriven() const { return undriven_; }
  /// Some gates are without delay: settling.hpp.
  bool has_immediate() const { return has_immediate_; }
  /// Found at the first call.
  const Activity& activity() const;

 private:
  class Build;

  Netlist netlist_;
  Stimuli stimuli_;
  std::unique_ptr<Vcd> vcd_;
  std::uint64_t step_ = 1;
  std::uint32_t slots_ = 2, undriven_ = 0;
  bool has_immediate_ = false;
  std::vector<Block> blocks_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> pins_;
  std::vector<Net> nets_;
  std::vector<After> after_;
  std::vector<std::uint32_t> first_flop_, flops_after_, watched_;
  std::vector<std::uint32_t> first_reader_;
  std::vector<Reader> readers_;
  std::vector<Reader> places_;  // by gate of the netlist
  mutable std::once_flag activity_is_known_;
  mutable std::shared_ptr<const Activity> activity_;
};

}  // namespace anachron::models::logic
