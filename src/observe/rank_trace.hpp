// A trace over ranks. Each rank sends to rank 0 what it shows, in its order, and the key up to which there is
// no more of it. Rank 0 puts that in between its own and shows all of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <anachron/event/key.hpp>
#include <anachron/event/type_table.hpp>

#include "comm/transport/dispatcher.hpp"
#include "comm/transport/exchange.hpp"
#include "mem/budget.hpp"
#include "observe/ordered_output.hpp"
#include "observe/tracer.hpp"

namespace anachron::observe {

/// One rank's end of it.
class RankTrace {
 public:
  /// What it asks others for. All of it must outlive the trace.
  struct Parts {
    transport::Dispatcher& dispatcher;
    transport::Exchange& exchange;
    const event::TypeTable& types;
    OrderedOutput& output;  ///< on rank 0 with a place for each other rank
    const Tracer& tracer;   ///< whose tasks show events on rank 0, and `send` them elsewhere
    mem::Budget& budget;    ///< in which counts what has not left
  };

  explicit RankTrace(const Parts& parts);
  ~RankTrace();
  RankTrace(const RankTrace&) = delete;
  RankTrace& operator=(const RankTrace&) = delete;

  // On ranks other than 0. Any thread, one at a time for each.

  /// An event that rank 0 is to show.
  void send(const ShownEvent& event);
  /// All that this rank shows and that sorts before `bound` was sent.
  void passed(const event::EventKey& bound);
  /// Lets it leave, as far as it can without waiting. Called by the serving thread. Returns whether any
  /// did.
  bool serve();

  /// Called by all ranks, when no PE runs, in place of OrderedOutput::finish; `end` as there. When it returns
  /// on rank 0, all was shown.
  void finish(const std::optional<event::EventKey>& end);

 private:
  bool is_first() const { return parts_.dispatcher.rank() == 0; }
  void fill_leaving();
  void take(unsigned from, std::span<const std::byte> bytes);
  void read_part(unsigned from, std::span<const std::byte> part);

  const Parts parts_;
  std::vector<transport::Bytes> incoming_;  // on rank 0, by rank: what has come and was not read

  std::mutex mutex_;       // of what follows
  transport::Bytes part_;  // events since the last bound
  std::size_t events_ = 0;
  transport::Bytes ready_;  // whole parts

  // Written under the mutex (release), asked before it is taken (relaxed): a look that is late is made up
  // for.
  std::atomic<bool> is_ready_{false};
  // Used by the serving thread.
  transport::Bytes leaving_;
  std::size_t gone_ = 0;
};

}  // namespace anachron::observe
