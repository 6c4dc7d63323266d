// What a process can wait for, as it lies in the LP's region, and the agenda that all of it is on.
#pragma once

#include <cstring>

#include <anachron/model/process/process.hpp>

namespace anachron::process {

/// A line of the region.
struct Node {
  std::uint32_t generation;  ///< how often the place was used
  Kind kind;
  Status status;
  bool has_failed;
  bool is_nested : 1;    ///< a condition that is part of another one, which frees it
  bool has_left : 1;     ///< a request that has given its resource back, or any that has left its line
  bool of_store : 1;     ///< a put or a get of a store, not of a container
  bool is_kept : 1;      ///< a part of a condition that its owner has just made: its value may be asked for
  std::uint32_t waiter;  ///< who waits for it first: see `Waiter`; 0: nobody does
  Offset more;           ///< a list of links to those that came later
  Offset owner;          ///< the process that made it; 0: none
  Offset next_owned;
  Offset place;  ///< of a request, put or get: in the state. Of an end or beginning: the process; of an
                 ///< interruption that process's end
  Offset next, previous;  ///< in a queue
  std::int32_t
      priority;  ///< of a request whether it preempts; of an interruption whether it takes a resource
                 ///< away; of a get the bytes of an item; of a condition which parts are done
  double time;   ///< of a request: since when it waits; of a put its priority; of an interruption its cause
  std::uint64_t
      value;  ///< a number, or where an item is; of a condition its first part; of a request: since when used
  std::uint32_t bytes;   ///< of the item; of a condition of a list those of its parts, which are its item
  std::uint32_t filter;  ///< of a get, from 1 on; of a condition how many parts are done; of an interruption
                         ///< the generation of `place`. Of a request both are its priority, a double
};
static_assert(sizeof(Node) == Region::kLine);

/// A process, or with the lowest bit the node of a condition. One that stops waiting takes its name away.
using Waiter = std::uint32_t;
inline constexpr Waiter kCondition = 1;

/// There must be no padding in what lies in a region: states are compared by their bytes.
struct Link {
  Offset next;
  Waiter waiter;
};

struct Process {
  Offset end;  ///< its node
  std::uint32_t has_ended;
  std::uint32_t type;
  std::uint32_t frame_bytes;  ///< of the frame, which lies behind
  std::uint32_t unused;
  Offset waits_for;
  Offset first_owned;
  Outcome outcome;
  Handle got;
  std::uint64_t value;
  double cause, usage_since;
  Handle by;
  Handle passive;
};

inline constexpr Offset kFrame = sizeof(Process);  // from a process to its frame

struct Due {
  Offset node;
  std::uint32_t generation;
};

/// What the region of an LP with processes begins with.
struct Agenda {
  region::List urgent, normal;     ///< nodes that were triggered, in this order
  region::PriorityQueue timeouts;  ///< Due, by time
  region::List wakes;              ///< times at which the LP is woken, the first one last
  region::List settling;           ///< places of resources that deal at the end of this instant
  Offset free_node;
  Offset running;     ///< a process
  bool is_to_settle;  ///< an event is on its way for that
};

/// How all of the room reaches the region.
class Nodes {
 public:
  explicit Nodes(Scope scope) : scope_(scope), region_(scope.region) {}

  const Agenda& agenda() const { return region_.at<Agenda>(Region::kFirst); }
  Agenda& write_agenda() { return region_.write<Agenda>(Region::kFirst); }
  const Node& node(Offset at) const { return region_.at<Node>(at); }
  Node& write_node(Offset at) { return region_.write<Node>(at); }
  const Process& process(Offset at) const { return region_.at<Process>(at); }
  Process& write_process(Offset at) { return region_.write<Process>(at); }

