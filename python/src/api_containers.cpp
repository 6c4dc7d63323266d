// The C interface of the Python package: lists, dictionaries, priority queues and texts in states, for
// handlers, compiled or interpreted, and for reports. Of all the first argument is the state, then comes
// where in it the container is; sizes are in bytes. Numbers of elements count from the end when they are
// below 0, as in Python.

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <anachron/model/region/dictionary.hpp>
#include <anachron/model/region/list.hpp>
#include <anachron/model/region/priority_queue.hpp>
#include <anachron/model/region/text.hpp>

#include "errors.hpp"

using namespace anachron::region;

namespace {

template <class Container>
Container& in_state(void* state, std::uint32_t place) {
  return *reinterpret_cast<Container*>(static_cast<std::byte*>(state) + place);
}

/// -1: there is no such element.
std::int64_t number_of(const List& list, std::int64_t i) {
  const std::int64_t counted = i < 0 ? i + list.count : i;
  return counted >= 0 && counted < list.count ? counted : -1;
}

}  // namespace

/// Null: there is no such element.
ANACHRON_EXPORT const void* anachron_list_read(void* state, std::uint32_t place, std::int64_t i,
                                               std::uint32_t size) noexcept {
  const List& list = in_state<List>(state, place);
  const std::int64_t number = number_of(list, i);
  return number < 0 ? nullptr : element(Region::of(state), list, static_cast<std::uint32_t>(number), size);
}
ANACHRON_EXPORT void* anachron_list_write(void* state, std::uint32_t place, std::int64_t i,
                                          std::uint32_t size) noexcept {
  const List& list = in_state<List>(state, place);
  const std::int64_t number = number_of(list, i);
  return number < 0 ? nullptr
                    : write_element(Region::of(state), list, static_cast<std::uint32_t>(number), size);
}
/// Where the new element is to be written. `i` beyond an end is that end.
ANACHRON_EXPORT void* anachron_list_insert(void* state, std::uint32_t place, std::int64_t i,
                                           std::uint32_t size) noexcept {
  List& list = in_state<List>(state, place);
  const std::int64_t counted = std::clamp<std::int64_t>(i < 0 ? i + list.count : i, 0, list.count);
  Region& region = Region::of(state);
  if (counted == 0) return push_front(region, list, size);
  return insert(region, list, static_cast<std::uint32_t>(counted), size);
}
ANACHRON_EXPORT void* anachron_list_append(void* state, std::uint32_t place, std::uint32_t size) noexcept {
  return push_back(Region::of(state), in_state<List>(state, place), size);
}
/// Copies the element to `out` and takes it away. False: there is no such element.
ANACHRON_EXPORT bool anachron_list_pop(void* state, std::uint32_t place, std::int64_t i, std::uint32_t size,
                                       void* out) noexcept {
  List& list = in_state<List>(state, place);
  const std::int64_t number = number_of(list, i);
  if (number < 0) return false;
  Region& region = Region::of(state);
  const auto at = static_cast<std::uint32_t>(number);
  std::memcpy(out, element(region, list, at, size), size);
  erase(region, list, at, size);
  return true;
}
/// The number of the first element from `from` on that is equal, or -1.
ANACHRON_EXPORT std::int64_t anachron_list_find(void* state, std::uint32_t place, const void* wanted,
                                                std::uint32_t size, std::int64_t from) noexcept {
  const List& list = in_state<List>(state, place);
  const Region& region = Region::of(state);
  for (auto i = static_cast<std::uint32_t>(from); i < list.count; ++i)
    if (std::memcmp(element(region, list, i, size), wanted, size) == 0) return i;
  return -1;
}
ANACHRON_EXPORT void anachron_list_clear(void* state, std::uint32_t place, std::uint32_t size) noexcept {
  clear(Region::of(state), in_state<List>(state, place), size);
}

