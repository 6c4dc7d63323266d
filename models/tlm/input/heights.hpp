// Heights of a landscape, from a file in the format "ESRI ASCII grid" (also "Arc/Info ASCII grid"). Its
// header has `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize` and
// possibly `NODATA_value`, each with a number. Then come the heights row by row, the northernmost row first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anachron::models::tlm {

class Heights {
 public:
  /// Throws InputError that names file, line and what is valid there.
  explicit Heights(const std::string& path);

  double width() const { return static_cast<double>(columns_) * side_; }  ///< metres from west to east
  double depth() const { return static_cast<double>(rows_) * side_; }     ///< metres from south to north
  /// Metres above the lowest point of the file, where x metres from its western and y from its southern edge;
  /// within the file.
  double at(double x, double y) const;

 private:
  std::uint64_t columns_ = 0, rows_ = 0;
  double side_ = 0;             // of a field, in metres
  std::vector<float> heights_;  // row by row from the north
};

}  // namespace anachron::models::tlm
