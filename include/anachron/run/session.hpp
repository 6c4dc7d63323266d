// A simulation run in steps: drain, rewind, branch (Bachan et al. 2024, section 2.2.2).
// docs/how-to/sessions.md explains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/model/archive.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/run/any_model.hpp>
#include <anachron/run/config.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/variant.hpp>

namespace anachron {
namespace detail {

/// A session without its LP types. What the functions do is said at those of Session.
class SessionKernel {
 public:
  SessionKernel(std::vector<event::LpTypeEntry> types, const Config& config);
  SessionKernel(SessionKernel&&) noexcept;
  SessionKernel& operator=(SessionKernel&&) noexcept;
  ~SessionKernel();

  Ending run_until(Time until, const ProgressCallback& progress, const std::function<bool()>& interrupted);
  Time now() const;
  Report report() const;
  const void* state(std::size_t type, std::uint32_t index) const;
  bool is_here(std::size_t type, std::uint32_t index) const;
  std::uint32_t lp_count(std::size_t type) const;
  unsigned rank() const;
  /// Of each rank what it has given, by rank; nothing in one process.
  std::vector<std::vector<std::byte>> gather(std::vector<std::byte> own) const;
  /// `construct` makes the payload behind the header.
  EventHandle schedule(const event::EventOps& ops, std::size_t type, std::uint32_t index, Time time,
                       Order among, const std::function<void(event::EventHeader&)>& construct);
  std::uint64_t mark();
  void rewind(std::uint64_t mark);
  void accept(std::uint64_t mark);
  bool can_rewind(std::uint64_t mark) const;
  void keep_history();
  std::string checkpoint(const std::string& folder);
  std::vector<VariantOutcome> run(const std::vector<const event::Changes*>& variants, unsigned workers);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace detail

/// A point of a session that it can go back to: made by Session::mark.
class Mark {
 public:
  constexpr explicit Mark(std::uint64_t id) : id_(id) {}
  /// Number of the mark within its session.
  constexpr std::uint64_t id() const { return id_; }

 private:
  std::uint64_t id_;
};

/// A run that is stopped at any time to look at the LPs, to schedule events, and to try what would happen.
/// Made by Simulation::open, of which it is independent; used by one thread.
///
///     auto session = simulation.open();
///     session.run_until(10);
///     const an::Mark mark = session.mark();
///     session.schedule(session.id<Shop>(3), 12, Customer{});
///     session.run_until(20);
///     session.rewind(mark);  // back at time 10, without that customer
///
/// Every step has the committed results of the same events in one run. The digest does not depend on how many
/// steps there were, nor on stretches that were taken back.
///
/// When a step throws a SimulationError, the session can only be rewound, if there is a mark, or destroyed.
/// After any other exception than an InputError it can only be destroyed. What would go on or report throws
/// std::logic_error then; `lp` shows the LPs as the failure left them.
///
/// Over ranks all of them have the session, and call the same functions in the same order with the same
/// values. Each is free to call what only looks: now, lp, is_here, id, lp_count, rank. Different calls are an
/// InputError on all ranks, which names both; then the session can only be destroyed. Only the rank of its LP
/// constructs an event. The end of the session is a call, too. One session or run at a time is over the ranks
/// (std::logic_error).
template <class... Lps>
class Session {
 public:
  /// `data` lives as long as the session: parameters and shared data that `types` refers to.
  Session(std::shared_ptr<const void> data, std::vector<event::LpTypeEntry> types, const Config& config)
      : data_(std::move(data)), kernel_(std::move(types), config) {}

  /// Drains: executes exactly the events with time < until; kForever: all. They commit, unless there is a
  /// mark. Returns `stopped` when an event called `stop` (the session can go on behind it), `interrupted`
  /// when `interrupted` returned true (likewise), else `finished`. `progress` and `interrupted` are called as
  /// by Simulation::run.
  ///
  /// Throws InputError unless until >= now(), and SimulationError when an event fails that would commit.
  /// Throws InputError, after which the session can only be destroyed, when more is needed than
  /// `Config::memory`. What is held since a mark counts for that.
  Ending run_until(Time until, const ProgressCallback& progress = {},
                   const std::function<bool()>& interrupted = {}) {
    return kernel_.run_until(until, progress, interrupted);
  }

  /// The time that was run to; that of the last event when the run ended before, or had no end.
  Time now() const { return kernel_.now(); }

  /// The run so far, with the LPs' results: calls their `finish`. Held events count as committed. Throws
  /// FinishError, which does the session no harm.
  Report report() const { return kernel_.report(); }

