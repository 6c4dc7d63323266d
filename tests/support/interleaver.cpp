#include "support/interleaver.hpp"

#include <ucontext.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace anachron::test {
namespace {

/// All sequences of decisions, one after the other (depth first).
class Decisions {
 public:
  std::size_t choose(std::size_t options) {
    if (at_ == path_.size()) path_.push_back({0, options});
    return path_[at_++].chosen;
  }
  bool next() {
    at_ = 0;
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    return true;
  }

 private:
  struct Decision {
    std::size_t chosen, options;
  };
  std::vector<Decision> path_;
  std::size_t at_ = 0;
};

/// One order. Threads are contexts of one thread of the system, so that a switch is cheap.
class Interleaving {
 public:
  Interleaving(Decisions& decisions, std::vector<Interleaver::Thread> threads, unsigned interruptions)
      : decisions_(decisions), interruptions_(interruptions) {
    for (Interleaver::Thread& thread : threads) {
      auto& fiber = *fibers_.emplace_back(std::make_unique<Fiber>());
      fiber.body = std::move(thread);
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.data();
      fiber.context.uc_stack.ss_size = fiber.stack.size();
      fiber.context.uc_link = &main_;
      makecontext(&fiber.context, run_current, 0);
    }
  }

  void run() {
    current = this;
    for (auto ready = unfinished(); !ready.empty(); ready = unfinished()) {
      running_ = next_ ? std::exchange(next_, nullptr) : ready[decisions_.choose(ready.size())];
      swapcontext(&main_, &running_->context);
    }
    current = nullptr;
  }

  void step() {
    if (interruptions_ == 0) return;
    auto others = unfinished();
    std::erase(others, running_);
    const std::size_t chosen = decisions_.choose(1 + others.size());
    if (chosen == 0) return;
    --interruptions_;
    next_ = others[chosen - 1];
    swapcontext(&running_->context, &main_);
  }

  inline static Interleaving* current = nullptr;

 private:
  struct Fiber {
    Interleaver::Thread body;
    bool is_finished = false;
    ucontext_t context{};
    std::vector<char> stack = std::vector<char>(64 << 10);
  };

  static void run_current() {
    Fiber& fiber = *current->running_;
    fiber.body();
    fiber.is_finished = true;
  }
  std::vector<Fiber*> unfinished() const {
    std::vector<Fiber*> fibers;
    for (const auto& fiber : fibers_)
      if (!fiber->is_finished) fibers.push_back(fiber.get());
    return fibers;
  }

  Decisions& decisions_;
  unsigned interruptions_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Fiber *running_ = nullptr, *next_ = nullptr;
  ucontext_t main_{};
};

}  // namespace

std::uint64_t Interleaver::explore(const std::function<std::vector<Thread>()>& begin,
                                   const std::function<void()>& end, unsigned most_interruptions) {
  Decisions decisions;
  std::uint64_t orders = 0;
  do {
    Interleaving(decisions, begin(), most_interruptions).run();
    end();
    ++orders;
  } while (decisions.next());
  return orders;
}

void Interleaver::step() {
  if (Interleaving::current) Interleaving::current->step();
}

}  // namespace anachron::test
