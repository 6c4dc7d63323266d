#include <anachron/model/plain.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>
#include <anachron/base/type_name.hpp>
#include <anachron/model/neighbours.hpp>
#include <anachron/model/process/process.hpp>
#include <anachron/model/region/region.hpp>
#include <anachron/model/retraction_ops.hpp>

#include "model/plain/plain_types.hpp"

namespace anachron::plain {
namespace {

void check_bytes(std::string_view what, std::string_view name, std::size_t bytes, std::size_t least) {
  if (bytes < least || bytes % Model::kAlignment != 0)
    throw InputError(fmt::format("{} {}: {} bytes; expected a multiple of {}{}", what, name, bytes,
                                 Model::kAlignment, least > 0 ? " above 0" : ""));
}

void finish_call(event::Frame& frame, int status) noexcept {
  if (status != 0 && !frame.halt) [[unlikely]]
    frame.fail_as([&] { return fmt::format("failed with status {}", status); });
}

/// Undoes an event, of which it has the payload behind it.
struct Reversal : event::Effect {
  const EventType* type;

  static void undo(event::Effect& effect, void* state) {
    const Reversal& of = static_cast<Reversal&>(effect);
    if (of.type->undoer(state, &of + 1) != 0)
      throw std::runtime_error(
          fmt::format("what undoes event {} of {} has failed", of.type->event_name, of.type->receiver.name));
  }
  static constexpr event::EffectOps kOps{&undo, nullptr, nullptr};
};
static_assert(sizeof(Reversal) % Model::kAlignment == 0);

void keep_undo(event::Frame& frame, const EventType& type, const event::EventHeader& e) {
  void* const room = frame.make_room(sizeof(Reversal) + type.payload_bytes, alignof(Reversal));
  if (!room) return;
  Reversal* const effect = ::new (room) Reversal{{}, &type};
  if (type.payload_bytes > 0) std::memcpy(effect + 1, EventType::payload(e), type.payload_bytes);
  frame.add(effect, Reversal::kOps);
}

/// Calls a handler of an LP type that has a region, and then what the LP's processes do at this time.
void call_with_region(event::Frame& frame, const LpType& type, Handler handler, void* state,
                      const void* event, Call& call, bool keeps_undo) try {
  region::Region& region = region::Region::begin(state, frame, keeps_undo);
  region.call = &call;
  call.state = state;
  if (type.waits() && !process::prepare(region)) return;
  int status = handler(state, event, call);
  if (status == 0 && type.waits() && !frame.halt) status = process::run(process::Scope(state), type);
  finish_call(frame, status);
} catch (const std::bad_alloc&) {
  frame.note_no_memory();
}

struct Functions {  // of the kernel's tables
  static void execute(event::Frame& frame, void* state, event::EventHeader& e) {
    const EventType& type = EventType::of(e);
    Call call(frame, frame.types[type.lp_type], type.user);
    const int status = type.handler(state, EventType::payload(std::as_const(e)), call);
    if (status != 0) [[unlikely]]
      return finish_call(frame, status);
    if (type.undoer && frame.keep_undo) keep_undo(frame, type, e);
  }
  static void execute_with_region(event::Frame& frame, void* state, event::EventHeader& e) {
    const EventType& type = EventType::of(e);
    Call call(frame, frame.types[type.lp_type], type.user);
    call_with_region(frame, type.receiver, type.handler, state, EventType::payload(std::as_const(e)), call,
                     frame.keep_undo);
  }
  static void start(event::Frame& frame, void* state) {
    const event::LpTypeEntry& entry = type_of(frame);
    const auto& type = static_cast<const LpType&>(*entry.ops);
    Call call(frame, entry, type.description.user);
    if (type.description.has_region)
      return call_with_region(frame, type, type.description.start, state, nullptr, call, false);
    finish_call(frame, type.description.start(state, nullptr, call));
  }