  /// An LP as it is now. Valid until the session goes on. Throws std::out_of_range when there is no such LP,
  /// and when it is on another rank.
  template <class Lp>
  const Lp& lp(std::uint32_t index) const {
    return *static_cast<const Lp*>(kernel_.state(kIndex<Lp>, index));
  }
  /// There is such an LP, and not on another rank.
  template <class Lp>
  bool is_here(std::uint32_t index) const {
    return kernel_.is_here(kIndex<Lp>, index);
  }
  /// What `read(lp)` returns for each LP of the type, by its number: on all ranks that of all. It is called
  /// on the rank of the LP. Over ranks its result is encoded as events are.
  template <class Lp, class Read>
  auto gather(Read&& read) const {
    using Value = std::decay_t<std::invoke_result_t<Read&, const Lp&>>;
    check_encodable<Value>();
    std::vector<Value> values(lp_count<Lp>());
    std::vector<std::byte> own;
    ArchiveWriter out(own);
    for (std::uint32_t k = 0; k < values.size(); ++k) {
      if (!is_here<Lp>(k)) continue;
      values[k] = read(lp<Lp>(k));
      out(k, static_cast<const Value&>(values[k]));
    }
    for (const std::vector<std::byte>& bytes : kernel_.gather(std::move(own))) {
      ByteReader reader(bytes);
      ArchiveReader in(reader);
      while (reader.remaining() > 0) {
        std::uint32_t k = 0;
        Value value{};
        in(k, value);
        values.at(k) = std::move(value);
      }
    }
    return values;
  }
  /// LP number k of a type. No check here: `schedule` checks.
  template <class Lp>
  Id<Lp> id(std::uint32_t k) const {
    return Id<Lp>(k);
  }
  /// Number of LPs of a type.
  template <class Lp>
  std::uint32_t lp_count() const {
    return kernel_.lp_count(kIndex<Lp>);
  }
  /// The number of this one among the ranks that have the session; 0 in one process.
  unsigned rank() const { return kernel_.rank(); }

  /// Has `event` handled by `to` at `time`: at or after now(). It must be after now() when the last step
  /// ended with an event at now() (it was stopped, interrupted or had no end). Events scheduled for the same
  /// time are ordered among all others as if a further LP had sent them; `among` as with Context::send.
  /// Throws InputError when the time, the LP or the priority is not valid. Returns the event's name, by which
  /// a variant can cancel it; nothing, when the LP is on another rank.
  template <class To, class E>
  EventHandle schedule(Id<To> to, Time time, E&& event,
                       Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    using Event = std::remove_cvref_t<E>;
    detail::check_handler<To, Event>();
    if constexpr (Receives<To, Event>)
      return kernel_.schedule(detail::event_ops<To, Event>(), kIndex<To>, to.index(), time, among,
                              [&event](event::EventHeader& e) {
                                std::construct_at(&event::payload<Event>(e), std::forward<E>(event));
                              });
    else
      return {};
  }

  template <class... To, class E>
  EventHandle schedule(const AnyId<To...>& to, Time time, E&& event,
                       Order among = detail::kOrderOf<std::remove_cvref_t<E>>) {
    return to.visit([&](auto id) { return schedule(id, time, std::forward<E>(event), among); });
  }

  /// Changes an LP's state at `time`, as an event from outside that is the first at that time: `change(lp)`
  /// is called once, or again after a rollback. What it throws is the event's error. Otherwise as `schedule`.
  template <class Lp>
  EventHandle edit(Id<Lp> lp, Time time, std::type_identity_t<std::function<void(Lp&)>> change) {
    return kernel_.schedule(detail::kEditOps<Lp>, kIndex<Lp>, lp.index(), time, detail::kEditOrder,
                            detail::construct_edit(std::move(change)));
  }

  /// Does what a variant changes, as this session's own: schedules, edits. What it cancels must not be in it
  /// (std::logic_error).
  void apply(const Variant<Lps...>& variant) {
    for (const auto& change : variant.changes()) {
      if (!change->scheduled)
        throw std::logic_error("anachron: a session takes back nothing that it has scheduled");
      const auto& of = *change->scheduled;
      kernel_.schedule(*of.ops, of.type, of.index, of.time, of.among, of.construct);
    }
  }

