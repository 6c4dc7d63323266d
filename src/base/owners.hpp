// Which PE owns each LP, in one table that all threads look at with most messages.
//
// Blocks of LPs take a row for each block, however many LPs there are. Owners that change all the time take
// an entry for each LP. A table of millions of entries would leave no room in a core's cache for other
// things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

namespace anachron {

/// LPs that follow one another, of one owner: up to the next row's first, or the last LP.
struct OwnerRow {
  LpId first;
  PeId owner;

  friend bool operator==(const OwnerRow&, const OwnerRow&) = default;
};

class Owners {
 public:
  Owners() = default;
  /// The owner of each LP. O(LPs).
  explicit Owners(const std::vector<PeId>& of_lps);
  /// The same in rows, ascending; the first is of LP 0. O(rows), but for rows so short that this is O(LPs).
  /// Precondition: there are LPs where there are rows.
  Owners(std::vector<OwnerRow> rows, std::size_t lps);

  std::size_t size() const { return size_; }
  ANACHRON_INLINE PeId operator[](LpId id) const {
    if (form_ == Form::narrow) [[likely]]
      return narrow_[id >> shift_];
    return form_ == Form::wide ? wide_[id >> shift_] : rows_[row_of(id)].owner;
  }
  /// Fetches what `[]` will read, if the table is too large for a core's cache.
  ANACHRON_INLINE void fetch(LpId id) const {
    if (is_large_) [[unlikely]]
      fetch_entry(id);
  }
  /// Calls `visit(first, end, owner)` for each row, ascending. O(rows) if it is kept in rows, else O(LPs).
  template <class Visit>
  void for_each_row(Visit&& visit) const;
  /// Of each LP. O(LPs).
  std::vector<PeId> of_lps() const;
  /// Appends the table, for another process of the same machine type.
  void encode(ByteWriter& out) const;
  /// What `encode` has written. Throws InputError when the bytes are cut off.
  static Owners decode(ByteReader& in);
  /// The greatest number of an owner, plus one.
  std::size_t pes() const { return pes_; }
  /// Memory of the table.
  std::uint64_t bytes() const;

  friend bool operator==(const Owners& a, const Owners& b) {
    return a.size() == b.size() && a.rows() == b.rows();
  }

 private:
  // An entry for each 2^shift LPs, of 16 bits as long as that is enough. Or the row that its first LP is in;
  // behind the last of these is the last row.
  enum class Form : std::uint8_t { narrow, wide, rows };

  template <class OwnerOf>
  void take_entries(OwnerOf&& owner_of);
  bool take_rows(const std::vector<OwnerRow>& rows);
  std::vector<OwnerRow> rows() const;
  std::size_t row_of(LpId id) const {
    std::size_t row = wide_[id >> shift_], last = wide_[(id >> shift_) + 1];
    while (row < last) {  // rarely: few rows begin between two entries
      const std::size_t middle = (row + last + 1) / 2;
      if (rows_[middle].first <= id)
        row = middle;
      else
        last = middle - 1;
    }
    return row;
  }
  void fetch_entry(LpId id) const {
    if (form_ == Form::narrow) return prefetch(&narrow_[id >> shift_]);
    prefetch(&wide_[id >> shift_]);
  }

  std::size_t size_ = 0, pes_ = 0;
  unsigned shift_ = 0;
  Form form_ = Form::narrow;
  bool is_large_ = false;
  std::vector<std::uint16_t> narrow_;
  std::vector<std::uint32_t> wide_;
  std::vector<OwnerRow> rows_;  // and behind the last one the end
};

template <class Visit>
void Owners::for_each_row(Visit&& visit) const {
  if (form_ == Form::rows) {
    for (std::size_t row = 0; row + 1 < rows_.size(); ++row)
      visit(rows_[row].first, rows_[row + 1].first, rows_[row].owner);
    return;
  }
  const std::size_t step = std::size_t{1} << shift_;
  for (std::size_t first = 0, end = 0; first < size_; first = end) {
    const PeId owner = (*this)[static_cast<LpId>(first)];
    do end = end + step < size_ ? end + step : size_;
    while (end < size_ && (*this)[static_cast<LpId>(end)] == owner);
    visit(static_cast<LpId>(first), static_cast<LpId>(end), owner);
  }
}

}  // namespace anachron
