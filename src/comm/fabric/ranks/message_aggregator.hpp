// The message aggregator of a rank: gathers what its PEs send to other ranks, and brings what comes from
// there to the PE that it is for (Wang et al. 2013, section 3.1: consolidation and routing).
//
// A PE hands in batches: what it sends to one other PE in one turn. Batches of all PEs for the same rank
// leave in the same messages, which are sent as soon as there is nothing more to gather: nothing is ever
// delayed. What arrives while a message cannot leave goes into that message, too. At the other end batches
// are routed as they are, without a look at the events in them. The PE reads these itself, out of the buffer
// in which they came.
//
// Flow control: at most `window` bytes are on their way from one rank to another. They count as such until
// the PEs there have read them, which a PE that is short of memory leaves until the next GVT round. Where
// memory is scarce on some rank, the window is an eighth of that. All that is on its way is read for a round,
// however little memory there is, and as much can follow each time. Beyond, batches are refused, which leaves
// the events with their sender (comm/fabric/outbox.hpp). So all that was accepted can always be received,
// whatever happens to the PEs.
//
// A message that is less than half full is copied into memory of its size. So what is on its way takes at
// most twice its bytes. That, and the buffers of the transport, count in the run's memory.
//
// Batches are also refused while more of them wait here than fit into a few messages: the link is full. The
// aggregator refuses because waiting events grow old: when they arrive, more of them are cancelled, and they
// cause more rollbacks.
//
// For GVT batches are counted by colour (Mattern 1993): it changes with each cut of the PE that sends. A rank
// can be a round ahead of another, never two, so two colours are enough.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

#include "comm/channel/spsc_channel.hpp"
#include "comm/fabric/ranks/batch.hpp"
#include "comm/fabric/ranks/rank_layout.hpp"
#include "comm/transport/dispatcher.hpp"
#include "mem/budget.hpp"

namespace anachron::fabric {

/// What an aggregator has done.
struct AggregatorFigures {
  std::uint64_t messages_sent = 0, bytes_sent = 0;
  std::uint64_t events_sent = 0, cancellations_sent = 0;  ///< events: and cancellations
  std::uint64_t messages_received = 0;
  std::uint64_t probes = 0, successful_probes = 0;  ///< looks for what has arrived
};

struct AggregatorOptions {
  std::uint64_t window = std::uint64_t{1} << 20;  ///< bytes on their way to each rank, at least one batch
  bool consolidates = true;     ///< or else each event has a message of its own, to compare with
  unsigned polling_period = 1;  ///< of so many rounds of service one looks for what has arrived; 0: adaptive
};

class MessageAggregator {
 public:
  using Options = AggregatorOptions;
  class Counter;

  /// `run`: the number of the run, which all ranks give alike, and another one for each run.
  MessageAggregator(transport::Dispatcher& dispatcher, const RankLayout& layout, const Options& options,
                    std::uint64_t run = 0);
  ~MessageAggregator();
  MessageAggregator(const MessageAggregator&) = delete;
  MessageAggregator& operator=(const MessageAggregator&) = delete;

  /// Where that PE, one of this rank, hands in and fetches its batches.
  Counter& counter(PeId pe) { return *counters_[layout_.own().index_of(pe)]; }

  /// Sends what was handed in, and routes what has arrived. Used by one thread at a time. Returns whether
  /// there was anything. `waits`: nobody has anything else to do, so look at once.
  bool serve(bool waits);

  /// Batches of this colour that were sent less those that have arrived. Of a colour in which no PE of this
  /// rank sends any more. Called by the serving thread.
  std::int64_t in_transit(unsigned colour) const;
  /// The same of all, when no PE runs.
  std::int64_t in_transit() const { return in_transit(0) + in_transit(1); }
  /// All that was handed in is on its way. Called by the serving thread.
  bool is_flushed() const;

  /// What is on its way fills memory that a PE lacks, or does not any more. Called by the serving thread.
  void note_memory(bool is_scarce);

  /// From now on what is held for messages counts in this budget. Null: in none.
  void count_in(mem::Budget* budget) {
    budget_ = budget;
    counted_ = 0;
  }

  /// Of a GVT round messages come soon, one after the other, or no longer. Called by the serving thread.
  void note_round(bool is_under_way) { is_in_round_ = is_under_way; }

  const AggregatorFigures& figures() const { return figures_; }

 private:
  /// At the beginning of each message.
  struct MessageHeader {
    std::uint64_t run = 0;       // a word of the run before may come when the next has begun
    std::uint64_t released = 0;  // bytes that the receiver of the message has sent and that were read
  };

  /// A message that has arrived, while PEs read its batches.
  struct WireMessage {
    transport::Buffer buffer;
    bool is_copy = false;  // of what came, so the buffer is none of the transport's
    unsigned from = 0;
    std::uint64_t bytes = 0;  // that count in the window
    WireMessage* next = nullptr;
    // Batches that were not read yet. The PE that reads the last one gives the wire message back: release, so
    // that its bytes are used again after all have read theirs.
    std::atomic<std::uint32_t> unread{0};
  };
  struct Delivery {
    WireMessage* wire = nullptr;
    std::size_t at = 0;  // of its header
  };

  /// What goes to one rank.
  struct Outgoing {
    std::deque<Batch*> queue;
    std::uint64_t waiting = 0;      // bytes in the queue
    std::size_t sent_of_first = 0;  // bytes of a batch that is larger than a message
    transport::Buffer message;      // being filled; without capacity: none is
    std::uint64_t events = 0;       // in it, and cancellations
    std::uint64_t cancellations = 0;
    bool is_sealed = false;  // nothing more fits, or may follow in it
    bool is_listed = false;  // in `listed_`
    bool owes_word = false;  // that rank should hear of what was read, even if nothing else goes there
    std::uint64_t told = 0;  // of `released` of that rank