  /// Keeps all that is executed from now on, so that variants of it can be run: events, and states now and
  /// then. Costs the memory of all events, at most half of `Config::memory`. If that is too little, older
  /// events go, and checkpoints stay, as files. Variants that begin there are run in full from one of them,
  /// or from the beginning. Throws InputError over ranks, and when an LP type cannot be copied;
  /// std::logic_error when there is a mark.
  void keep_history() { kernel_.keep_history(); }
  /// A variant of what was run since keep_history(), so far without changes.
  Variant<Lps...> variant() const { return {}; }
  /// What the run so far would have been with the changes of a variant: bit for bit, but only what differs is
  /// executed. The session stays as it is. Nothing is done at commit. Changes are at or after the time where
  /// the history begins, and before now(); behind events that the session has scheduled, if at the same time.
  /// Where the run was stopped, or the variant stops, it is a full run, which also says so.
  ///
  /// Throws InputError for changes that are not valid, SimulationError when an event of the variant fails,
  /// std::logic_error when no history is kept or there is a mark.
  VariantResult<Lps...> run(const Variant<Lps...>& variant) {
    return VariantResult<Lps...>(std::move(kernel_.run({&variant.changes()}, 1).front()));
  }
  /// The same of several variants, `workers` at a time, each by one thread; 0: on all cores. Copies of a
  /// variant that were changed further are executed from what they have in common.
  std::vector<VariantResult<Lps...>> run(const std::vector<Variant<Lps...>>& variants, unsigned workers = 0) {
    std::vector<const event::Changes*> changes;
    for (const Variant<Lps...>& variant : variants) changes.push_back(&variant.changes());
    std::vector<VariantResult<Lps...>> results;
    for (detail::VariantOutcome& outcome : kernel_.run(changes, workers))
      results.emplace_back(std::move(outcome));
    return results;
  }

  /// Writes a checkpoint into the folder, from which a session or a run goes on
  /// (`Config::checkpoint.resume`), with any layout. Returns where it is. Throws InputError when something
  /// cannot be encoded, or checkpoints of another session are there; std::runtime_error when it cannot be
  /// written; std::logic_error when there is a mark. After these the session can go on.
  std::string checkpoint(const std::string& folder) { return kernel_.checkpoint(folder); }

  /// Notes this point to come back to. From here on nothing commits, no action of `on_commit` runs, until the
  /// mark is accepted: all events stay in memory (their history with them), so memory grows with the stretch.
  Mark mark() { return Mark(kernel_.mark()); }
  /// Goes back: as if nothing had been run or scheduled since the mark. The mark stays valid, later ones do
  /// not. Takes time in proportion to the events undone and pending. Throws std::invalid_argument when the
  /// mark is not valid any more.
  void rewind(const Mark& mark) { kernel_.rewind(mark.id()); }
  /// Keeps what was run since: ends this mark and later ones. When none is left, all that was run commits.
  /// Throws as `rewind`.
  void accept(const Mark& mark) { kernel_.accept(mark.id()); }

  /// Tries alternatives. Calls each with the session, which it may schedule events for, then runs to `until`
  /// and collects what `read` returns for the session there. Each starts from the present point, to which the
  /// session is back at the end. When one throws, the session is back there as well.
  template <class Read>
  auto branch(const std::vector<std::function<void(Session&)>>& alternatives, Time until, Read&& read) {
    std::vector<std::decay_t<std::invoke_result_t<Read&, Session&>>> results;
    results.reserve(alternatives.size());
    const Mark point = mark();
    try {
      for (const auto& alternative : alternatives) {
        alternative(*this);
        run_until(until);
        results.push_back(read(*this));
        rewind(point);
      }
    } catch (...) {
      give_back(point);
      throw;
    }
    accept(point);
    return results;
  }
  /// The same with the report of each.
  std::vector<Report> branch(const std::vector<std::function<void(Session&)>>& alternatives, Time until) {
    return branch(alternatives, until, [](const Session& session) { return session.report(); });
  }

 private:
  /// Back to the point after a failure, if there is a way.
  void give_back(const Mark& point) {
    if (!kernel_.can_rewind(point.id())) return;
    try {
      rewind(point);
      accept(point);
    } catch (const InputError&) {  // not all ranks have failed: what has is to be said
      return;
    }
  }

  template <class Lp>
  static constexpr std::size_t kIndex = [] {
    constexpr std::size_t index = detail::kIndexOf<Lp, Lps...>;
    static_assert(index < sizeof...(Lps), "anachron: the session has no LPs of this type");
    return index;
  }();

  std::shared_ptr<const void> data_;
  detail::SessionKernel kernel_;
};

}  // namespace anachron
