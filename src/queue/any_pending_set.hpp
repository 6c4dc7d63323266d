// A pending set of any kind behind a virtual interface: for what a PE does to it once per round or rollback.
// What it does per event is compiled for each kind, see pe/pe_of.hpp.
#pragma once

#include <functional>

#include "queue/pending_set.hpp"

namespace anachron::queue {

/// The functions of the concept PendingSet.
class AnyPendingSet {
 public:
  using Unwanted = std::function<bool(event::EventHeader*)>;
  using Times = std::function<bool(Time)>;

  virtual void insert(event::EventHeader* e) = 0;
  virtual event::EventHeader* top() = 0;
  virtual void pop() = 0;
  virtual std::size_t size() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual void remove_if(const Unwanted& unwanted) = 0;
  virtual void remove_if(const Unwanted& unwanted, const Times& at) = 0;
  /// Gives back the memory that the set holds. Precondition: it is empty.
  virtual void release_memory() = 0;

 protected:
  ~AnyPendingSet() = default;
};

template <PendingSet Q>
class PendingSetOf final : public AnyPendingSet {
 public:
  /// The set itself, without virtual calls.
  Q& exact() { return set_; }

  void insert(event::EventHeader* e) override { set_.insert(e); }
  event::EventHeader* top() override { return set_.top(); }
  void pop() override { set_.pop(); }
  std::size_t size() const override { return set_.size(); }
  std::size_t bytes() const override { return set_.bytes(); }
  void remove_if(const Unwanted& unwanted) override { set_.remove_if(unwanted); }
  void remove_if(const Unwanted& unwanted, const Times& at) override { set_.remove_if(unwanted, at); }
  void release_memory() override { set_ = Q{}; }

 private:
  Q set_;
};

}  // namespace anachron::queue
