// Processes of an LP that is described at run time: functions that wait, for time to pass, for a resource,
// for each other. A process is a state machine: its place to go on and its variables are a frame in the LP's
// region, and are saved, copied and compared with it.
//
// What happens at one time within an LP has the order of SimPy 4 (https://simpy.readthedocs.io). Things are
// triggered, wait in the order in which they were, and are processed one after another. All of it happens
// within one event of the engine; the next such event is sent for the time at which the LP's first timeout is
// due.
#pragma once

#include <cstddef>
#include <cstdint>

#include <anachron/model/plain.hpp>
#include <anachron/model/region/list.hpp>
#include <anachron/model/region/priority_queue.hpp>
#include <anachron/model/region/region.hpp>

namespace anachron::process {

using region::Offset;
using region::Region;

/// Names something that a process can wait for: where it is, and how often that place was used before. What
/// has been processed and is not needed by its owner any more is gone: its name counts as processed.
using Handle = std::uint64_t;

enum class Kind : std::uint8_t {
  timeout,
  event,
  request,
  put,
  get,
  release,
  process,  ///< its end
  any,
  all,
  beginning,
  interruption,
};

/// `gone`: processed, and its owner has waited for something else since; it has no value any more.
enum class Status : std::uint8_t { pending, triggered, processed, gone };

/// How the last wait of a process has ended.
enum class Outcome : std::uint32_t { value, failed, interrupted, preempted };

// In states; zeros but for the capacity are an idle one.

enum class Discipline : std::uint32_t { fifo, priority, preemptive };

struct Queue {  ///< of nodes
  Offset first, last;
  std::uint32_t count;
};
struct Resource {
  std::uint32_t capacity;
  Discipline discipline;
  Queue waiting, users;
};
struct Container {
  double capacity, level;
  Queue puts, gets;
};
struct Store {
  std::uint32_t capacity;
  std::uint32_t is_ordered;  ///< items come out by their priorities
  region::List items;
  region::PriorityQueue ordered;
  Queue puts, gets;
};

/// What is called of an LP within one of its events.
struct Scope {
  plain::Call& call;
  std::byte* state;
  Region& region;

  explicit Scope(void* of_state)
      : call(*static_cast<plain::Call*>(Region::of(of_state).call)),
        state(static_cast<std::byte*>(of_state)),
        region(Region::of(of_state)) {}
};

// What handlers and processes call. All are noexcept and leave faults in the call. A handle of 0 is none.

/// Precondition: delay >= 0.
Handle timeout(Scope scope, double delay, std::uint64_t value) noexcept;
Handle make_event(Scope scope) noexcept;
/// False when it was triggered before.
bool succeed(Scope scope, Handle event, std::uint64_t value) noexcept;
bool fail_event(Scope scope, Handle event, double cause) noexcept;
Handle condition(Scope scope, Kind any_or_all, Handle a, Handle b) noexcept;
/// One of any number of parts: `set_part` is called for each, in their order. Without any it has happened.
Handle condition_of(Scope scope, Kind any_or_all, std::uint32_t parts) noexcept;
void set_part(Scope scope, Handle condition, std::uint32_t i, Handle part) noexcept;
/// Whether `part` had been processed when the condition was.
bool contains(Scope scope, Handle condition, Handle part) noexcept;
Status status_of(Scope scope, Handle handle) noexcept;
/// The number that it was triggered with; of an item of more than 8 bytes null, and `item_of` has it.
/// Precondition: it was triggered and is not gone.
std::uint64_t value_of(Scope scope, Handle handle) noexcept;
/// The bytes of what a `get` has got; null: it has failed. Precondition: it was triggered and is not gone.
const void* item_of(Scope scope, Handle handle) noexcept;

/// Begins a process of this number among the LP type's, with a frame that begins with `arguments`. It runs
/// when what was triggered urgently before has been processed.
Handle begin(Scope scope, std::uint32_t type, const void* arguments, std::uint32_t argument_bytes) noexcept;
/// False when the process has ended, or is the one that runs.
bool interrupt(Scope scope, Handle process, double cause) noexcept;
Handle passivate(Scope scope) noexcept;
/// False when it is not passive.
bool activate(Scope scope, Handle process) noexcept;
bool is_alive(Scope scope, Handle process) noexcept;
/// The process that runs, or 0.
Handle active(Scope scope) noexcept;

Handle request(Scope scope, Resource& resource, double priority, bool preempts) noexcept;
/// Those in line get what there is more.
void set_capacity(Scope scope, Resource& resource, std::uint32_t capacity) noexcept;
/// Gives the resource back, or leaves the line.
void leave(Scope scope, Handle request) noexcept;
Handle release(Scope scope, Handle request) noexcept;
/// Precondition: amount > 0.
Handle put_amount(Scope scope, Container& container, double amount) noexcept;
Handle get_amount(Scope scope, Container& container, double amount) noexcept;
Handle put_item(Scope scope, Store& store, const void* item, std::uint32_t bytes, double priority) noexcept;
Handle get_item(Scope scope, Store& store, std::uint32_t bytes) noexcept;
/// The first item that filter number `filter` - 1 of the LP type takes, which gets it and `with`.
Handle get_item_if(Scope scope, Store& store, std::uint32_t bytes, std::uint32_t filter, const void* with,
                   std::uint32_t with_bytes) noexcept;

// What the code of a process calls.

/// The running process waits. Precondition: `what` is not 0. False: it goes on at once, as that was processed
/// before.
bool wait(Scope scope, Handle what) noexcept;
Outcome outcome(Scope scope) noexcept;
std::uint64_t got_value(Scope scope) noexcept;
const void* got_item(Scope scope) noexcept;
/// Of an interruption: what it was given, and when the resource that was taken away had been got.
double cause(Scope scope) noexcept;
double usage_since(Scope scope) noexcept;
Handle interrupted_by(Scope scope) noexcept;
void* frame(Scope scope) noexcept;
/// The same to write to, to all of it.
void* write_frame(Scope scope) noexcept;
/// The running process has come to its end.
void end(Scope scope, std::uint64_t value) noexcept;

// What the kernel calls.

/// Makes the LP's agenda in a region in which there is nothing. False: there is no memory.
bool prepare(Region& region) noexcept;
/// Processes what is due until there is nothing left at this time, and sends the LP what wakes it next.
int run(Scope scope, const plain::LpType& type) noexcept;
/// Handlers of the two events that an LP with processes sends itself.
int wake(void* state, const void* event, plain::Call& call);
int settle(void* state, const void* event, plain::Call& call);

}  // namespace anachron::process
