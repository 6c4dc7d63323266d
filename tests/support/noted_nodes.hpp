// Memory nodes that there are not: who places memory on one is only noted.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "mem/nodes/nodes.hpp"

namespace anachron::test {

class NotedNodes {
 public:
  /// To be given to an engine; several note in the same place. This must outlive them.
  std::unique_ptr<mem::NodeMemory> memory() { return std::make_unique<Memory>(*this); }

  /// The node on which that address was placed, by its number. Throws std::logic_error: on none.
  unsigned node_of(const void* address) const {
    const std::scoped_lock lock(mutex_);
    const auto* const at = static_cast<const std::byte*>(address);
    const auto behind = ranges_.upper_bound(at);
    if (behind == ranges_.begin() || at >= std::prev(behind)->second.end)
      throw std::logic_error("nobody has placed that memory");
    return std::prev(behind)->second.node;
  }

 private:
  class Memory final : public mem::NodeMemory {
   public:
    explicit Memory(NotedNodes& notes) : notes_(notes) {}
    void place(std::byte* at, std::size_t bytes, unsigned node) override {
      const std::scoped_lock lock(notes_.mutex_);
      // What was there before has gone back to the system.
      auto& ranges = notes_.ranges_;
      ranges.erase(ranges.lower_bound(at), ranges.lower_bound(at + bytes));
      ranges[at] = {at + bytes, node};
    }

   private:
    NotedNodes& notes_;
  };
  struct Range {
    const std::byte* end = nullptr;
    unsigned node = 0;
  };

  mutable std::mutex mutex_;
  std::map<const std::byte*, Range> ranges_;  // by begin
};

}  // namespace anachron::test
