// What is to be done in the order of all events, when these are certain: output that the whole model shares.
#pragma once

#include <cstddef>
#include <memory>

namespace anachron::event {

/// Something to be done once.
class Task {
 public:
  virtual ~Task() = default;
  virtual void run() = 0;
};

/// Takes the tasks of events that commit. Of one PE, told by it which event that is.
class InOrder {
 public:
  virtual ~InOrder() = default;
  /// `bytes`: what the task takes, as far as that is known.
  virtual void add(std::unique_ptr<Task> task, std::size_t bytes) = 0;
};

}  // namespace anachron::event
