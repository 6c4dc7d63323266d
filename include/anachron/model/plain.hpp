// LP types and event types that are described at run time, for languages whose types C++ does not know.
// States, events and rows of output are plain bytes, handlers are pointers to functions. What the templates
// of model/lp_ops.hpp make from C++ types is made here from data.
//
// A handler gets the address of its LP's state, that of the event's payload, and a `Call`, through which it
// does what a Context does. It returns 0, or anything else when it has failed. Nothing may be thrown through
// it: all functions here that handlers call are noexcept and leave faults in the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/platform.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/event/order.hpp>
#include <anachron/event/retraction.hpp>
#include <anachron/model/rng.hpp>
#include <anachron/model/stream.hpp>

namespace anachron::plain {

struct Call;
class LpType;

/// `event` is null in `start`. Returns 0: all is well. Anything else fails the event; the cause is what
/// `fail` was told, if it was.
using Handler = int (*)(void* state, const void* event, Call& call);

/// Where rows go that handlers write, when their events commit. Those of one LP come in the order of its
/// events; those of different LPs may come at the same time on different threads.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void add(Time time, LpId lp, std::span<const std::byte> row) = 0;
};

/// What one run gives to the LPs of one type. What it points to lives as long as the run. Compiled code may
/// read the first two members in place.
struct LpData {
  const void* params = nullptr;                    ///< at 0
  const void* shared = nullptr;                    ///< at 8
  std::span<RowSink* const> tables;                ///< by number of Model::add_table
  const event::EventOps* const* events = nullptr;  ///< Model::event_tables
  Time lookahead = 0;                              ///< of types that declare one
  bool may_stop = true;                            ///< of types that declare it
  std::span<const double> load{};                  ///< by LP; of types that declare it
  std::span<const double> position{};              ///< likewise
};

/// One handler call. Compiled code may read the first members in place, at these offsets.
struct alignas(kCacheLine) Call {
  Time now;                ///< at 0
  std::uint32_t self;      ///< at 8: the LP's number within its type
  std::uint32_t lp_count;  ///< at 12: LPs of this type
  const LpData* data;      ///< at 16
  event::Frame* frame;
  void* state = nullptr;  ///< at 32: of an LP with a region
  Rng rng;
  Stream* stream = nullptr;                         ///< that was drawn from last; null: none was
  alignas(Rng) std::byte stream_view[sizeof(Rng)];  ///< a view onto it
  const void* user;                                 ///< of the handler's description

  Call(event::Frame& of, const event::LpTypeEntry& type, const void* handler_user) noexcept;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};
static_assert(offsetof(Call, now) == 0 && offsetof(Call, self) == 8 && offsetof(Call, lp_count) == 12 &&
              offsetof(Call, data) == 16 && offsetof(Call, state) == 32 && offsetof(LpData, params) == 0 &&
              offsetof(LpData, shared) == 8);
/// The code of processes of one kind (model/process/process.hpp). The running one's offset is the event that
/// it gets; it returns when the process waits or has ended.
struct ProcessDescription {
  std::string name;
  Handler resume = nullptr;
  std::uint32_t frame_bytes = 0;
  std::vector<std::uint32_t> handles;  ///< where in its frame names are of what it may wait for
  bool has_loose_frame = false;        ///< instead the frame begins with their count, and with them
};
/// Whether a get of a store takes an item, 0 or 1; `with` is what the get was given for it. Below 0: it has
/// failed, and `fail` was told why.
using Filter = int (*)(void* state, const void* item, const void* with, Call& call);

/// Names are what the digest is made of; messages show their last part.
struct LpDescription {
  std::string name;
  std::vector<std::byte> initial;  ///< each state begins as this; at least one byte, a multiple of 8
  Handler start = nullptr;         ///< null: none
  const void* user = nullptr;      ///< for `start`
  bool has_lookahead = false, has_may_stop = false, has_load = false, has_position = false;
  /// The state begins with 8 bytes for the address of its memory that grows (model/region/region.hpp).
  bool has_region = false;
  std::vector<ProcessDescription> processes{};  ///< set by add_processes
  std::vector<Filter> filters{};                ///< likewise
};

/// Takes back what the handler of an event has done to the state. Returns 0, or anything else when it cannot,
/// which ends the run.
using Undoer = int (*)(void* state, const void* event);

struct EventDescription {
  std::string name;
  std::size_t bytes = 0;  ///< of the payload: a multiple of 8, or 0
  Handler handler = nullptr;
  const void* user = nullptr;
  Order order{};            ///< among events at the same time, where a send says nothing else
  Undoer undoer = nullptr;  ///< null: states are copied
};

