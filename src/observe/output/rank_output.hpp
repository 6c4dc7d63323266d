// A trace and the model's files over ranks. Each rank sends to rank 0 the events that are to be shown and
// what its actions have written, in its order. With that comes the key up to which there is no more of it.
// Rank 0 puts it in between its own, shows all of it, and writes the files.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/event/key.hpp>
#include <anachron/event/type_table.hpp>
#include <anachron/model/model_file.hpp>

#include "comm/transport/dispatcher.hpp"
#include "comm/transport/exchange.hpp"
#include "mem/budget.hpp"
#include "observe/output/ordered_output.hpp"
#include "observe/output/tracer.hpp"

namespace anachron::observe {

/// One rank's end of it.
class RankOutput {
 public:
  /// What it asks others for. All of it must outlive this.
  struct Parts {
    transport::Dispatcher& dispatcher;
    transport::Exchange& exchange;
    const event::TypeTable& types;
    OrderedOutput& output;  ///< on rank 0 with a place for each other rank
    const Tracer* tracer;   ///< whose tasks show events on rank 0, and `send` them elsewhere; null: no trace
    std::vector<const ModelFile*> files;  ///< the same ones on each rank
    mem::Budget& budget;                  ///< in which counts what has not left
  };

  explicit RankOutput(const Parts& parts);
  ~RankOutput();
  RankOutput(const RankOutput&) = delete;
  RankOutput& operator=(const RankOutput&) = delete;

  // On ranks other than 0. Any thread, one at a time for each.

  /// An event that rank 0 is to show.
  void send(const ShownEvent& event);
  /// What the task has written, if it has: rank 0 puts it into the files.
  void send_written(const OrderedOutput::Item& done);
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
  template <class Write>
  void add(Write&& write);
  void fill_leaving();
  void take(unsigned from, std::span<const std::byte> bytes);
  void read_part(unsigned from, std::span<const std::byte> part);
  OrderedOutput::Item read_event(ByteReader& in) const;
  OrderedOutput::Item read_written(ByteReader& in) const;

  const Parts parts_;
  std::vector<transport::Bytes> incoming_;  // on rank 0, by rank: what has come and was not read

  std::mutex mutex_;       // of what follows
  transport::Bytes part_;  // what has come since the last bound
  std::size_t items_ = 0;
  transport::Bytes ready_;  // whole parts

  // Written under the mutex (release), asked before it is taken (relaxed): a look that is late is made up
  // for.
  std::atomic<bool> is_ready_{false};
  // Used by the serving thread.
  transport::Bytes leaving_;
  std::size_t gone_ = 0;
};

}  // namespace anachron::observe
