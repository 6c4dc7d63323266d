#include <anachron/model/region/dictionary.hpp>

#include <algorithm>
#include <cstring>

#include <anachron/base/hash.hpp>

namespace anachron::region {
namespace {

constexpr std::uint32_t kLeastCapacity = 4;
constexpr std::uint32_t kFree = 0, kErased = ~std::uint32_t{0};  // of the table; else the entry's number + 1

std::uint64_t hash_key(const void* key, std::size_t bytes) {
  std::uint64_t hash = 0x9E3779B97F4A7C15u;
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const std::byte*>(key) + i, 8);
    hash = fold_multiply(hash ^ word, 0xD6E8FEB86659FD93u);
  }
  return hash;
}

Offset entry_offset(const Dictionary& in, const EntryLayout& layout, std::uint32_t entry) {
  return static_cast<Offset>(in.entries + std::size_t{entry} * layout.stride());
}

std::uint32_t slots(const Dictionary& in) { return 2 * in.capacity; }

Offset slot_offset(const Dictionary& in, std::uint32_t slot) {
  return static_cast<Offset>(in.table + sizeof(std::uint32_t) * slot);
}

bool is_live(const Region& region, const Dictionary& in, const EntryLayout& layout, std::uint32_t entry) {
  return region.at<std::uint64_t>(entry_offset(in, layout, entry)) != 0;
}

/// The slot that has the key's entry; else, with `is_found` false, the first that is free.
struct Found {
  std::uint32_t slot;
  bool is_found;
};
Found look_up(const Region& region, const Dictionary& in, const EntryLayout& layout, const void* key) {
  const std::uint32_t mask = slots(in) - 1;
  for (auto slot = static_cast<std::uint32_t>(hash_key(key, layout.key)) & mask;; slot = (slot + 1) & mask) {
    const auto number = region.at<std::uint32_t>(slot_offset(in, slot));
    if (number == kFree) return {slot, false};
    if (number != kErased && std::memcmp(key_of(region, in, layout, number - 1), key, layout.key) == 0)
      return {slot, true};
  }
}

/// Makes room for another entry: those that are live move to a new place.
bool rebuild(Region& region, Dictionary& in, const EntryLayout& layout) {
  Dictionary moved{};
  moved.capacity = kLeastCapacity;
  while (moved.capacity <= in.count + in.count / 4) moved.capacity *= 2;
  moved.entries = region.allocate(std::size_t{moved.capacity} * layout.stride());
  moved.table = moved.entries ? region.allocate(slots(moved) * sizeof(std::uint32_t)) : 0;
  if (!moved.table) return false;
  for (std::uint32_t i = next_entry(region, in, layout, 0); i != kNoEntry;
       i = next_entry(region, in, layout, i + 1)) {
    std::memcpy(region.write(entry_offset(moved, layout, moved.used), layout.stride()),
                region.data(entry_offset(in, layout, i)), layout.stride());
    const Found free = look_up(region, moved, layout, key_of(region, in, layout, i));
    region.write<std::uint32_t>(slot_offset(moved, free.slot)) = ++moved.used;
  }
  moved.count = moved.used;
  clear(region, in, layout);
  in = moved;
  return true;
}

}  // namespace

std::uint32_t find(const Region& region, const Dictionary& in, const EntryLayout& layout, const void* key) {
  if (in.count == 0) return kNoEntry;
  const Found found = look_up(region, in, layout, key);
  return found.is_found ? region.at<std::uint32_t>(slot_offset(in, found.slot)) - 1 : kNoEntry;
}

std::uint32_t find_or_add(Region& region, Dictionary& in, const EntryLayout& layout, const void* key) {
  const std::uint32_t there = find(region, in, layout, key);
  if (there != kNoEntry) return there;
  if (in.used == in.capacity && !rebuild(region, in, layout)) return kNoEntry;
  const Found free = look_up(region, in, layout, key);
  const std::uint32_t entry = in.used++;
  ++in.count;
  region.write<std::uint32_t>(slot_offset(in, free.slot)) = entry + 1;
  std::byte* const at = region.write(entry_offset(in, layout, entry), layout.stride());
  std::memset(at, 0, layout.stride());
  at[0] = std::byte{1};
  std::memcpy(at + 8, key, layout.key);
  return entry;
}

bool erase(Region& region, Dictionary& in, const EntryLayout& layout, const void* key) {
  if (in.count == 0) return false;
  const Found found = look_up(region, in, layout, key);
  if (!found.is_found) return false;
  auto& number = region.write<std::uint32_t>(slot_offset(in, found.slot));
  region.write<std::uint64_t>(entry_offset(in, layout, number - 1)) = 0;
  number = kErased;
  if (--in.count == 0) clear(region, in, layout);
  return true;
}

void clear(Region& region, Dictionary& in, const EntryLayout& layout) {
  if (in.capacity > 0) {
    region.release(in.entries, std::size_t{in.capacity} * layout.stride());
    region.release(in.table, slots(in) * sizeof(std::uint32_t));
  }
  in = {};
}

std::uint32_t next_entry(const Region& region, const Dictionary& in, const EntryLayout& layout,
                         std::uint32_t i) {
  while (i < in.used && !is_live(region, in, layout, i)) ++i;
  return i < in.used ? i : kNoEntry;
}

std::uint32_t last_entry(const Region& region, const Dictionary& in, const EntryLayout& layout) {
  std::uint32_t i = in.used;
  while (i > 0 && !is_live(region, in, layout, i - 1)) --i;
  return i - 1;  // kNoEntry is -1
}

const std::byte* key_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                        std::uint32_t entry) {
  return region.data(entry_offset(in, layout, entry)) + 8;
}

const std::byte* value_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                          std::uint32_t entry) {
  return key_of(region, in, layout, entry) + layout.key;
}

std::byte* write_value(Region& region, const Dictionary& in, const EntryLayout& layout, std::uint32_t entry) {
  return region.write(static_cast<Offset>(entry_offset(in, layout, entry) + 8 + layout.key), layout.value);
}

}  // namespace anachron::region