/// LP types with the events that they handle. Neither copied nor moved: tables refer to each other.
class Model {
 public:
  /// States, payloads and rows are aligned to so many bytes.
  static constexpr std::size_t kAlignment = 8;

  Model();
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Returns the type's number, from 0. Throws InputError for a size that is not valid, and for a name that
  /// another type has.
  std::uint32_t add_lp(LpDescription description);
  /// An event that LPs of type `lp` handle. Returns its number, from 0, by which it is sent. Throws as
  /// `add_lp`; std::out_of_range when there is no such type.
  std::uint32_t add_event(std::uint32_t lp, EventDescription description);
  /// Processes that LPs of type `lp`, which has a region, may run, and filters of what they get from stores.
  /// LPs with processes send themselves events of two more types, which are numbered like others. Once for
  /// each type.
  void add_processes(std::uint32_t lp, std::vector<ProcessDescription> processes,
                     std::vector<Filter> filters);
  /// Rows that handlers may write. Returns the table's number, from 0. `is_saved`: checkpoints have its rows,
  /// so that a run which goes on has them all. Throws InputError for a size that is not valid.
  std::uint32_t add_table(std::size_t row_bytes, bool is_saved = true);

  std::uint32_t lp_types() const { return static_cast<std::uint32_t>(lps_.size()); }
  /// Another LP type has the same short name. O(LP types).
  bool shares_name(std::uint32_t lp) const;
  std::uint32_t tables() const { return static_cast<std::uint32_t>(row_bytes_.size()); }
  std::size_t row_bytes(std::uint32_t table) const { return row_bytes_.at(table); }
  bool is_saved(std::uint32_t table) const { return is_saved_.at(table); }
  const event::LpOps& lp(std::uint32_t type) const;
  std::size_t state_bytes(std::uint32_t type) const { return lp(type).bytes; }
  bool has_region(std::uint32_t type) const;
  const event::EventOps& event(std::uint32_t number) const { return *events_.at(number); }
  /// The LP type that handles it.
  std::uint32_t receiver(std::uint32_t event_number) const;
  Order order(std::uint32_t event_number) const;
  std::size_t payload_bytes(std::uint32_t event_number) const;
  const event::EventOps* const* event_tables() const { return events_.data(); }

 private:
  std::vector<std::unique_ptr<LpType>> lps_;
  std::vector<const event::EventOps*> events_;
  std::vector<std::size_t> row_bytes_;  // by table
  std::vector<char> is_saved_;
};

/// How an event is sent.
struct SendFlags {
  bool at_time = false;          ///< the time is absolute, not a delay
  const Order* among = nullptr;  ///< instead of what the event type says
};

/// Sends event number `event` with a copy of `payload` to LP number `index` of the type that handles it.
/// After a fault, which it leaves in the call, nothing was sent. Returns the number of the send among the
/// LP's.
std::uint64_t send(Call& call, std::uint32_t event, std::uint64_t index, Time delay,
                   const void* payload) noexcept;
std::uint64_t send(Call& call, std::uint32_t event, std::uint64_t index, Time time, const void* payload,
                   SendFlags flags) noexcept;
/// Names what was sent so, for `cancel`.
EventHandle handle_of(const Call& call, std::uint32_t event, std::uint64_t index, Time time,
                      std::uint64_t number, SendFlags flags = {}) noexcept;
/// LPs of the type that handles an event: `count` from number `first` on; or of a group, whose `members` are
/// `count` ascending numbers. These must live, unchanged and where they are, until the run has ended.
struct Receivers {
  std::uint64_t first = 0, count = 0;
  const std::uint32_t* members = nullptr;
};
/// As Context::broadcast.
void broadcast(Call& call, std::uint32_t event, const Receivers& to, Time time, const void* payload,
               SendFlags flags = {}) noexcept;
/// What a stream of the LP's state draws, as Context::rng(stream). Valid until another stream is asked for.
/// Nobody else may change the stream during the call.
Rng& rng_of_stream(Call& call, Stream& stream) noexcept;
/// The same; null: what the LP itself draws.
inline Rng& rng_of(Call& call, Stream* stream) noexcept {
  return stream ? rng_of_stream(call, *stream) : call.rng;
}
/// As Context::cancel.
bool cancel(Call& call, const EventHandle& handle) noexcept;
/// Appends a row to a table when the event commits.
void write_row(Call& call, std::uint32_t table, const void* row) noexcept;
/// LPs of a type; 0: there is none.
std::uint32_t lp_count(const Call& call, std::uint32_t type) noexcept;
void stop(Call& call) noexcept;
/// The first cause counts.
void fail(Call& call, std::string_view cause) noexcept;

}  // namespace anachron::plain
