// Incremental state saving: a handler that takes `Logged<Lp>&` names what it writes, and only that is saved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <anachron/event/frame.hpp>

namespace anachron {

/// The undo log of one event. Declare the handler `const`, then a write that is not logged does not compile.
template <class Lp>
class Logged {
 public:
  Logged(event::Frame& frame, Lp& lp) : frame_(frame), lp_(lp) {}
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;

  /// Saves a member's present value, then returns the member to write to.
  template <class T, class Owner>
    requires(!std::is_function_v<T> && std::is_base_of_v<Owner, Lp>)
  T& write(T Owner::* member) {
    return save(lp_.*member);
  }

  /// The same for any object inside the LP's state, e.g. `write(queue[3].length)`.
  /// Precondition: it lives in the state and is not moved or destroyed by this event.
  template <class T>
  T& write(const T& part) {
    return save(const_cast<T&>(part));  // the LP itself is never const
  }
  template <class T>
  T& write(const T&& temporary) = delete;

  /// False where nothing is undone, as in a sequential run: what only serves `keep` may be left out then.
  bool keeps() const { return frame_.keep_undo; }

  /// For what is undone otherwise than by writing back: saves a copy of `entries`; when the event is undone
  /// calls `with(lp, copy)`. What is logged later is undone before it. Of an empty list nothing is kept.
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void keep(std::span<const T> entries, void (*with)(Lp&, std::span<const T>)) {
    if (!frame_.keep_undo || entries.empty()) return;
    if (void* const at = frame_.make_room(sizeof(Kept<T>) + entries.size_bytes(), alignof(Kept<T>))) {
      auto* const kept = std::construct_at(static_cast<Kept<T>*>(at), with, entries.size());
      std::uninitialized_copy(entries.begin(), entries.end(), kept->entries());
      frame_.add(kept, kKeptOps<T>);
    }
  }

 private:
  template <class T>
  struct Saved : event::Effect {
    Saved(T& at, const T& now) : where(&at), value(now) {}
    T* where;
    T value;
  };

  template <class T>
  static void undo(event::Effect& effect, void*) {
    auto& saved = static_cast<Saved<T>&>(effect);
    *saved.where = std::move(saved.value);
  }
  template <class T>
  static void destroy(event::Effect& effect) noexcept {
    std::destroy_at(static_cast<Saved<T>*>(&effect));
  }
  template <class T>
  static constexpr event::EffectOps kOps{&undo<T>, nullptr,
                                         std::is_trivially_destructible_v<T> ? nullptr : &destroy<T>};

  /// The entries are behind it.
  template <class T>
  struct alignas(std::max(alignof(T), alignof(event::Effect))) Kept : event::Effect {
    using Undo = void (*)(Lp&, std::span<const T>);
    Kept(Undo u, std::size_t n) : undo(u), count(n) {}
    T* entries() { return reinterpret_cast<T*>(this + 1); }
    Undo undo;
    std::size_t count;
  };
  template <class T>
  static void undo_kept(event::Effect& effect, void* lp) {
    auto& kept = static_cast<Kept<T>&>(effect);
    kept.undo(*static_cast<Lp*>(lp), {kept.entries(), kept.count});
  }
  template <class T>
  static constexpr event::EffectOps kKeptOps{&undo_kept<T>, nullptr, nullptr};

  /// An array is saved element by element, as it cannot be copied or assigned as a whole.
  template <class T, std::size_t N>
  auto save(T (&array)[N]) -> T (&)[N] {
    for (T& element : array) save(element);
    return array;
  }
  template <class T>
  T& save(T& part) {
    static_assert(std::is_copy_constructible_v<T> && std::is_move_assignable_v<T>,
                  "anachron: what a handler logs must be copyable");
    if (frame_.keep_undo)
      if (void* const at = frame_.make_room(sizeof(Saved<T>), alignof(Saved<T>)))
        frame_.add(std::construct_at(static_cast<Saved<T>*>(at), part, part), kOps<T>);
    return part;
  }

  event::Frame& frame_;
  Lp& lp_;
};

}  // namespace anachron
