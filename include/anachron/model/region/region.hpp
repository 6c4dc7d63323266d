// The memory of an LP's state that grows: containers and processes of models that are described at run time
// live in it. A region is a stretch of bytes. All in it is named by its offset, never by its address, so that
// a copy of the bytes is a copy of all that is in them.
//
// A state that has a region begins with the address of it, and is copied with a copy of it. Beside that,
// what an event changes can be saved line by line: see `begin`. (Incremental state saving: D. Jefferson,
// "Virtual Time II", PODC 1990; lines as units as in S. Franks et al., "State saving for interactive
// optimistic simulation", PADS 1997.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/event/effect.hpp>

namespace anachron::event {
struct Frame;
}

namespace anachron::region {

/// Where something is in a region; 0 is nowhere.
using Offset = std::uint32_t;

/// Invariant: two regions are equal when their bytes in use are; what lies behind these counts nothing.
class Region {
  static constexpr std::size_t kClasses = 28;  // blocks of 16 bytes, 32, 64, ..

 public:
  static constexpr Offset kLine = 64;               // what is saved at once
  static constexpr Offset kMost = Offset{1} << 31;  // bytes of a region

  /// An empty one for states of so many bytes, which states share until they write to theirs.
  explicit Region(std::size_t state_bytes);
  Region(const Region& other);
  Region& operator=(const Region&) = delete;
  ~Region();

  /// Of a state.
  static Region& of(void* state) { return **static_cast<Region**>(state); }
  static const Region& of(const void* state) { return **static_cast<Region* const*>(state); }

  // What the kernel does with states that begin with a region's address (event/ops.hpp).
  static void copy_state(void* to_raw, const void* from);
  static void restore_state(void* to, void* from_copy);
  static void destroy_state(void* state) noexcept;
  static bool equal_states(const void* a, const void* b);
  static Failure encode_state(const void* state, std::vector<std::byte>& out);
  static Failure decode_state(void* state, ByteReader& in);

  /// An event of the LP begins. Unless `keep_undo` is false, the frame gets what undoes all that is written
  /// to the state and to the region until the next `begin`. The state gets a region of its own.
  static Region& begin(void* state, event::Frame& frame, bool keep_undo);

  void* call = nullptr;  ///< of the handler that is called, for who needs it in what it calls

  std::span<const std::byte> bytes() const { return {base_, used()}; }
  std::size_t state_bytes() const { return state_bytes_; }

  template <class T>
  const T& at(Offset offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return *reinterpret_cast<const T*>(base_ + offset);
  }
  const std::byte* data(Offset offset) const { return base_ + offset; }
  /// The same to write to: saves what is there. Valid until something is allocated.
  template <class T>
  T& write(Offset offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    return *reinterpret_cast<T*>(write(offset, sizeof(T)));
  }
  std::byte* write(Offset offset, std::size_t bytes) {
    if (frame_ && bytes > 0) save(offset, bytes);
    return base_ + offset;
  }

  /// Zeroed memory, aligned to 16 bytes, of 64 and more to lines. 0 when there is none: the event has failed.
  /// Moves all that is in the region. O(bytes).
  Offset allocate(std::size_t bytes);
  /// `bytes`: as they were allocated.
  void release(Offset offset, std::size_t bytes);

  /// Where the first block lies that is allocated, if it takes a line or more.
  static constexpr Offset kFirst = 2 * kLine;
  bool is_empty() const { return used() <= kFirst; }

 private:
  struct Header {
    std::uint32_t used;
    Offset free[kClasses];  // of each size the first free block, which begins with the offset of the next
  };
  static_assert(sizeof(Header) <= kFirst && sizeof(Header) > kFirst - kLine);
  struct SavedLine;
  struct SavedState;

  const Header& header() const { return *reinterpret_cast<const Header*>(base_); }
  Offset used() const { return base_ ? header().used : 0; }
  void save(Offset offset, std::size_t bytes);
  void save_line(Offset line);
  bool grow(std::size_t bytes);
  void make_header();
  Offset& free_list(std::size_t size_class);
  static std::size_t class_of(std::size_t bytes);

  std::byte* base_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t state_bytes_;
  bool is_shared_ = true;                // states that have no region of their own have this one
  event::Frame* frame_ = nullptr;        // where what undoes goes; null: nothing is to be undone
  event::Frame* current_ = nullptr;      // of the event
  std::uint32_t epoch_ = 0;              // counts events
  std::vector<std::uint32_t> saved_in_;  // of each line the event that has saved it last
};

}  // namespace anachron::region