  /// Owned by the running process, if one runs. 0 when there is no memory.
  Offset make(Kind kind) {
    const Offset made = make_unowned(kind), running = agenda().running;
    if (made && running) own(running, made);
    return made;
  }
  /// One that is freed when it has been processed.
  Offset make_unowned(Kind kind) {
    const Offset free = write_agenda().free_node;
    const Offset made = free ? free : region_.allocate(sizeof(Node));
    if (!made) return 0;
    Node& fresh = write_node(made);
    if (free) write_agenda().free_node = fresh.next;
    const std::uint32_t generation = fresh.generation + 1;
    fresh = {};
    fresh.generation = generation;
    fresh.kind = kind;
    return made;
  }
  void free(Offset node);
  Handle handle(Offset node) const { return node ? node | Handle{this->node(node).generation} << 32 : 0; }
  /// 0: it is gone.
  Offset find(Handle handle) const {
    const auto at = static_cast<Offset>(handle);
    return at && node(at).generation == handle >> 32 ? at : 0;
  }

  /// It happens: it is processed after all that was triggered before.
  void trigger(Offset node) { push_to(&Agenda::normal, node); }
  void trigger_urgently(Offset node) { push_to(&Agenda::urgent, node); }
  void link(Offset node, Waiter waiter) {
    Node& of = write_node(node);
    if (of.waiter) return link_more(node, waiter);
    of.waiter = waiter;
  }
  void unlink(Offset node, Waiter waiter);
  /// Who waits first, and does not wait any more; 0: nobody.
  Waiter take_waiter(Offset node) {
    const Waiter first = this->node(node).waiter;
    if (first) unlink(node, first);
    return first;
  }

  void append(Queue& queue, Offset node);
  void remove(Queue& queue, Offset node);

  void own(Offset process, Offset node) {
    Process& owner = write_process(process);
    Node& owned = write_node(node);
    owned.owner = process;
    owned.next_owned = owner.first_owned;
    owner.first_owned = node;
  }
  void disown(Offset node);

  /// `bytes`: null makes one of zeros.
  void set_item(Node& node, const void* bytes, std::uint32_t size);
  const void* item(const Node& node) const;
  void free_item(Node& node);
  Handle& write_handle(Offset at) { return region_.write<Handle>(at); }

  template <class T>
  T& place(Offset at) {
    return *reinterpret_cast<T*>(scope_.state + at);
  }
  Offset offset_of(const void* place) const {
    return static_cast<Offset>(static_cast<const std::byte*>(place) - scope_.state);
  }
  double now() const { return scope_.call.now; }
  void fail(std::string_view cause) { plain::fail(scope_.call, cause); }

 private:
  void link_more(Offset node, Waiter waiter);
  void push_to(region::List Agenda::* list, Offset node) {
    write_node(node).status = Status::triggered;
    if ((agenda().*list).count == (agenda().*list).capacity) [[unlikely]]
      if (!grow_list(list)) return;
    region::List& of = write_agenda().*list;
    std::memcpy(region::push_back(region_, of, sizeof node), &node, sizeof node);
  }
  /// All that is in the region moves, the agenda too: the list is changed beside it.
  bool grow_list(region::List Agenda::* list) {
    region::List changed = agenda().*list;
    const bool has_grown = region::grow(region_, changed, sizeof(Offset));
    write_agenda().*list = changed;
    return has_grown;
  }

  Scope scope_;
  Region& region_;
};

inline constexpr std::uint32_t kMostItem = 4096;  // bytes

// What happens when a node is processed, before those go on that wait for it. For a release, a put, a get.
void deal_resource(Scope scope, Nodes& nodes, Offset place);
void deal_puts(Scope scope, Nodes& nodes, Offset node);
void deal_gets(Scope scope, Nodes& nodes, Offset node);
/// Of a resource with priorities, at the end of the instant.
void settle_resource(Nodes& nodes, Offset place);
/// An interruption is for this process, and for no other one that takes its place.
void name_process(Nodes& nodes, Offset interruption, Offset process);
/// Of a put or get that is in line no more.
void leave_line(Nodes& nodes, Offset at);
void check_condition(Nodes& nodes, Offset condition, bool has_failed, std::uint64_t value);
/// It is processed: from now on `contains` says what has been done up to here.
void close_condition(Nodes& nodes, Offset condition);
void free_condition(Nodes& nodes, Offset condition);
/// What a failed event, or a condition of one, gives to those who wait.
std::uint64_t failure_of(const Node& node);

}  // namespace anachron::process
