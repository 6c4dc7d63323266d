// One variant of a run that is kept: changes go through it, and only what differs is executed again.
//
// Events are visited in the order of their keys, over all LPs. An LP that differs is executed twice, as it
// was and as it is now, each on an image of its own. Both send: what only one of them has sent differs at its
// receiver. When both images are equal again, the rest of the LP's line stands until something else differs
// there. This is change propagation of self-adjusting computation (U. A. Acar et al., "Adaptive functional
// programming", ACM TOPLAS 28(6), 2006), and lazy re-evaluation of Time Warp (D. West, "Optimising Time Warp:
// lazy rollback and lazy re-evaluation", 1988), with a base run that never rolls back.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/event/change.hpp>
#include <anachron/event/frame.hpp>

#include "replay/difference.hpp"
#include "replay/executor.hpp"
#include "replay/recorded.hpp"

namespace anachron::replay {

class Propagation {
 public:
  enum class Keep : bool { nothing, lines };
  /// `outside`: what has come from outside in what is recorded. Keep lines for recorded().
  Propagation(Recorded& recorded, const event::Outside& outside, Keep keep = Keep::nothing);
  Propagation(const Propagation&) = delete;
  Propagation& operator=(const Propagation&) = delete;
  ~Propagation();

  /// Throws InputError when nothing was scheduled from outside that has this name.
  void apply(const event::Change& change);

  /// What ended it before it was through.
  struct Halted {
    LpId lp;
    std::string_view event;
    Time time;
    event::Halt halt;
  };
  /// Throws std::bad_alloc.
  std::optional<Halted> run();

  /// The digest of the variant, given that of the run.
  std::uint64_t digest(std::uint64_t of_run) const;
  std::uint64_t committed() const { return recorded_.committed() + added_ - removed_; }
  /// Of the last event; 0: there is none. O(LPs).
  Time last_time() const;
  /// The LP at the end. Precondition: run() has ended without a halt.
  const void* state(LpId lp) const;
  /// The variant, so that others begin from it. Precondition: lines are kept.
  std::unique_ptr<Recorded> recorded() const;
  /// What has come from outside.
  const event::Outside& outside() const { return outside_; }
  /// All LPs whose state differs are among them.
  std::span<const LpId> looked_at() const { return looked_at_; }
  /// In the order of ids.
  std::vector<LpDifference> differences() const;

  std::uint64_t executed() const { return executed_; }       ///< events of the variant
  std::uint64_t of_run() const { return executed_of_run_; }  ///< events of the run, beside them
  std::uint64_t coasted() const { return coasted_; }         ///< events of the run, to get states back
  std::uint64_t added() const { return added_; }             ///< events that only the variant has
  std::uint64_t removed() const { return removed_; }         ///< events that only the run had
  /// How often an LP that differed was as it had been again.
  std::uint64_t rejoined() const { return rejoined_; }

 private:
  /// One side of an LP that differs: of the run or of the variant.
  struct Side {
    LpImage image;
    std::uint64_t last = 0;  // hash of its newest event
  };
  /// What takes the place of some items of a line, all at one key.
  struct Splice {
    std::size_t index, end;
    std::vector<Item> items;
    std::vector<Executor::Event> made;  // that items point to
  };
  /// An LP that differs, or did.
  struct Branch {
    /// What is known of the variant's image.
    enum class Past : std::uint8_t {
      none,   ///< there is none: the LP is as in the run
      other,  ///< it goes on as in the run, but has observed something else
      now,    ///< it may send something else than in the run: both have images
    };
    Past past = Past::none;
    bool is_run_told = true;  // the image of the run has observed what the run had, not what the variant has
    std::size_t cursor = 0;   // in the line: nothing before it will be visited
    std::size_t behind = 0;   // in the line: what an image with another past has come to
    Time last = 0;            // of what the variant has executed before the cursor
    Side run, variant;
    std::uint64_t digest = 0;     // of the variant less that of the run
    std::vector<Splice> splices;  // in order, if lines are kept
    LpDifference difference;
    bool differs() const { return past == Past::now; }
    /// It does not, but the next event follows another one than in the run.
    bool has_seam() const { return run.last != variant.last; }
  };
  /// Why an event of an LP is looked at. There may be several reasons.
  struct Visit {
    enum class Why : std::uint8_t { next, removed, added, retracted, not_retracted };
    event::EventKey key;
    LpId lp;
    Why why;
    event::EventHeader* made;  // owned: what was added, or a retraction

    bool is_at(const Visit& other) const { return key == other.key && lp == other.lp; }
    friend bool operator>(const Visit& a, const Visit& b) {
      if (!(a.key == b.key)) return b.key < a.key;
      return a.lp > b.lp;
    }
  };
  /// The reasons of visits at one key together.
  struct Edit {
    Executor::Event added;
    bool is_removed = false;
    int retractions = 0;                // more than in the run
    std::vector<Executor::Event> made;  // of the retractions, if lines are kept

    bool is_none() const { return !added && !is_removed && retractions == 0; }
  };
  /// What there is at one key of an LP's line, in the run and in the variant.
  struct Both {
    std::size_t index, end;                   // of it in the line
    const event::EventHeader* run = nullptr;  // null: not executed
    const event::EventHeader* variant = nullptr;
    const event::EventHeader* there = nullptr;  // of the variant, executed or retracted
    int retractions = 0;                        // in the variant
    bool are_equal_keys = false;                // the variant has two events with this key
  };

  Branch& branch(LpId lp);
  Edit take(const Visit& visit);
  void push(const Visit& visit);
  void step(const Visit& visit, Edit edit);
  void keep(const Visit& visit, const Both& both, Edit& edit, Branch& branch) const;
  Both look(const Visit& visit, const Edit& edit, Branch& branch) const;
  void diverge(const Visit& visit, const Both& both, Branch& branch);
  void execute(const Both& both, Branch& branch);
  void rejoin(LpId lp, std::size_t behind, Branch& branch);
  void catch_up(LpId lp, std::size_t index, const void* run, Branch& branch);
  void compare_sent();
  void differ(Executor::Event in_run, Executor::Event in_variant);
  std::size_t next_executed(LpId lp, std::size_t index) const;
  void go_on(LpId lp, std::size_t index);

  Recorded& recorded_;
  Executor executor_;  // owns all events that were made
  event::Outside outside_;
  const Keep keep_;
  std::vector<std::unique_ptr<Branch>> branches_;  // by LP; null: nothing of it was looked at
  std::vector<LpId> looked_at_;
  std::vector<Visit> visits_;  // a heap, earliest first
  Executor::Sent sent_in_run_, sent_in_variant_;
  std::optional<Halted> halted_;
  std::uint64_t executed_ = 0, executed_of_run_ = 0, coasted_ = 0, added_ = 0, removed_ = 0, rejoined_ = 0;
};

}  // namespace anachron::replay
