// A dictionary of keys and values of the same size each in a region; without values a set. It keeps the order
// in which keys came, as Python's do. (Compact dictionaries: R. Hettinger, "More compact dictionaries with
// faster iteration", python-dev, 2012.)
#pragma once

#include <cstddef>
#include <cstdint>

#include <anachron/model/region/region.hpp>

namespace anachron::region {

/// In a state. Zeros are an empty one.
struct Dictionary {
  Offset entries;          ///< in the order of insertion, with those that were erased
  Offset table;            ///< of each hash the number of its entry, and some bits of the hash
  std::uint32_t count;     ///< keys
  std::uint32_t used;      ///< entries
  std::uint32_t capacity;  ///< for entries: 0, or a power of two
  Offset live;             ///< of each entry a bit: it was not erased
};

/// Sizes in bytes, multiples of 8. Keys are equal when their bytes are.
struct EntryLayout {
  std::uint32_t key, value;
  std::uint32_t stride() const { return key + value; }
};

inline constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};

/// The number of a key's entry, or kNoEntry. O(1).
std::uint32_t find(const Region& region, const Dictionary& in, const EntryLayout& layout, const void* key);
/// The same; adds the key with a value of zeros where there is none. kNoEntry when there is no memory: the
/// event has failed.
std::uint32_t find_or_add(Region& region, Dictionary& in, const EntryLayout& layout, const void* key);
/// Whether there was the key. O(1).
bool erase(Region& region, Dictionary& in, const EntryLayout& layout, const void* key);
/// Gives the memory back.
void clear(Region& region, Dictionary& in, const EntryLayout& layout);

/// The first entry from number `i` on that is not erased, or kNoEntry.
std::uint32_t next_entry(const Region& region, const Dictionary& in, std::uint32_t i);
/// The last entry that is not erased, or kNoEntry.
std::uint32_t last_entry(const Region& region, const Dictionary& in);

const std::byte* key_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                        std::uint32_t entry);
const std::byte* value_of(const Region& region, const Dictionary& in, const EntryLayout& layout,
                          std::uint32_t entry);
std::byte* write_value(Region& region, const Dictionary& in, const EntryLayout& layout, std::uint32_t entry);

}  // namespace anachron::region
