#include "tlm/terrain.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/rng.hpp>

#include "tlm/input/heights.hpp"

namespace anachron::models::tlm {

namespace {

/// Generated hills: smooth bumps at random places, of which the highest has the height that is wished.
class Hills {
 public:
  Hills(const Params& params, double width, double depth, double height) {
    std::uint64_t draws = 0;
    Rng rng(params.place_seed, 0, draws, RngStream::shared);
    constexpr int kHills = 12;
    for (int i = 0; i < kHills; ++i) {
      const double x = rng.uniform(0, width), y = rng.uniform(0, depth);
      const double radius = rng.uniform(0.1, 0.3) * std::max(width, depth);
      hills_.push_back({x, y, radius, i == 0 ? height : rng.uniform(0.3, 1) * height});
    }
  }
  double at(double x, double y) const {
    double highest = 0;
    for (const Hill& hill : hills_) {
      const double dx = (x - hill.x) / hill.radius, dy = (y - hill.y) / hill.radius;
      const double inside = 1 - (dx * dx + dy * dy);
      if (inside > 0) highest = std::max(highest, hill.height * inside * inside);
    }
    return highest;
  }

 private:
  struct Hill {
    double x, y, radius, height;  // metres
  };
  std::vector<Hill> hills_;
};

}  // namespace

template <class Height>
void Terrain::fill(const Params& params, const Grid& grid, Height&& height) {
  filled_.resize(std::size_t{grid.columns()} * grid.rows());
  for (std::uint32_t x = 0; x < grid.columns(); ++x)
    for (std::uint32_t y = 0; y < grid.rows(); ++y) {
      // So many cells have their centres below the surface.
      const double surface = height((x + 0.5) * params.cell, (y + 0.5) * params.cell) / params.cell + 0.5;
      if (surface >= grid.layers() + 1.0 || static_cast<std::uint32_t>(surface) >= grid.layers())
        throw InputError("--terrain " + params.terrain + ": the ground reaches the top of --grid " +
                         params.grid + " at " + format_value((x + 0.5) * params.cell) + ", " +
                         format_value((y + 0.5) * params.cell) + " m: more layers are needed");
      filled_[grid.stack({x, y, 0})] = static_cast<std::uint16_t>(surface);
    }
}

Terrain::Terrain(const Params& params, const Grid& grid) {
  const std::string& name = params.terrain;
  const double width = grid.columns() * params.cell, depth = grid.rows() * params.cell;
  if (name == "none") {
    has_floor_ = false;
  } else if (name == "hills") {
    const double height = params.hill_height > 0 ? params.hill_height : 0.5 * grid.layers() * params.cell;
    fill(params, grid,
         [hills = Hills(params, width, depth, height)](double x, double y) { return hills.at(x, y); });
  } else if (name.find_first_of("./") != std::string::npos) {
    const Heights heights(name);
    if (heights.width() < width || heights.depth() < depth)
      throw InputError("--terrain " + name + ": the file has " + format_value(heights.width()) + " x " +
                       format_value(heights.depth()) + " m, --grid " + params.grid + " needs " +
                       format_value(width) + " x " + format_value(depth) + " m");
    fill(params, grid, [&heights](double x, double y) { return heights.at(x, y); });
  } else if (name != "flat") {
    throw bad_value("terrain", name, "none, flat, hills, or the path of a file, as ./FILE");
  }
}

}  // namespace anachron::models::tlm
