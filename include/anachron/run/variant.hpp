// Exact what-if: variants of a run whose history a session keeps. docs/how-to/what-if.md explains them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/event/change.hpp>
#include <anachron/model/edit.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// How an LP of a variant differs from the run.
struct LpDifference {
  std::string type;
  std::uint32_t index = 0;
  Time first = 0;               ///< Time of its first event that differs, or is handled in another state.
  std::string event;            ///< Type of that event.
  std::string cause;            ///< The LP that sent it, as "Link 17", or "outside".
  std::uint64_t executed = 0;   ///< Events that were executed for the variant, also the shared ones.
  bool differs_at_end = false;  ///< Its state, at the end, from that of the run.
};

/// What came of a variant.
struct VariantReport {
  /// As a run with the changes would report: digest, committed events, end time, results. `wall_s` is how
  /// long it took. The figures of engine and PEs are none.
  Report report;
  std::uint64_t executed = 0;         ///< Events executed for this variant alone.
  std::uint64_t shared = 0;           ///< Events executed once for it and others that begin as it does.
  std::uint64_t executed_of_run = 0;  ///< Events of the run executed again beside them, to compare.
  std::uint64_t coasted = 0;          ///< Events of the run executed again to get states back.
  std::uint64_t added = 0;            ///< Events that only the variant has.
  std::uint64_t removed = 0;          ///< Events that only the run has.
  std::uint64_t rejoined = 0;         ///< How often an LP's state was as in the run again.
  std::vector<LpDifference> lps;      ///< LPs that differ, or did, in the order of their ids.
  /// Why it was a full run; empty: only what differs was executed. A full run tells nothing of the above.
  std::string full_run;
};

namespace detail {

struct VariantStates;
/// The LP at the end of the variant.
const void* state_of(const VariantStates& states, std::size_t type, std::uint32_t index);

struct VariantOutcome {
  VariantReport report;
  std::shared_ptr<const VariantStates> states;
};

template <class T, class... Ts>
inline constexpr std::size_t kIndexOf = [] {
  std::size_t index = sizeof...(Ts), i = 0;
  ((index = index == sizeof...(Ts) && std::is_same_v<T, Ts> ? i : index, ++i), ...);
  return index;
}();

}  // namespace detail

/// Some changes to a run. Made by Session::variant; Session::run tells what comes of them. A copy with
/// further changes is another variant: when both run together, what they have in common is executed once.
///
///     auto closed = session.variant();
///     closed.schedule(session.id<Link>(17), 600, Close{});
///     const auto result = session.run(closed);
template <class... Lps>
class Variant {
 public:
  /// Has `event` handled by `to` at `time`, as Session::schedule. `event` must be copyable.
  template <class To, class E>
  Variant& schedule(Id<To> to, Time time, E&& event, Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    using Event = std::remove_cvref_t<E>;
    detail::check_handler<To, Event>();
    static_assert(std::is_copy_constructible_v<Event>, "anachron: an event of a variant must be copyable");
    return add(detail::event_ops<To, Event>(), to, time, among,
               [payload = Event(std::forward<E>(event))](event::EventHeader& e) {
                 std::construct_at(&event::payload<Event>(e), payload);
               });
  }
  /// Changes an LP's state at `time`, before its events at that time: calls `change(lp)`, maybe several times
  /// on copies of it. See Session::edit.
  template <class Lp>
  Variant& edit(Id<Lp> lp, Time time, std::type_identity_t<std::function<void(Lp&)>> change) {
    return add(detail::kEditOps<Lp>, lp, time, detail::kEditOrder, detail::construct_edit(std::move(change)));
  }
  /// Takes back what the session has scheduled: the handle is what Session::schedule has returned.
  Variant& cancel(const EventHandle& scheduled) {
    changes_.push_back(std::make_shared<const event::Change>(std::nullopt, scheduled));
    return *this;
  }

  const event::Changes& changes() const { return changes_; }  ///< In order.

 private:
  template <class To>
  Variant& add(const event::EventOps& ops, Id<To> to, Time time, Order among,
               std::function<void(event::EventHeader&)> construct) {
    constexpr std::size_t type = detail::kIndexOf<To, Lps...>;
    static_assert(type < sizeof...(Lps), "anachron: the session has no LPs of this type");
    changes_.push_back(std::make_shared<const event::Change>(
        event::Change::Scheduled{&ops, type, to.index(), time, among, std::move(construct)}, EventHandle()));
    return *this;
  }

  event::Changes changes_;
};

/// What came of a variant, with its LPs.
template <class... Lps>
class VariantResult : public VariantReport {
 public:
  explicit VariantResult(detail::VariantOutcome outcome)
      : VariantReport(std::move(outcome.report)), states_(std::move(outcome.states)) {}

  /// An LP at the end. Valid until the session goes on. Throws std::out_of_range when there is no such LP.
  template <class Lp>
  const Lp& lp(std::uint32_t index) const {
    return *static_cast<const Lp*>(detail::state_of(*states_, detail::kIndexOf<Lp, Lps...>, index));
  }

 private:
  std::shared_ptr<const detail::VariantStates> states_;
};

}  // namespace anachron
