// Which LP sent how many events to which: what a partition is made of (partition/profile/profile.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/event/header.hpp>

#include "partition/profile/profile.hpp"

namespace anachron::observe {

/// Of a sequential run: used by one thread.
class LinkTally {
 public:
  explicit LinkTally(std::uint32_t lps) : work_(lps) {}

  /// Throws InputError when there are more different pairs than memory is meant for.
  void committed(const event::EventHeader& e) {
    ++work_[e.receiver];
    if (e.sender < work_.size())
      add(std::uint64_t{e.sender} << 32 | e.receiver);  // not from outside the model
  }

  partition::Profile profile() const;

 private:
  struct Link {
    std::uint64_t pair = 0;   // sender, receiver
    std::uint64_t count = 0;  // 0: the place is free
  };

  void add(std::uint64_t pair);
  Link& find(std::uint64_t pair);
  void grow();

  std::vector<std::uint64_t> work_;
  std::vector<Link> links_;  // a hash table with open addressing; a power of two
  std::uint64_t used_ = 0;
};

}  // namespace anachron::observe
