// The cells of space, numbered so that a run of numbers is a slab along x.
#pragma once

#include <cstdint>
#include <string_view>

namespace anachron::models::tlm {

/// Where a cell is, counted from 0. z is up.
struct Place {
  std::uint32_t x = 0, y = 0, z = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The lines of a cell, to the cells beside it. Opposite ones differ in the last bit.
enum class Port : std::uint8_t { west, east, south, north, down, up };
inline constexpr unsigned kPorts = 6;

constexpr Port opposite(Port port) { return static_cast<Port>(static_cast<unsigned>(port) ^ 1u); }

class Grid {
 public:
  static constexpr std::uint32_t kLargest = 65'535;  // of a side

  /// Reads "XxYxZ". Throws InputError that says what is valid.
  explicit Grid(std::string_view text);

  std::uint32_t columns() const { return columns_; }  ///< along x
  std::uint32_t rows() const { return rows_; }        ///< along y
  std::uint32_t layers() const { return layers_; }    ///< along z
  std::uint32_t cells() const { return columns_ * rows_ * layers_; }

  std::uint32_t index(const Place& at) const { return (at.x * rows_ + at.y) * layers_ + at.z; }
  Place place(std::uint32_t index) const {
    const std::uint32_t column = index / layers_;
    return {column / rows_, column % rows_, index % layers_};
  }
  /// Of the cells above each other that `index` is one of; 0 .. columns() * rows() - 1.
  std::uint32_t stack(const Place& at) const { return at.x * rows_ + at.y; }

 private:
  std::uint32_t columns_ = 0, rows_ = 0, layers_ = 0;
};

}  // namespace anachron::models::tlm
