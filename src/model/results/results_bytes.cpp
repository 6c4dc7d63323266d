#include "model/results/results_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>

#include "model/results/compact.hpp"

namespace anachron::detail {
namespace {

// What most of these hold does not depend on how many LPs have reported. Statistics that are mostly empty are
// written compactly, all else by the archive.
template <class Kind>
inline constexpr bool kIsCompact = std::is_same_v<Kind, Distribution> || std::is_same_v<Kind, BatchMeans>;

[[noreturn]] void fail(const std::string& what) { throw InputError("the bytes are no results: " + what); }

Results::Figure read_figure(ByteReader& bytes) {
  ArchiveReader in(bytes);
  CompactReader compact(bytes);
  const auto read = [&]<class Kind>(std::type_identity<Kind>) -> Results::Figure {
    if constexpr (std::is_same_v<Kind, Distribution>) {
      return compact.distribution();
    } else {
      Kind kind{};
      if constexpr (kIsCompact<Kind>)
        compact(kind);
      else
        in(kind);
      return kind;
    }
  };
  const std::uint64_t index = bytes.length();
  std::optional<Results::Figure> figure;
  [&]<class... Kinds>(std::type_identity<std::variant<Kinds...>>) {
    std::uint64_t i = 0;
    ((i++ == index ? static_cast<void>(figure = read(std::type_identity<Kinds>())) : void()), ...);
  }(std::type_identity<Results::Figure>());
  if (!figure) fail(fmt::format("a figure of kind {}", index));
  return *std::move(figure);
}

}  // namespace

class ResultsBytes {
 public:
  static std::vector<std::byte> write_figures(const Results& results) {
    Results figures(results.span_);
    figures.figures_ = results.figures_;
    return write(figures);
  }

  static std::vector<std::byte> write(const Results& results) {
    std::vector<std::byte> bytes;
    ByteWriter lengths(bytes);
    ArchiveWriter out(bytes);
    CompactWriter compact(bytes);
    out(results.span_);
    lengths.length(results.figures_.size());
    for (const auto& [name, figure] : results.figures_) {
      out(name);
      lengths.length(figure.index());
      std::visit(
          [&]<class Kind>(const Kind& kind) {
            if constexpr (kIsCompact<Kind>)
              compact(kind);
            else
              out(kind);
          },
          figure);
    }
    out(results.tables_);
    lengths.length(results.series_.size());
    for (const auto& [name, series] : results.series_) {
      out(name);
      compact(series);
    }
    return bytes;
  }

  static Results read(std::span<const std::byte> encoded) {
    Results results;
    ByteReader bytes(encoded);
    ArchiveReader in(bytes);
    in(results.span_);
    if (!std::isfinite(results.span_.end - results.span_.warm_up)) fail("a run without end");
    for (std::size_t left = bytes.length_of(2); left > 0; --left) read_named_figure(bytes, results);
    in(results.tables_);
    for (const auto& [name, table] : results.tables_)
      if (!std::ranges::all_of(table.rows, [&](auto& row) { return row.size() == table.columns.size(); }))
        fail("a row of the table '" + name + "' is too long or too short");
    CompactReader compact(bytes);
    for (std::size_t left = bytes.length_of(2); left > 0; --left) {
      const std::string name = compact.text();
      if (!results.series_.emplace(name, compact.read<Series>()).second) fail("two series '" + name + "'");
    }
    if (bytes.remaining() > 0) fail("there are more bytes");
    return results;
  }

 private:
  static void read_named_figure(ByteReader& bytes, Results& results) {
    std::string name = CompactReader(bytes).text();
    for (const auto& [known, figure] : results.figures_)
      if (known == name) fail("two figures '" + name + "'");
    Results::Figure figure = read_figure(bytes);
    results.figures_.emplace_back(std::move(name), std::move(figure));
  }
};

std::vector<std::byte> encoded(const Results& results) { return ResultsBytes::write(results); }
std::vector<std::byte> encoded_figures(const Results& results) {
  return ResultsBytes::write_figures(results);
}
Results decoded_results(std::span<const std::byte> bytes) { return ResultsBytes::read(bytes); }

}  // namespace anachron::detail
