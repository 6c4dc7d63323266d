// Incremental state saving: a handler that takes `Logged<Lp>&` names what it writes, and only that is saved.
#pragma once

#include <cstring>
#include <memory>
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
