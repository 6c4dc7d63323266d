// How many workers run PEs, and how. A run with several PEs goes on in terms, each with its number of active
// workers. Between two terms nothing is uncommitted. So a term of a single worker needs no history, nor does
// one of several workers in windows.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/figures.hpp>

#include "gvt/decisions/workers.hpp"

namespace anachron::sched {

/// Used by one thread at a time.
class ActiveWorkers {
 public:
  virtual ~ActiveWorkers() = default;

  /// Of the present term, at least 1.
  virtual unsigned count() const = 0;
  /// A term of one worker: whether it executes all events in order, without history.
  virtual bool goes_in_order() const = 0;
  /// A term of several workers: whether they execute in windows as wide as the model's lookahead, without
  /// history. Only where that is possible.
  virtual bool goes_in_windows() const { return false; }
  /// Of a term of one worker in order: whether a second one is to alternate with it. Any time in the term.
  virtual bool is_time_sliced() const { return false; }
  /// The present term begins.
  virtual void begin_term(const gvt::TermFacts& now) = 0;
  /// Asked from time to time in a term: whether it is to end, as soon as it can.
  virtual bool ends_term(const gvt::TermFacts& now) = 0;
  /// The term has ended, and the next one is chosen. `no_memory`: there was too little for a term in order,
  /// which has no means to save any.
  enum class Cause : std::uint8_t { asked, no_memory };
  virtual void choose(const gvt::TermFacts& now, Cause cause) = 0;
  /// What was found out of the numbers that were active.
  virtual std::vector<WorkerTrial> tried() const { return {}; }
};

/// All, in one term.
class AllWorkers final : public ActiveWorkers {
 public:
  explicit AllWorkers(unsigned workers) : workers_(workers) {}
  unsigned count() const override { return workers_; }
  bool goes_in_order() const override { return false; }
  void begin_term(const gvt::TermFacts&) override {}
  bool ends_term(const gvt::TermFacts&) override { return false; }
  void choose(const gvt::TermFacts&, Cause) override {}

 private:
  unsigned workers_;
};

}  // namespace anachron::sched
