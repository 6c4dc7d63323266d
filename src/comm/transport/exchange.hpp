// What ranks tell each other before and after a run, all together and one thing after the other. A rank that
// waits serves the dispatcher meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "comm/transport/dispatcher.hpp"

namespace anachron::transport {

using Bytes = std::vector<std::byte>;

/// Each function is called by all ranks, in the same order.
class Exchange {
 public:
  explicit Exchange(Dispatcher& dispatcher);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// What is called again and again while it waits for others.
  void while_waiting(std::function<void()> serve) { serve_ = std::move(serve); }

  /// What is called ten times a second while it waits for another rank, with that rank and for how long. It
  /// may throw. Empty: nothing.
  using Watch = std::function<void(unsigned from, double seconds)>;
  void watch_waits(Watch watch) { watch_ = std::move(watch); }

  /// On rank 0 what each rank has given, by rank; on the others nothing.
  std::vector<Bytes> gather(Bytes own);
  /// On all ranks what rank 0 has given; what others give does not count.
  Bytes broadcast(Bytes from_first);
  /// On all ranks what each has given, by rank.
  std::vector<Bytes> gather_for_all(Bytes own);
  /// From each rank what it has given for this one, by rank. `to_each`: by rank, one for each.
  std::vector<Bytes> all_to_all(std::vector<Bytes> to_each);
  /// The sum of what each has given.
  std::int64_t sum(std::int64_t own);

 private:
  /// What has come from a rank, in the pieces that it was sent in.
  struct Incoming {
    std::deque<Bytes> whole;
    Bytes current;
    std::uint64_t missing = 0;
    bool is_open = false;
  };

  void send(unsigned to, std::span<const std::byte> bytes);
  Bytes receive(unsigned from);
  void take(unsigned from, std::span<const std::byte> body);

  Dispatcher& dispatcher_;
  std::vector<Incoming> incoming_;
  std::function<void()> serve_;
  Watch watch_;
};

}  // namespace anachron::transport
