#include <anachron/model/region/dictionary.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include <anachron/base/hash.hpp>

namespace anachron::region {
namespace {

constexpr std::uint32_t kLeastCapacity = 4;
constexpr std::uint32_t kFree = 0;   // of the table
constexpr std::uint32_t kBits = 64;  // of a word of `live`

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

std::size_t live_bytes(const Dictionary& in) { return (in.capacity + kBits - 1) / kBits * 8; }

Offset live_offset(const Dictionary& in, std::uint32_t entry) {
  return static_cast<Offset>(in.live + entry / kBits * 8);
}
std::uint64_t live_bit(std::uint32_t entry) { return std::uint64_t{1} << entry % kBits; }

/// What a slot has in its low bits: the entry's number + 1. The bits above are those of the hash's upper
/// half, so that few entries are looked at in vain. An entry that was erased has the number 0, and all bits
/// above.
std::uint32_t number_mask(const Dictionary& in) { return 2 * in.capacity - 1; }

bool equal_keys(const std::byte* a, const void* b, std::size_t bytes) {
  if (bytes != 8) return std::memcmp(a, b, bytes) == 0;
  std::uint64_t left, right;
  std::memcpy(&left, a, 8);
  std::memcpy(&right, b, 8);
  return left == right;
}

/// The slot that has the key's entry; else, with `is_found` false, the first that is free. `tag`: what the
/// slot has of the hash.
struct Found {
  std::uint32_t slot, tag, entry;
  bool is_found;
};
Found look_up(const Region& region, const Dictionary& in, const EntryLayout& layout, const void* key) {
  const std::uint32_t mask = slots(in) - 1, numbers = number_mask(in);
  const std::uint64_t hash = hash_key(key, layout.key);
  const std::uint32_t tag = static_cast<std::uint32_t>(hash >> 32) & ~numbers;
  for (auto slot = static_cast<std::uint32_t>(hash) & mask;; slot = (slot + 1) & mask) {
    const auto content = region.at<std::uint32_t>(slot_offset(in, slot));
    if (content == kFree) return {slot, tag, kNoEntry, false};
    const std::uint32_t number = content & numbers;
    if ((content & ~numbers) == tag && number != 0 &&
        equal_keys(key_of(region, in, layout, number - 1), key, layout.key))
      return {slot, tag, number - 1, true};
  }
}

/// Makes room for another entry: those that are live move to a new place.
bool rebuild(Region& region, Dictionary& in, const EntryLayout& layout) {
  Dictionary moved{};
  moved.capacity = kLeastCapacity;
  while (moved.capacity <= in.count + in.count / 4) moved.capacity *= 2;
  moved.entries = region.allocate(std::size_t{moved.capacity} * layout.stride());
  moved.table = moved.entries ? region.allocate(slots(moved) * sizeof(std::uint32_t)) : 0;
  moved.live = moved.table ? region.allocate(live_bytes(moved)) : 0;
  if (!moved.live) return false;
  for (std::uint32_t i = next_entry(region, in, 0); i != kNoEntry; i = next_entry(region, in, i + 1)) {
    std::memcpy(region.write(entry_offset(moved, layout, moved.used), layout.stride()),
                region.data(entry_offset(in, layout, i)), layout.stride());
    const Found free = look_up(region, moved, layout, key_of(region, in, layout, i));
    region.write<std::uint64_t>(live_offset(moved, moved.used)) |= live_bit(moved.used);
    region.write<std::uint32_t>(slot_offset(moved, free.slot)) = ++moved.used | free.tag;
  }
  moved.count = moved.used;
  clear(region, in, layout);
  in = moved;
  return true;
}

}  // namespace

std::uint32_t find(const Region& region, const Dictionary& in, const EntryLayout& layout, const void* key) {
  if (in.count == 0) return kNoEntry;
  return look_up(region, in, layout, key).entry;
}

std::uint32_t find_or_add(Region& region, Dictionary& in, const EntryLayout& layout, const void* key) {
  const std::uint32_t there = find(region, in, layout, key);
  if (there != kNoEntry) return there;
  if (in.used == in.capacity && !rebuild(region, in, layout)) return kNoEntry;
  const Found free = look_up(region, in, layout, key);
  const std::uint32_t entry = in.used++;
  ++in.count;
  region.write<std::uint32_t>(slot_offset(in, free.slot)) = (entry + 1) | free.tag;
  region.write<std::uint64_t>(live_offset(in, entry)) |= live_bit(entry);
  std::byte* const at = region.write(entry_offset(in, layout, entry), layout.stride());
  std::memcpy(at, key, layout.key);
  std::memset(at + layout.key, 0, layout.value);
  return entry;
}

bool erase(Region& region, Dictionary& in, const EntryLayout& layout, const void* key) {
  if (in.count == 0) return false;
  const Found found = look_up(region, in, layout, key);
  if (!found.is_found) return false;
  region.write<std::uint32_t>(slot_offset(in, found.slot)) = ~number_mask(in);
  region.write<std::uint64_t>(live_offset(in, found.entry)) &= ~live_bit(found.entry);
  if (--in.count == 0) clear(region, in, layout);
  return true;
}

void clear(Region& region, Dictionary& in, const EntryLayout& layout) {
  if (in.capacity > 0) {
    region.release(in.entries, std::size_t{in.capacity} * layout.stride());
    region.release(in.table, slots(in) * sizeof(std::uint32_t));
    region.release(in.live, live_bytes(in));
  }
  in = {};
}

std::uint32_t next_entry(const Region& region, const Dictionary& in, std::uint32_t i) {
  while (i < in.used) {
    const std::uint64_t rest = region.at<std::uint64_t>(live_offset(in, i)) >> i % kBits;
    if (rest != 0) return i + static_cast<std::uint32_t>(std::countr_zero(rest));
    i = (i / kBits + 1) * kBits;
  }
  return kNoEntry;
}

std::uint32_t last_entry(const Region& region, const Dictionary& in) {
  std::uint32_t i = in.used;
  while (i > 0 && (region.at<std::uint64_t>(live_offset(in, i - 1)) & live_bit(i - 1)) == 0) --i;
  return i - 1;  // kNoEntry is -1
}

const std::byte* key_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                        std::uint32_t entry) {
  return region.data(entry_offset(in, layout, entry));
}

const std::byte* value_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                          std::uint32_t entry) {
  return key_of(region, in, layout, entry) + layout.key;
}

std::byte* write_value(Region& region, const Dictionary& in, const EntryLayout& layout, std::uint32_t entry) {
  return region.write(static_cast<Offset>(entry_offset(in, layout, entry) + layout.key), layout.value);
}

}  // namespace anachron::region
