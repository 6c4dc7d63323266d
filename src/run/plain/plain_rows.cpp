#include "run/plain/plain_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>

namespace anachron::plain {
namespace {

struct Copied {  // the rows of a table
  std::vector<std::byte> rows;
  std::vector<Time> times;
  std::vector<LpId> lps;

  explicit Copied(const Rows& table)
      : rows(table.count() * table.row_bytes()), times(table.count()), lps(table.count()) {
    table.write(rows.data(), times.data(), lps.data());
  }
};

/// So many from `first` on.
void write_some(ByteWriter& out, const Copied& all, std::size_t row_bytes, std::size_t first,
                std::size_t count) {
  out.length(count);
  for (std::size_t i = first; i < first + count; ++i) {
    out.number(all.times[i]);
    out.number(all.lps[i]);
    out.bytes(all.rows.data() + i * row_bytes, row_bytes);
  }
}

/// In pieces of about a MiB, each behind the number of its table.
void save(const Setup& setup, const CheckpointOptions::AddOutput& add) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<std::byte> bytes;
  for (std::uint32_t number = 0; number < setup.model().tables(); ++number) {
    if (!setup.model().is_saved(number)) continue;
    const Rows& table = setup.table(number);
    const Copied all(table);
    const std::size_t at_once = std::max<std::size_t>(kPiece / table.row_bytes(), 1);
    for (std::size_t first = 0; first < all.times.size(); first += at_once) {
      bytes.clear();
      ByteWriter out(bytes);
      out.number(number);
      write_some(out, all, table.row_bytes(), first, std::min(at_once, all.times.size() - first));
      add(bytes);
    }
  }
}

void restore(const Setup& setup, std::span<const std::byte> piece) {
  ByteReader in(piece);
  const auto number = in.number<std::uint32_t>();
  if (number >= setup.model().tables()) throw InputError("rows of a table that the model has no more");
  read_rows(in, setup.table(number));
}

}  // namespace

void write_rows(ByteWriter& out, const Rows& table) {
  const Copied all(table);
  write_some(out, all, table.row_bytes(), 0, all.times.size());
}

void read_rows(ByteReader& in, Rows& table) {
  std::vector<std::byte> row(table.row_bytes());
  for (std::size_t n = in.length_of(sizeof(Time) + sizeof(LpId) + row.size()); n > 0; --n) {
    const Time time = in.number<Time>();
    const LpId lp = in.number<LpId>();
    in.bytes(row.data(), row.size());
    table.add(time, lp, row);
  }
}

Config with_rows_saved(Config config, const Setup& setup) {
  config.checkpoint.save_output = [&setup](const CheckpointOptions::AddOutput& add) { save(setup, add); };
  config.checkpoint.restore_output = [&setup](std::span<const std::byte> piece) { restore(setup, piece); };
  return config;
}

}  // namespace anachron::plain