  static std::size_t bytes_of(const event::EventHeader& e) { return EventType::of(e).payload_bytes; }
  static bool equal(const event::EventHeader& a, const event::EventHeader& b) {
    return std::memcmp(EventType::payload(a), EventType::payload(b), bytes_of(a)) == 0;
  }
  static void copy(event::EventHeader& to, const event::EventHeader& from) {
    std::memcpy(EventType::payload(to), EventType::payload(from), bytes_of(from));
  }
  static void move(event::EventHeader& to, event::EventHeader& from) { copy(to, from); }
  static Failure encode(const event::EventHeader& e, std::vector<std::byte>& out) {
    out.insert(out.end(), EventType::payload(e), EventType::payload(e) + bytes_of(e));
    return {};
  }
  static Failure decode(event::EventHeader& e, ByteReader& in) try {
    in.bytes(EventType::payload(e), bytes_of(e));
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
  static void print(const event::EventHeader& e, std::string& out) {
    const std::byte* const bytes = EventType::payload(e);
    for (std::size_t i = 0; i < bytes_of(e); ++i) out += fmt::format("{:02x}", bytes[i]);
  }

  // Of multicasts:
  static const EventType& multicast_type(const event::EventHeader& e) { return EventType::of_multicast(e); }
  static std::size_t multicast_payload_bytes(const event::EventHeader& e) {
    return multicast_type(e).payload_bytes;
  }
  static bool unpack(event::Frame&, event::EventHeader& to, const event::EventHeader& multicast) {
    std::memcpy(EventType::payload(to), multicast_payload(multicast), multicast_payload_bytes(multicast));
    return true;
  }
  static bool equal_multicast(const event::EventHeader& a, const event::EventHeader& b) {
    return event::multicast_header(a).to == event::multicast_header(b).to &&
           std::memcmp(multicast_payload(a), multicast_payload(b), multicast_payload_bytes(a)) == 0;
  }
  static void copy_multicast(event::EventHeader& to, const event::EventHeader& from) {
    std::memcpy(multicast_payload(to), multicast_payload(from), multicast_payload_bytes(from));
  }
  static void move_multicast(event::EventHeader& to, event::EventHeader& from) { copy_multicast(to, from); }
  static Failure encode_multicast(const event::EventHeader& e, std::vector<std::byte>& out) {
    out.insert(out.end(), multicast_payload(e), multicast_payload(e) + multicast_payload_bytes(e));
    return {};
  }
  static Failure decode_multicast(event::EventHeader& e, ByteReader& in) try {
    in.bytes(multicast_payload(e), multicast_payload_bytes(e));
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }

  static double lookahead(const void* params, const void*) { return data_of(params).lookahead; }
  static bool may_stop(const void* params) { return data_of(params).may_stop; }
  static double load(const void* params, const void*, std::uint32_t index) {
    return data_of(params).load[index];
  }
  static double position(const void* params, const void*, std::uint32_t index) {
    return data_of(params).position[index];
  }
};

}  // namespace

LpType::LpType(const Model& of_model, std::uint32_t of_number, LpDescription given)
    : event::LpOps{}, model(of_model), number(of_number), description(std::move(given)) {
  name = without_arguments(last_part(description.name));
  full_name = description.name;
  name_hash = hash_text(description.name);
  bytes = description.initial.size();
  alignment = Model::kAlignment;
  trivially_copyable = true;
  initial = description.initial.data();
  if (description.has_region) {
    first_region_ = std::make_unique<region::Region>(bytes);
    region::Region* const first = first_region_.get();
    std::memcpy(description.initial.data(), &first, sizeof first);
    trivially_copyable = false;
    copy = &region::Region::copy_state;
    restore = &region::Region::restore_state;
    destroy = &region::Region::destroy_state;
    equal = &region::Region::equal_states;
    encode = &region::Region::encode_state;
    decode = &region::Region::decode_state;
  }
  if (description.start) start = &Functions::start;
  if (description.has_load) load = &Functions::load;
  if (description.has_position) position = &Functions::position;
  if (description.has_lookahead) lookahead = &Functions::lookahead;
  if (description.has_may_stop) may_stop = &Functions::may_stop;
  cancellation = detail::kRetractionOps<void>;
  cancellation.type_hash = fold_multiply(hash_text(description.name), hash_text("anachron::cancel") | 1);
  retraction = &cancellation;
  list(cancellation);
}

EventType::EventType(const LpType& of_receiver, EventDescription given)
    : event::EventOps{},
      handler(given.handler),
      user(given.user),
      undoer(given.undoer),
      lp_type(of_receiver.number),
      payload_bytes(static_cast<std::uint32_t>(given.bytes)),
      order(given.order),
      receiver(of_receiver),
      name(std::move(given.name)),
      multicast{} {
  type_hash = fold_multiply(hash_text(receiver.description.name), hash_text(name) | 1);
  bytes = sizeof(event::EventHeader) + payload_bytes;
  execute = receiver.description.has_region ? &Functions::execute_with_region : &Functions::execute;
  undo = receiver.description.has_region ? event::UndoKind::log
         : undoer                        ? event::UndoKind::reverse
                                         : event::UndoKind::copy;
  may_throw_unreversed = undoer != nullptr;  // a handler that fails may have changed something
  event_name = without_arguments(last_part(name));
  equal = &Functions::equal;
  trivially_copyable = true;
  plain_bytes = payload_bytes;
  alignment = Model::kAlignment;
  copy = &Functions::copy;
  move = &Functions::move;
  encode = &Functions::encode;
  decode = &Functions::decode;
  print = &Functions::print;

  multicast.type_hash = type_hash;
  multicast.bytes = kMulticastPayloadOffset + payload_bytes;
  multicast.undo = event::UndoKind::copy;
  multicast.event_name = event_name;
  multicast.equal = &Functions::equal_multicast;
  multicast.expands_into = this;
  multicast.unpack = &Functions::unpack;
  multicast.trivially_copyable = true;
  multicast.alignment = Model::kAlignment;
  multicast.copy = &Functions::copy_multicast;
  multicast.move = &Functions::move_multicast;
  multicast.encode = &Functions::encode_multicast;
  multicast.decode = &Functions::decode_multicast;
}

Model::Model() = default;
Model::~Model() = default;

std::uint32_t Model::add_lp(LpDescription description) {
  check_bytes("state of LP type", description.name, description.initial.size(), 1);
  for (const auto& type : lps_)
    if (type->description.name == description.name)
      throw InputError(fmt::format("two LP types have the same name, {}", description.name));
  const std::uint32_t number = lp_types();
  lps_.push_back(std::make_unique<LpType>(*this, number, std::move(description)));
  return number;
}

bool Model::shares_name(std::uint32_t lp) const {
  return std::count_if(lps_.begin(), lps_.end(), [&](const auto& t) { return t->name == lps_[lp]->name; }) >
         1;
}

std::uint32_t Model::add_event(std::uint32_t lp, EventDescription description) {
  LpType& receiver = *lps_.at(lp);
  check_bytes("event", description.name, description.bytes, 0);
  if (!description.handler)
    throw InputError(fmt::format("event {} of {}: there is no handler", description.name, receiver.name));
  for (const auto& event : receiver.events)
    if (event->name == description.name)
      throw InputError(fmt::format("{} has two handlers of {}", receiver.name, description.name));
  receiver.events.push_back(std::make_unique<EventType>(receiver, std::move(description)));
  const EventType& added = *receiver.events.back();
  receiver.list(added);
  receiver.list(added.multicast);
  events_.push_back(&added);
  return static_cast<std::uint32_t>(events_.size() - 1);
}

void Model::add_processes(std::uint32_t lp, std::vector<ProcessDescription> processes,
                          std::vector<Filter> filters) {
  LpType& type = *lps_.at(lp);
  type.description.processes = std::move(processes);
  type.description.filters = std::move(filters);
  type.wake_event = add_event(lp, {.name = "anachron::process::Wake", .handler = &process::wake});
  type.settle_event = add_event(lp, {.name = "anachron::process::Settle", .handler = &process::settle});
}

std::uint32_t Model::add_table(std::size_t row_bytes, bool is_saved) {
  check_bytes("table", "row", row_bytes, 1);
  row_bytes_.push_back(row_bytes);
  is_saved_.push_back(is_saved);
  return tables() - 1;
}

bool Model::has_region(std::uint32_t type) const { return lps_.at(type)->description.has_region; }
const event::LpOps& Model::lp(std::uint32_t type) const { return *lps_.at(type); }

namespace {
const EventType& event_type(const Model& model, std::uint32_t number) {
  return static_cast<const EventType&>(model.event(number));
}
}  // namespace

std::uint32_t Model::receiver(std::uint32_t number) const { return event_type(*this, number).lp_type; }
Order Model::order(std::uint32_t number) const { return event_type(*this, number).order; }
std::size_t Model::payload_bytes(std::uint32_t number) const {
  return event_type(*this, number).payload_bytes;
}

}  // namespace anachron::plain
