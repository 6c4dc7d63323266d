#include "base/owners.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace anachron {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 17;  // entries
/// So many entries are always near: rows take a step more to look up.
constexpr std::size_t kFew = std::size_t{1} << 12;
/// With fewer on average, rows would take as much as entries.
constexpr std::size_t kLpsPerRow = 32;

/// How many LPs, as a power of two, can have one entry: no row begins among them but with the first.
/// `begins`: where rows begin, or-ed. Where there is one row, the number of LPs bounds them.
unsigned shift_of(std::size_t begins, std::size_t lps) {
  begins |= std::bit_floor(lps);
  return begins ? static_cast<unsigned>(std::countr_zero(begins)) : 0;
}

}  // namespace

Owners::Owners(const std::vector<PeId>& of_lps) : size_(of_lps.size()) {
  std::size_t begins = 0;
  std::vector<OwnerRow> rows;
  const std::size_t most = size_ / kLpsPerRow + 1;
  for (std::size_t id = 0; id < size_; ++id) {
    pes_ = std::max(pes_, std::size_t{of_lps[id]} + 1);
    if (id > 0 && of_lps[id] == of_lps[id - 1]) continue;
    begins |= id;
    if (rows.size() <= most) rows.push_back({static_cast<LpId>(id), of_lps[id]});
  }
  shift_ = shift_of(begins, size_);
  if (size_ >> shift_ <= kFew || rows.size() > most || !take_rows(rows))
    take_entries([&](std::size_t entry) { return of_lps[entry << shift_]; });
}

Owners::Owners(std::vector<OwnerRow> rows, std::size_t lps) : size_(lps) {
  const auto is_same = [](const OwnerRow& a, const OwnerRow& b) { return a.owner == b.owner; };
  rows.erase(std::unique(rows.begin(), rows.end(), is_same), rows.end());
  std::size_t begins = 0;
  for (const OwnerRow& row : rows) {
    pes_ = std::max(pes_, std::size_t{row.owner} + 1);
    begins |= row.first;
  }
  shift_ = shift_of(begins, size_);
  if (size_ >> shift_ > kFew && take_rows(rows)) return;
  std::size_t row = 0;
  take_entries([&](std::size_t entry) {
    if (row + 1 < rows.size() && entry << shift_ >= rows[row + 1].first) ++row;
    return rows[row].owner;
  });
}

/// `owner_of(entry)` is called for each, ascending.
template <class OwnerOf>
void Owners::take_entries(OwnerOf&& owner_of) {
  const std::size_t entries = (size_ + (std::size_t{1} << shift_) - 1) >> shift_;
  is_large_ = entries >= kLarge;
  form_ = pes_ <= std::numeric_limits<std::uint16_t>::max() + std::size_t{1} ? Form::narrow : Form::wide;
  const auto fill = [&]<class Entry>(std::vector<Entry>& table) {
    table.reserve(entries);
    for (std::size_t entry = 0; entry < entries; ++entry)
      table.push_back(static_cast<Entry>(owner_of(entry)));
  };
  form_ == Form::narrow ? fill(narrow_) : fill(wide_);
}

/// False: there are too many.
bool Owners::take_rows(const std::vector<OwnerRow>& rows) {
  const std::size_t most = std::max(kFew / 8, 8 * rows.size());  // entries
  if (most > size_ / 8) return false;
  shift_ = static_cast<unsigned>(std::bit_width(size_ / most));
  std::size_t row = 0;
  for (std::size_t first = 0; first < size_; first += std::size_t{1} << shift_) {
    while (row + 1 < rows.size() && rows[row + 1].first <= first) ++row;
    wide_.push_back(static_cast<std::uint32_t>(row));
  }
  wide_.push_back(static_cast<std::uint32_t>(rows.size() - 1));
  form_ = Form::rows;
  rows_ = rows;
  rows_.push_back({static_cast<LpId>(size_), 0});
  return true;
}

std::vector<OwnerRow> Owners::rows() const {
  std::vector<OwnerRow> out;
  for_each_row([&](LpId first, LpId, PeId owner) { out.push_back({first, owner}); });
  return out;
}

std::vector<PeId> Owners::of_lps() const {
  std::vector<PeId> out;
  out.reserve(size_);
  for_each_row([&](LpId first, LpId end, PeId owner) { out.insert(out.end(), end - first, owner); });
  return out;
}

void Owners::encode(ByteWriter& out) const {
  out.number(std::uint64_t{size_});
  out.number(std::uint64_t{pes_});
  out.number(shift_);
  out.number(static_cast<std::uint8_t>(form_));
  out.flag(is_large_);
  const auto list = [&](const auto& all) {
    out.length(all.size());
    out.bytes(all.data(), all.size() * sizeof all[0]);
  };
  list(narrow_);
  list(wide_);
  list(rows_);
}

Owners Owners::decode(ByteReader& in) {
  Owners owners;
  owners.size_ = in.number<std::uint64_t>();
  owners.pes_ = in.number<std::uint64_t>();
  owners.shift_ = in.number<unsigned>();
  owners.form_ = static_cast<Form>(in.number<std::uint8_t>());
  owners.is_large_ = in.flag();
  const auto list = [&](auto& all) {
    all.resize(in.length_of(sizeof all[0]));
    in.bytes(all.data(), all.size() * sizeof all[0]);
  };
  list(owners.narrow_);
  list(owners.wide_);
  list(owners.rows_);
  return owners;
}

std::uint64_t Owners::bytes() const {
  return narrow_.capacity() * sizeof(std::uint16_t) + wide_.capacity() * sizeof(std::uint32_t) +
         rows_.capacity() * sizeof(OwnerRow);
}

}  // namespace anachron
