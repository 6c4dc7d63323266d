#include <anachron/model/region/region.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include <fmt/format.h>

#include <anachron/event/frame.hpp>

namespace anachron::region {
namespace {
constexpr std::size_t kLeastBlock = 16;
constexpr std::size_t kAddress = sizeof(Region*);  // which a state begins with
}  // namespace

/// A line as it was.
struct Region::SavedLine : event::Effect {
  Offset line;
  std::byte bytes[kLine];

  static void undo(event::Effect& effect, void* state) {
    const SavedLine& saved = static_cast<SavedLine&>(effect);
    std::memcpy(Region::of(state).base_ + std::size_t{saved.line} * kLine, saved.bytes, kLine);
  }
  static constexpr event::EffectOps kOps{&undo, nullptr, nullptr};
};

/// The state without its region's address as it was. The bytes are behind it.
struct Region::SavedState : event::Effect {
  static void undo(event::Effect& effect, void* state) {
    std::memcpy(static_cast<std::byte*>(state) + kAddress, &static_cast<SavedState&>(effect) + 1,
                Region::of(state).state_bytes_ - kAddress);
  }
  static constexpr event::EffectOps kOps{&undo, nullptr, nullptr};
};

Region::Region(std::size_t state_bytes) : state_bytes_(state_bytes) {}

Region::Region(const Region& other) : state_bytes_(other.state_bytes_), is_shared_(false) {
  const std::span<const std::byte> content = other.bytes();
  if (content.empty()) return;
  if (!grow(content.size())) throw std::bad_alloc();
  std::memcpy(base_, content.data(), content.size());
}

Region::~Region() { std::free(base_); }

void Region::copy_state(void* to_raw, const void* from) {
  Region* const region = *static_cast<Region* const*>(from);
  std::memcpy(to_raw, from, region->state_bytes_);
  if (!region->is_shared_) *static_cast<Region**>(to_raw) = new Region(*region);
}

void Region::destroy_state(void* state) noexcept {
  Region* const region = *static_cast<Region**>(state);
  if (!region->is_shared_) delete region;
}

void Region::restore_state(void* to, void* from_copy) {
  destroy_state(to);
  const Region& region = of(from_copy);
  std::memcpy(to, from_copy, region.state_bytes_);
  if (region.is_shared_) return;
  *static_cast<Region**>(to) = new Region(region);  // the copy is destroyed by its owner
}

bool Region::equal_states(const void* a, const void* b) {
  const Region &of_a = of(a), &of_b = of(b);
  const auto rest = [](const void* state) { return static_cast<const std::byte*>(state) + kAddress; };
  if (std::memcmp(rest(a), rest(b), of_a.state_bytes_ - kAddress) != 0) return false;
  if (of_a.is_empty() && of_b.is_empty()) return true;  // one that was used and undone keeps its header
  const auto content_a = of_a.bytes(), content_b = of_b.bytes();
  return std::equal(content_a.begin(), content_a.end(), content_b.begin(), content_b.end());
}

/// The state without its region's address, then the bytes in use of the region; none if it is empty.
Failure Region::encode_state(const void* state, std::vector<std::byte>& out) {
  const Region& region = of(state);
  const auto content = region.is_empty() ? std::span<const std::byte>() : region.bytes();
  ByteWriter writer(out);
  writer.bytes(static_cast<const std::byte*>(state) + kAddress, region.state_bytes_ - kAddress);
  writer.length(content.size());
  writer.bytes(content.data(), content.size());
  return {};
}

Failure Region::decode_state(void* state, ByteReader& in) try {
  const std::size_t state_bytes = of(state).state_bytes_;
  in.bytes(static_cast<std::byte*>(state) + kAddress, state_bytes - kAddress);
  const std::size_t size = in.length_of(1);
  if (size == 0) return {};
  auto region = std::make_unique<Region>(state_bytes);
  region->is_shared_ = false;
  if (size < kFirst || size > kMost) return fmt::format("a region of {} bytes among the bytes", size);
  if (!region->grow(size)) throw std::bad_alloc();
  in.bytes(region->base_, size);
  if (region->used() != size) return fmt::format("a region of {} bytes that says {}", size, region->used());
  destroy_state(state);
  *static_cast<Region**>(state) = region.release();
  return {};
} catch (const std::exception& error) {
  return error.what();
}

Region& Region::begin(void* state, event::Frame& frame, bool keep_undo) {
  auto& region = *static_cast<Region**>(state);
  if (region->is_shared_) {
    region = new Region(*region);
    region->make_header();
  }
  region->current_ = &frame;
  region->frame_ = keep_undo ? &frame : nullptr;
  if (!keep_undo) return *region;
  if (++region->epoch_ == 0) {
    std::fill(region->saved_in_.begin(), region->saved_in_.end(), 0);
    region->epoch_ = 1;
  }
  const std::size_t bytes = region->state_bytes_ - kAddress;
  if (void* const room = frame.make_room(sizeof(SavedState) + bytes, alignof(SavedState))) {
    auto* const saved = std::construct_at(static_cast<SavedState*>(room));
    std::memcpy(saved + 1, static_cast<std::byte*>(state) + kAddress, bytes);
    frame.add(saved, SavedState::kOps);
  }
  return *region;
}

void Region::make_header() {
  if (base_) return;
  if (!grow(kFirst)) throw std::bad_alloc();
  std::memset(base_, 0, kFirst);
  reinterpret_cast<Header*>(base_)->used = kFirst;
}

bool Region::grow(std::size_t bytes) {
  if (bytes <= capacity_) return true;
  const std::size_t wanted = std::bit_ceil(std::max(bytes, std::size_t{512}));
  void* const moved = std::realloc(base_, wanted);
  if (!moved) return false;
  base_ = static_cast<std::byte*>(moved);
  capacity_ = wanted;
  saved_in_.resize(wanted / kLine, 0);
  return true;
}

void Region::save(Offset offset, std::size_t bytes) {
  const auto last = static_cast<Offset>((offset + bytes - 1) / kLine);
  for (Offset line = offset / kLine; line <= last; ++line)
    if (saved_in_[line] != epoch_) save_line(line);
}

void Region::save_line(Offset line) {
  saved_in_[line] = epoch_;
  void* const room = frame_->make_room(sizeof(SavedLine), alignof(SavedLine));
  if (!room) return;
  auto* const saved = std::construct_at(static_cast<SavedLine*>(room));
  saved->line = line;
  std::memcpy(saved->bytes, base_ + std::size_t{line} * kLine, kLine);
  frame_->add(saved, SavedLine::kOps);
}

std::size_t Region::class_of(std::size_t bytes) {
  return static_cast<std::size_t>(std::bit_width((std::max(bytes, kLeastBlock) - 1) / kLeastBlock));
}

Offset& Region::free_list(std::size_t size_class) {
  return write<Offset>(static_cast<Offset>(offsetof(Header, free) + size_class * sizeof(Offset)));
}

Offset Region::allocate(std::size_t bytes) {
  const std::size_t size_class = class_of(bytes), size = kLeastBlock << size_class;
  if (size_class >= kClasses) {
    if (current_) current_->fail_as([] { return std::string("its state needs more than 2 GiB"); });
    return 0;
  }
  if (const Offset free = header().free[size_class]) {
    const Offset next = at<Offset>(free);
    free_list(size_class) = next;
    std::memset(write(free, size), 0, size);
    return free;
  }
  const std::size_t alignment = std::min(size, std::size_t{kLine});
  const std::size_t offset = (used() + alignment - 1) / alignment * alignment, end = offset + size;
  const std::size_t whole_lines = (end + kLine - 1) / kLine * kLine;
  if (end > kMost || !grow(whole_lines)) {
    if (current_) current_->note_no_memory();
    return 0;
  }
  auto& in_use = write<std::uint32_t>(offsetof(Header, used));
  // Nothing counts that is in the lines behind those in use: they need not be saved.
  if (frame_)
    for (std::size_t line = (in_use + kLine - 1) / kLine; line < whole_lines / kLine; ++line)
      saved_in_[line] = epoch_;
  if (offset > in_use) std::memset(write(in_use, offset - in_use), 0, offset - in_use);
  in_use = static_cast<std::uint32_t>(end);
  std::memset(write(static_cast<Offset>(offset), size), 0, size);
  return static_cast<Offset>(offset);
}

void Region::release(Offset offset, std::size_t bytes) {
  const std::size_t size_class = class_of(bytes);
  write<Offset>(offset) = header().free[size_class];
  free_list(size_class) = offset;
}

}  // namespace anachron::region