    void count(const Batch& batch) {
      events += batch.count;
      cancellations += batch.cancellations;
    }
  };
  /// What comes from one rank.
  struct Incoming {
    WireMessage* large = nullptr;  // a batch larger than a message, of which some bytes are missing
    std::uint64_t released = 0;
  };
  /// How much this rank may still send to another. Written by the PEs that hand in, and by the serving thread
  /// (relaxed): nothing but the number is read on the strength of it.
  struct alignas(kNoSharing) Credit {
    std::atomic<std::uint64_t> handed_in{0};
    std::atomic<std::uint64_t> released{0};
    std::atomic<bool> is_congested{false};  // by the serving thread: too much waits to leave
  };

  static std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }
  static std::uint64_t cost(std::uint64_t bytes) { return sizeof(BatchHeader) + padded(bytes); }

  static constexpr std::uint64_t kMostWaiting = 4;  // messages
  static constexpr std::uint64_t kNarrow = 8;       // by which the window is divided where memory is scarce

  bool gather();
  void list(unsigned to);
  bool pack_all();
  bool pack(unsigned to);
  void tell_congestion(unsigned to);
  bool has_batches(const Outgoing& out) const {
    return out.message.size() > transport::Dispatcher::kHeader + sizeof(MessageHeader);
  }
  void begin_message(Outgoing& out);
  bool send_message(unsigned to);
  bool fill(Outgoing& out);
  void append(Outgoing& out, const Batch& batch, std::size_t first, std::size_t count);
  bool look(bool waits);
  void receive(unsigned from, transport::Buffer& message, std::span<const std::byte> body);
  void route(WireMessage* wire, std::size_t begin);
  /// By a PE: another batch of the wire message was read.
  void was_read(WireMessage* wire);
  void take_wire_messages_back();
  WireMessage* new_wire_message();
  void copy(WireMessage& wire, std::span<const std::byte> body, std::uint64_t bytes);
  void count_memory();

  transport::Dispatcher& dispatcher_;
  const RankLayout& layout_;
  const Options options_;
  const std::uint64_t run_;
  const std::size_t most_batch_;  // bytes behind the header of a batch that fits into a message
  std::vector<std::unique_ptr<Counter>> counters_;
  std::vector<Outgoing> outgoing_;  // by rank
  std::vector<unsigned> listed_;  // those to which something is to be sent: there may be thousands of others
  std::vector<Incoming> incoming_;
  std::unique_ptr<Credit[]> credit_;
  // Bytes; written by the serving thread, read by the PEs (relaxed): nothing but the number.
  std::atomic<std::uint64_t> window_;
  std::array<std::uint64_t, 2> arrived_{};  // batches, by colour
  std::vector<std::unique_ptr<WireMessage>> wire_messages_;
  WireMessage* spare_ = nullptr;
  // Read wire messages on their way back: put by PEs (release), taken all at once by the serving thread
  // (acquire).
  alignas(kNoSharing) std::atomic<WireMessage*> read_{nullptr};
  mem::Budget* budget_ = nullptr;  // null: nothing is counted
  std::uint64_t wire_bytes_ = 0;   // of wire messages, without those in the transport's buffers
  std::uint64_t counted_ = 0;      // in the budget
  AggregatorFigures figures_;
  unsigned rounds_ = 0, period_ = 1;  // since the last look; until the next
  bool is_in_round_ = false;
};

/// Used by the thread that runs the PE.
class MessageAggregator::Counter {
 public:
  Counter(MessageAggregator& aggregator, PeId self) : aggregator_(aggregator), self_(self) {}

  /// Nothing is accepted for that PE's rank now.
  bool refuses(PeId to) const;
  /// What a batch holds, so that it fits into a message; a single event may take more.
  std::size_t most_bytes() const { return aggregator_.options_.consolidates ? aggregator_.most_batch_ : 1; }
  /// An empty batch. Throws std::bad_alloc.
  Batch* open(PeId to);
  void hand_in(Batch* batch);
  /// From here on another colour.
  void cut() { colour_ ^= 1; }

  /// Calls `read(from, bytes, count)` with each batch that was routed here, in the order in which each PE
  /// has handed them in. When it throws, the batch counts as read.
  template <class Read>
  void fetch(Read&& read) {
    deliveries_.drain([&](const Delivery& delivery) {
      const struct Returned {
        MessageAggregator& aggregator;
        WireMessage* wire;
        ~Returned() { aggregator.was_read(wire); }
      } returned{aggregator_, delivery.wire};
      const std::span<const std::byte> rest =
          std::span<const std::byte>(delivery.wire->buffer.bytes()).subspan(delivery.at);
      const BatchHeader header(rest);
      read(header.from(), rest.subspan(sizeof header, header.bytes()), header.count());
    });
  }
  std::uint64_t bytes() const { return batch_bytes_ + out_.bytes(); }

 private:
  friend class MessageAggregator;

  MessageAggregator& aggregator_;
  const PeId self_;
  std::uint16_t colour_ = 0;
  std::array<std::uint64_t, 2> handed_in_{};  // batches, by colour
  channel::SpscChannel<Batch*> out_, back_;   // to the aggregator, and empty from there
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<Batch*> spare_;
  std::uint64_t batch_bytes_ = 0;
  channel::SpscChannel<Delivery> deliveries_;
};

}  // namespace anachron::fabric
