// The options of `anachron load`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/config.hpp>

#include "run/options/engine_options.hpp"

namespace anachron {

/// What the threads of a load do.
enum class LoadKind : std::uint8_t { compute, stream, communicate, io };
template <>
struct Spelling<LoadKind> {
  static constexpr std::array<std::pair<std::string_view, LoadKind>, 4> names{
      {{"compute", LoadKind::compute},
       {"stream", LoadKind::stream},
       {"communicate", LoadKind::communicate},
       {"io", LoadKind::io}}};
};

struct LoadOptions {
  LoadKind kind = LoadKind::compute;
  unsigned threads = 1;
  std::optional<std::uint64_t> period{};  ///< microseconds
  bool io = false;                        ///< instead of sleeping only
  std::optional<std::uint64_t> memory{};  ///< bytes that all streaming threads go through together
  std::optional<int> gang{};              ///< a process that takes turns with the load
  std::optional<double> slice{};          ///< seconds of each turn
  std::optional<double> seconds{};
  std::string report{};
};

inline constexpr double kUsualSlice = 0.1;

/// Bound to `options`, which must outlive them.
std::vector<GroupedOption> load_options(LoadOptions& options);

/// Throws InputError where options do not go together.
void check_together(const LoadOptions& options);

}  // namespace anachron
