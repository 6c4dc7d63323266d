// The door of the room `topo`: the machine as threads see it, with its cores, memory nodes, clocks, counters.
//
// This file tells which processors share a core, caches and memory, as hwloc sees it.
// Invariant: where the system does not tell, the answer is empty, and the run goes on without it.
// Read on in topo/processors.hpp (the cores that may be used) and topo/clocks/clocks.hpp (time of workers).
#pragma once

#include <pthread.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace anachron::topo {

/// The library was built with hwloc.
extern const bool kHasHwloc;

/// Processors (hardware threads) are known by their numbers in the operating system.
class Topology {
 public:
  /// Nothing without hwloc, or when hwloc cannot tell.
  static std::optional<Topology> of_this_machine();
  /// The machine that hwloc's environment variables describe in the place of this one: HWLOC_SYNTHETIC,
  /// HWLOC_XMLFILE, HWLOC_FSROOT. There binding does nothing. Nothing when none is set, and costs nothing
  /// then.
  static std::optional<Topology> of_another_machine();
  /// A made-up machine in hwloc's notation, such as "pack:2 numa:1 core:4 pu:2".
  static std::optional<Topology> made_up(const std::string& description);
  Topology(Topology&&) noexcept;
  Topology& operator=(Topology&&) noexcept;
  ~Topology();

  /// The processors that the calling thread may use.
  std::vector<unsigned> allowed() const;

  /// `count` processors out of `allowed`, or all when those are fewer. As many cores as possible, so that no
  /// two share one while another is free. These are as near each other as possible: they share a cache, a
  /// NUMA node, a package. In the machine's order, so that neighbours in the result are near each other.
  std::vector<unsigned> choose(std::size_t count, const std::vector<unsigned>& allowed) const;

  /// The same processors, so that the first ones, however many, bring most: one of each core before a second
  /// one of any. Fast cores come before slow ones, where hwloc knows which are. Otherwise as they were.
  std::vector<unsigned> best_first(std::vector<unsigned> processors) const;

  /// Keeps a thread of this process on these processors. The system may refuse.
  std::error_code bind(pthread_t thread, const std::vector<unsigned>& processors) const;

  /// The memory node, by its number in the system, that is nearest to a processor. None: hwloc knows none.
  std::optional<unsigned> node_of(unsigned processor) const;
  /// Pages of this range that nobody has touched yet come from that node, if it has some left. The system may
  /// refuse.
  std::error_code place(std::byte* at, std::size_t bytes, unsigned node) const;

 private:
  struct Impl;
  explicit Topology(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace anachron::topo
