// What a GVT round asks of those who share out the work among workers.
#pragma once

#include <cstdint>

namespace anachron::gvt {

/// What is known of a run when its term is judged.
struct TermFacts {
  double wall_s = 0;  ///< since the event loop began
  std::uint64_t committed = 0;
  std::uint64_t pending = 0;                    ///< events, when a term begins and in one of several workers
  std::uint64_t executed = 0, rolled_back = 0;  ///< known in a term of several workers
  double waiting_s = 0;       ///< of the workers' time together, for events or a GVT round; likewise
  unsigned awake = 0;         ///< of the workers of the term; 0: all
  bool is_disturbed = false;  ///< another process is seen to use a worker's core
};

/// Of a rank. Called by one thread at a time.
class Workers {
 public:
  virtual ~Workers() = default;
  /// How many run PEs now.
  virtual unsigned active() const = 0;
  /// Another process is seen to use the core of one of them.
  virtual bool is_disturbed() const = 0;
  /// Whether the present term is to end, as soon as it can.
  virtual bool ends_term(const TermFacts& now) = 0;
};

}  // namespace anachron::gvt
