// GVT rounds over several ranks. In each rank the PEs pass through a cut and a report (gvt/epoch_gvt.hpp).
// What ranks say is put together up a tree of ranks, and the outcome goes down again:
//
//   cut     When all PEs of a rank have cut, the rank counts the batches that it has sent before that, less
//           those that it has received. As long as the sum over all ranks is not 0, some are on their way,
//           and all ranks count again (Mattern 1993; Bauer et al. 2009, algorithm 4).
//   report  Then the PEs report. Rank 0 concludes the round from the reports of all, and tells the outcome.
//
// No rank waits: PEs go on executing while messages travel. When a rank counts, what it has sent before its
// cut does not grow any more. No rank receives what was not sent. So when the sum is 0, all has arrived.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "comm/transport/dispatcher.hpp"
#include "gvt/gvt.hpp"
#include "gvt/rounds/rank_report.hpp"

namespace anachron::gvt {

class RankRounds {
 public:
  /// What it asks others for.
  struct Outside {
    /// Batches of this colour that this rank has sent less those that it has received.
    std::function<std::int64_t(unsigned colour)> in_transit;
    /// What this rank says. By the last PE that is ready.
    std::function<RankReport(std::span<const Summary>)> report;
    /// On rank 0: the outcome. Called by the serving thread.
    std::function<Round(const RankReport&)> conclude;
    /// On the others: what rank 0 has concluded, and what this one had said.
    std::function<void(const Round&, const RankReport&)> take_note;
  };

  RankRounds(transport::Dispatcher& dispatcher, Outside outside);
  ~RankRounds();
  RankRounds(const RankRounds&) = delete;
  RankRounds& operator=(const RankRounds&) = delete;

  /// Whose rounds they are. Before any PE runs.
  void begin(Gvt& gvt);
  /// For the GVT: see Gvt::Collect and Gvt::Reduce.
  void all_have_cut() { local_.store(Local::has_cut, std::memory_order_release); }
  void all_are_ready(std::span<const Summary> summaries);

  /// Lets the round get on. Called by the serving thread. Returns whether it did.
  bool serve();
  /// Some rank has begun a round, as far as is known here. Called by the serving thread.
  bool is_under_way() const { return is_called_.load(std::memory_order_relaxed); }

  /// What the round under way waits for, as far as this rank knows. Any thread: it may be a little old.
  struct Awaited {
    bool is_for_own = false;  ///< for PEs of this rank
    std::vector<bool> ranks;  ///< for which of those below
  };
  Awaited awaited() const;
  /// The ranks whose answers a rank passes on with its own.
  static std::vector<unsigned> below(unsigned rank, unsigned ranks);

  /// How often the ranks have counted, in all rounds together.
  std::uint64_t counts() const { return counts_; }

 private:
  static constexpr unsigned kBranches = 4;

  /// How far the PEs of this rank are in the round. Written by the last PE and by the serving thread;
  /// release and acquire: with it go the PEs' counts and the rank's report.
  enum class Local : std::uint8_t { runs, has_cut, has_reported };
  enum class Step : std::uint32_t { call, count, again, report, summary, round };
  struct RoundMessage {
    Step step;
    std::uint32_t round;
    std::int64_t in_transit = 0;
    RankReport report{};
    Round outcome{};
  };
  /// What the ranks below have said, and whether this one has passed it on.
  template <class T>
  struct Gathered {
    T sum{};
    std::size_t missing = 0;  // ranks
    bool is_passed_on = false;
  };

  bool is_first() const { return dispatcher_.rank() == 0; }
  unsigned parent() const { return (dispatcher_.rank() - 1) / kBranches; }
  /// A rank below has answered.
  void note_answer(unsigned from);
  void receive(unsigned from, const RoundMessage& message);
  void count();
  void report();
  /// `from`: the rank that says so.
  void call(unsigned from);
  void send(unsigned to, const RoundMessage& message);
  void send_down(const RoundMessage& message);
  void count_again();
  void open_reports();
  void open(const Round& outcome);

  transport::Dispatcher& dispatcher_;
  const Outside outside_;
  Gvt* gvt_ = nullptr;
  const std::vector<unsigned> children_;
  // Written by the serving thread, read by who asks what is awaited. Relaxed: nothing is read through them.
  std::atomic<std::uint32_t> answered_{0};  // a bit for each child
  std::atomic<bool> is_called_{false};
  std::atomic<Local> local_{Local::runs};
  RankReport own_;  // of this rank, since it has reported

  // Used by the serving thread.
  std::uint32_t round_ = 0;
  Gathered<std::int64_t> in_transit_;
  Gathered<RankReport> reports_;
  bool has_moved_ = false;
  std::uint64_t counts_ = 0;
};

}  // namespace anachron::gvt
