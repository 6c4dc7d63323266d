// What comm/transport/transport.hpp says that every transport keeps to, as things that all ranks do at the
// same time, each with its own end: threads of a test, or processes that mpirun has started. What is not as
// it should be is thrown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "comm/transport/transport.hpp"

namespace anachron::test {

/// Which messages each rank sends to which others.
struct Traffic {
  std::uint64_t seed = 1;
  std::size_t messages = 1000;  ///< from each rank to each that it sends to
  /// No longer than this; empty ones and, if it is as much as a message holds, full ones among them.
  std::size_t most_bytes = SIZE_MAX;
  bool only_to_rank_0 = false;
  std::size_t poll_limit = 16;
};

struct Seen {
  std::size_t sent = 0, received = 0, refused = 0;
};

/// Sends and receives at the same time, checks that each message arrives once, as it was sent, in its order,
/// and that a refused message stays as it is.
Seen exchange(transport::Transport& transport, const Traffic& traffic);

/// One message goes to and fro between ranks 0 and 1, the others do nothing. Returns seconds per round trip.
double round_trips(transport::Transport& transport, std::size_t bytes, std::size_t count);

/// What `take` throws comes out, and the next message is the next one.
void survive_a_throw(transport::Transport& transport);

/// What all ranks see, not by the transport: set once.
struct Flag {
  std::function<void()> set;
  std::function<bool()> is_set;
};

/// Rank 0 comes late to `finish`, and no other one returns from it before.
void finish_together(transport::Transport& transport, const Flag& is_late_one_there);

/// All of the above, with several sizes and seeds, and `finish` between them; `scale` multiplies the counts
/// of messages.
void keep_contract(transport::Transport& transport, double scale, const Flag& flag);

}  // namespace anachron::test