/// The value; null: there is no such key.
ANACHRON_EXPORT const void* anachron_dict_read(void* state, std::uint32_t place, std::uint32_t key_size,
                                               std::uint32_t value_size, const void* key) noexcept {
  const EntryLayout layout{key_size, value_size};
  const Dictionary& in = in_state<Dictionary>(state, place);
  const Region& region = Region::of(state);
  const std::uint32_t entry = find(region, in, layout, key);
  return entry == kNoEntry ? nullptr : value_of(region, in, layout, entry);
}
/// Where the value is to be written; the key is added if there is none. Null: the event has failed.
ANACHRON_EXPORT void* anachron_dict_write(void* state, std::uint32_t place, std::uint32_t key_size,
                                          std::uint32_t value_size, const void* key) noexcept {
  const EntryLayout layout{key_size, value_size};
  Dictionary& in = in_state<Dictionary>(state, place);
  Region& region = Region::of(state);
  const std::uint32_t entry = find_or_add(region, in, layout, key);
  return entry == kNoEntry ? nullptr : write_value(region, in, layout, entry);
}
/// False: there was no such key. `out`, if it is not null, gets the value.
ANACHRON_EXPORT bool anachron_dict_pop(void* state, std::uint32_t place, std::uint32_t key_size,
                                       std::uint32_t value_size, const void* key, void* out) noexcept {
  const EntryLayout layout{key_size, value_size};
  Dictionary& in = in_state<Dictionary>(state, place);
  Region& region = Region::of(state);
  const std::uint32_t entry = find(region, in, layout, key);
  if (entry == kNoEntry) return false;
  if (out) std::memcpy(out, value_of(region, in, layout, entry), value_size);
  return erase(region, in, layout, key);
}
/// The number of the first entry from `from` on; below 0: there is none. Of -1 the last entry.
ANACHRON_EXPORT std::int64_t anachron_dict_next(void* state, std::uint32_t place,
                                                std::int64_t from) noexcept {
  const Dictionary& in = in_state<Dictionary>(state, place);
  const Region& region = Region::of(state);
  const std::uint32_t entry =
      from < 0 ? last_entry(region, in) : next_entry(region, in, static_cast<std::uint32_t>(from));
  return entry == kNoEntry ? -1 : std::int64_t{entry};
}
ANACHRON_EXPORT const void* anachron_dict_key(void* state, std::uint32_t place, std::uint32_t key_size,
                                              std::uint32_t value_size, std::int64_t entry) noexcept {
  return key_of(Region::of(state), in_state<Dictionary>(state, place), {key_size, value_size},
                static_cast<std::uint32_t>(entry));
}
ANACHRON_EXPORT const void* anachron_dict_value(void* state, std::uint32_t place, std::uint32_t key_size,
                                                std::uint32_t value_size, std::int64_t entry) noexcept {
  return value_of(Region::of(state), in_state<Dictionary>(state, place), {key_size, value_size},
                  static_cast<std::uint32_t>(entry));
}
ANACHRON_EXPORT void anachron_dict_clear(void* state, std::uint32_t place, std::uint32_t key_size,
                                         std::uint32_t value_size) noexcept {
  clear(Region::of(state), in_state<Dictionary>(state, place), {key_size, value_size});
}

/// Null: it is empty.
ANACHRON_EXPORT const void* anachron_text_read(void* state, std::uint32_t place) noexcept {
  const auto& text = in_state<Text>(state, place);
  return text.size == 0 ? nullptr : Region::of(state).data(text.offset);
}
/// Where its new content is to be written. Null: it is empty, or the event has failed.
ANACHRON_EXPORT void* anachron_text_write(void* state, std::uint32_t place, std::uint32_t size) noexcept {
  return write(Region::of(state), in_state<Text>(state, place), size);
}

/// Where the new element is to be written.
ANACHRON_EXPORT void* anachron_queue_push(void* state, std::uint32_t place, double priority,
                                          std::uint32_t size) noexcept {
  return push(Region::of(state), in_state<PriorityQueue>(state, place), priority, size);
}
/// False: it is empty.
ANACHRON_EXPORT bool anachron_queue_pop(void* state, std::uint32_t place, std::uint32_t size,
                                        void* out) noexcept {
  auto& in = in_state<PriorityQueue>(state, place);
  if (in.count == 0) return false;
  std::memcpy(out, pop(Region::of(state), in, size), size);
  return true;
}
/// The first element; its priority lies 16 bytes before. Null: it is empty.
ANACHRON_EXPORT const void* anachron_queue_top(void* state, std::uint32_t place) noexcept {
  const auto& in = in_state<PriorityQueue>(state, place);
  return in.count == 0 ? nullptr : top(Region::of(state), in);
}
ANACHRON_EXPORT void anachron_queue_clear(void* state, std::uint32_t place, std::uint32_t size) noexcept {
  clear(Region::of(state), in_state<PriorityQueue>(state, place), size);
}
