#include "logic/input/lut.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace anachron::models::logic {

namespace {

class Lut {
 public:
  Lut(Netlist& netlist, std::string_view output, std::vector<NetIndex> inputs, std::vector<bool> table,
      const Delays& delays, std::uint32_t line)
      : netlist_(netlist),
        name_(output),
        output_(netlist.net(output)),
        inputs_(std::move(inputs)),
        table_(std::move(table)),
        delays_(delays),
        line_(line),
        inverted_(inputs_.size(), kNone) {}

  void add() {
    drop_unused_inputs();
    if (inputs_.empty()) return netlist_.alias(output_, table_[0] ? Netlist::kOne : Netlist::kZero, line_);
    if (inputs_.size() == 1) return end(table_[1] ? Op::buf : Op::not_, inputs_);
    if (is_parity(table_[0])) return end(table_[0] ? Op::xnor : Op::xor_, inputs_);
    // The rarer value, as a sum of products.
    const auto ones = static_cast<std::size_t>(std::count(table_.begin(), table_.end(), true));
    const bool is_sum_of_zeros = 2 * ones > table_.size();
    std::vector<NetIndex> products;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table_.size(); ++row)
      if (table_[row] != is_sum_of_zeros) rows.push_back(row);
    if (rows.size() == 1) return end_with_product(rows[0], is_sum_of_zeros);
    for (const std::size_t row : rows) products.push_back(gate(Op::and_, literals(row)));
    end(is_sum_of_zeros ? Op::nor : Op::or_, products);
  }

 private:
  /// Of the row in which this input is 0, and of that in which it is 1, the value is the same.
  bool is_unused(std::size_t input) const {
    const std::size_t bit = std::size_t{1} << input;
    for (std::size_t row = 0; row < table_.size(); ++row)
      if (table_[row] != table_[row ^ bit]) return false;
    return true;
  }
  void drop_unused_inputs() {
    for (std::size_t k = inputs_.size(); k-- > 0;) {
      if (!is_unused(k)) continue;
      inputs_.erase(inputs_.begin() + static_cast<std::ptrdiff_t>(k));
      std::vector<bool> half;
      for (std::size_t row = 0; row < table_.size(); ++row)
        if (!(row >> k & 1)) half.push_back(table_[row]);
      table_ = std::move(half);
    }
  }
  bool is_parity(bool of_none) const {
    for (std::size_t row = 0; row < table_.size(); ++row)
      if (table_[row] != (of_none != (std::popcount(row) % 2 == 1))) return false;
    return true;
  }

  void end_with_product(std::size_t row, bool is_inverted) {
    if (row == 0) return end(is_inverted ? Op::or_ : Op::nor, inputs_);
    end(is_inverted ? Op::nand : Op::and_, literals(row));
  }
  std::vector<NetIndex> literals(std::size_t row) {
    std::vector<NetIndex> result;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      if (!(row >> k & 1) && inverted_[k] == kNone) inverted_[k] = gate(Op::not_, {inputs_[k]});
      result.push_back(row >> k & 1 ? inputs_[k] : inverted_[k]);
    }
    return result;
  }

  /// One without delay. '#' begins a comment in a netlist, so no net there has such a name.
  NetIndex gate(Op op, const std::vector<NetIndex>& inputs) {
    const NetIndex net = netlist_.net(name_ + '#' + std::to_string(made_++));
    netlist_.add_gate(op, {0, 0}, net, inputs, line_);
    return net;
  }
  void end(Op op, const std::vector<NetIndex>& inputs) {
    netlist_.add_gate(op, delays_.of(op), output_, inputs, line_);
  }

  Netlist& netlist_;
  const std::string name_;
  const NetIndex output_;
  std::vector<NetIndex> inputs_;
  std::vector<bool> table_;
  const Delays& delays_;
  const std::uint32_t line_;
  std::vector<NetIndex> inverted_;  // of each input, if it is needed
  unsigned made_ = 0;
};

}  // namespace

void add_lut(Netlist& netlist, std::string_view output, std::vector<NetIndex> inputs, std::vector<bool> table,
             const Delays& delays, std::uint32_t line) {
  Lut(netlist, output, std::move(inputs), std::move(table), delays, line).add();
}

}  // namespace anachron::models::logic
