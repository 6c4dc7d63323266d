// The grid of cells: columns and rows, joined at their ends.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pcs/params.hpp"

namespace anachron::models::pcs {

enum class Side : std::uint32_t { east, west, south, north };

/// Cells are numbered row by row. What all cells share.
class Torus {
 public:
  static constexpr std::uint32_t kSmallest = 2, kLargest = 65'535, kSides = 4;

  /// Reads "COLSxROWS". Throws InputError that says what is valid.
  explicit Torus(std::string_view grid);
  explicit Torus(const Params& params) : Torus(params.grid) {}

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  std::uint32_t cells() const { return columns_ * rows_; }

  /// The cell beside `cell` < cells(). With two columns that to the east is also that to the west.
  std::uint32_t beside(std::uint32_t cell, Side side) const {
    const std::uint32_t column = cell % columns_;
    switch (side) {
      case Side::east:
        return column + 1 < columns_ ? cell + 1 : cell - column;
      case Side::west:
        return column > 0 ? cell - 1 : cell + (columns_ - 1);
      case Side::south:
        return cell < cells() - columns_ ? cell + columns_ : column;
      case Side::north:
        return cell >= columns_ ? cell - columns_ : cell + (cells() - columns_);
    }
    return cell;
  }

 private:
  std::uint32_t columns_ = 0, rows_ = 0;
};

}  // namespace anachron::models::pcs
