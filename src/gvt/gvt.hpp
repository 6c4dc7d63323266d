// The door of the room `gvt`: global virtual time, a lower bound on the key of all that can still happen.
//
// GVT is found in rounds. Members are the PEs of this process. Several processes reduce what their members
// have said further, between the last member's `ready` and `open`.
// Invariant: no event below the bound of a round is ever undone or cancelled again.
// Read on in gvt/epoch_gvt.hpp (the algorithm) and gvt/gvt_manager.hpp (what a round decides).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include <anachron/base/config.hpp>

#include "gvt/rounds/round.hpp"

namespace anachron::gvt {

/// What a PE should do for GVT now.
enum class Duty : std::uint8_t { none, adopt, cut, report };

/// Consulted once per batch. The worker that runs a member calls the member's functions.
class Gvt {
 public:
  /// Called once per round, by the thread of the last member that is ready, with what all members have said,
  /// which stays as it is until the round is open. Leads to one call of `open`: at once, or later and from
  /// any thread to which what came before this call is visible.
  using Reduce = std::function<void(Gvt&, std::span<const Summary>)>;
  /// Called once per round, by the thread of the last member that has cut. Leads in the same way to one call
  /// of `open_reports`, when all that was sent before the cuts has arrived.
  using Collect = std::function<void(Gvt&)>;

  virtual ~Gvt() = default;

  /// The calling thread may be made to serve a reduction that is under way.
  virtual Duty due(std::size_t member) = 0;
  /// Some member has begun a round. For members that are due for a cut.
  virtual bool is_called() const = 0;
  /// Another process has begun one. Any thread.
  virtual void call() = 0;
  /// The member has to wait for the outcome of a round, without executing events.
  virtual bool must_wait(std::size_t member) const = 0;
  /// The members wait for one another in each round.
  virtual bool is_barrier() const = 0;

  /// After the PE has published what it sent: begins to keep the smallest key sent.
  virtual void cut(std::size_t member) = 0;
  /// All that was sent before the cuts has arrived: lets the members report.
  virtual void open_reports() = 0;
  /// After the PE has drained its inbox.
  virtual void ready(std::size_t member, const Summary& summary) = 0;
  /// The outcome of a round: lets the members go on to it.
  virtual void open(const Round& round) = 0;
  /// The member has taken note of the outcome.
  virtual void adopted(std::size_t member) = 0;

  /// The outcome of the latest round. Valid from Duty::adopt until this member is ready again.
  virtual const Round& round() const = 0;

  /// Makes ready for the next run. All members take part but the last ones, who have said already what counts
  /// of them in all its rounds. When no thread uses it.
  virtual void restart(std::span<const Summary> absent = {}) = 0;
  /// Seconds from the first member's cut to the outcome, of all rounds together. After all threads have
  /// ended.
  virtual double latency_s() const = 0;
};

/// `collect`: none where nothing is on its way once it was sent.
std::unique_ptr<Gvt> make_gvt(anachron::Gvt algorithm, std::size_t members, Gvt::Reduce reduce,
                              Gvt::Collect collect = {});

}  // namespace anachron::gvt
