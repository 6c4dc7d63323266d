// Changes of a state from outside, as events: see Session::edit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <anachron/event/order.hpp>
#include <anachron/model/lp_ops.hpp>

namespace anachron::detail {

/// The event's payload.
template <class Lp>
struct Edit {
  std::function<void(Lp&)> change;
};

/// Among events of its time an edit is the first.
inline constexpr Order kEditOrder{.priority = Order::kLeast};

template <class Lp>
struct EditTable {
  static_assert(std::is_copy_constructible_v<Lp>, "anachron: only an LP that can be copied is edited");

  static void execute(event::Frame& frame, void* state, event::EventHeader& e) {
    try {
      event::payload<Edit<Lp>>(e).change(*static_cast<Lp*>(state));
    } catch (...) {
      fail_with_exception(frame);
    }
  }
  static void destroy(event::EventHeader& e) noexcept { std::destroy_at(&event::payload<Edit<Lp>>(e)); }
  static void print(const event::EventHeader&, std::string& out) { out += "{}"; }
};

template <class Lp>
inline constexpr event::EventOps kEditOps{
    .type_hash = fold_multiply(hash_text(full_name<Lp>()), hash_text("anachron::edit") | 1),
    .bytes = event::kPayloadOffset<Edit<Lp>> + sizeof(Edit<Lp>),
    .execute = &EditTable<Lp>::execute,
    .commit = nullptr,
    .destroy = &EditTable<Lp>::destroy,
    .undo = event::UndoKind::copy,
    .may_throw_unreversed = false,
    .event_name = "edit",
    .equal = nullptr,
    .alignment = alignof(event::EventHeader),
    .copy = &PayloadTable<Edit<Lp>, event::kPayloadOffset<Edit<Lp>>>::copy,
    .move = &PayloadTable<Edit<Lp>, event::kPayloadOffset<Edit<Lp>>>::move,
    .print = &EditTable<Lp>::print,
};

template <class Lp>
auto construct_edit(std::function<void(Lp&)> change) {
  return [change = std::move(change)](event::EventHeader& e) {
    std::construct_at(&event::payload<Edit<Lp>>(e), Edit<Lp>{change});
  };
}

}  // namespace anachron::detail
