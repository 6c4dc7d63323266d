// Events that have failed or asked to stop the run. Whether they do is certain only when they commit; until
// then they may be undone.
#pragma once

#include <optional>
#include <vector>

#include <anachron/event/frame.hpp>

#include "gvt/rounds/round.hpp"

namespace anachron::pe {

/// An event that asks for the end of the run, should it commit.
struct HaltAt {
  event::EventKey key;
  LpId lp = 0;
  const event::EventOps* event = nullptr;  ///< null: it is the LP's `start`
  event::Halt halt;
};

/// Of the executed, uncommitted events of a PE. Invariant: `first` is the one with the smallest key.
class FaultLog {
 public:
  bool empty() const { return halts_.empty(); }
  /// The one with the smallest key.
  const std::optional<HaltAt>& first() const { return first_; }
  /// The same, for a GVT round.
  std::optional<gvt::HaltMark> mark() const;
  /// Nothing with this key is to be executed now: it would run on a state that nobody will see.
  bool forbid(const event::EventKey& key) const { return first_ && first_->key < key; }
  /// The first is a failure.
  bool has_failed() const { return first_ && first_->halt.kind != event::Halt::Kind::stop; }
  bool has(const event::EventKey& key) const { return first_ && first_->key == key; }
  /// A failure of an event below the bound, any of them.
  const HaltAt* failure_below(const std::optional<event::EventKey>& bound) const;

  void note(HaltAt halt);
  /// The event was undone.
  void forget(const event::EventKey& key, LpId lp);

  /// The run ends with this one: if it is here, it is kept although its event will be undone.
  void end_with(const gvt::HaltMark& mark);
  const std::optional<HaltAt>& ending() const { return ending_; }

  /// The run goes on behind the halt that ended it.
  void clear();

 private:
  void find_first();

  std::vector<HaltAt> halts_;
  std::optional<HaltAt> first_;
  std::optional<HaltAt> ending_;
};

}  // namespace anachron::pe
