// PeCore, checkpoint: what waits here, to be written down, and to wait here again in another run.
#include <exception>
#include <new>
#include <set>
#include <utility>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

PeCore::TakenBack PeCore::taken_back() {
  TakenBack all;
  pending_.remove_if([&](event::EventHeader* e) {
    if (e->status == event::Status::retraction) all.emplace(e->key().successor(), e->receiver);
    return false;
  });
  return all;
}

void PeCore::for_each_waiting(const std::function<void(const event::EventHeader&)>& visit) {
  const TakenBack taken_back = this->taken_back();
  std::exception_ptr error;
  pending_.remove_if([&](event::EventHeader* e) {
    if (!error) try {
        if (e->status == event::Status::multicast)
          for_each_expanded(*e, visit);
        else if (e->status == event::Status::pending && !taken_back.contains({e->key(), e->receiver}))
          visit(*e);
      } catch (...) {
        error = std::current_exception();  // thrown from here, it would lose what waits
      }
    return false;
  });
  if (error) std::rethrow_exception(error);
}

void PeCore::hand_out(const std::function<void(const event::EventHeader&)>& visit) {
  const TakenBack taken_back = this->taken_back();
  std::exception_ptr error;
  pending_.remove_if([&](event::EventHeader* e) {
    if (error || lps_.own(e->receiver)) return false;
    try {
      if (e->status == event::Status::pending && !taken_back.contains({e->key(), e->receiver})) visit(*e);
    } catch (...) {
      error = std::current_exception();
      return false;
    }
    if (e->status == event::Status::cancelled) --cancelled_.waiting;
    drop(*e);
    return true;
  });
  if (error) std::rethrow_exception(error);
  memory_.settle(taken_bytes());
}

/// One at a time: so they take the room of one.
void PeCore::for_each_expanded(event::EventHeader& multicast,
                               const std::function<void(const event::EventHeader&)>& visit) {
  const event::Recipients to = event::multicast_header(multicast).to;
  multicast_.directory().for_each_of(lps_->owner(multicast.receiver), to, [&](std::uint32_t k) {
    event::EventHeader* const e = event::make_expanded(frame_, multicast, k);
    if (e && multicast.ops->unpack(frame_, *e, multicast)) {
      visit(*e);
      return drop(*e);
    }
    if (e) pool_.release(e, e->ops->bytes);
    frame_.halt.reset();
    throw std::bad_alloc();
  });
}

event::EventHeader& PeCore::make_restored(const event::EventOps& ops, LpId receiver) {
  auto* const e = static_cast<event::EventHeader*>(pool_.allocate(ops.bytes, ops.alignment, receiver));
  if (!e) throw std::bad_alloc();
  e->match = frame_.next_match;
  ++frame_.next_match.value;
  e->next = nullptr;
  if (ops.destroy || mem::EventPool::is_single(ops.bytes)) frame_.owns_resources = true;
  return *e;
}

void PeCore::insert_restored(event::EventHeader& e) {
  pending_.insert(&e);
  if (memory_.is_short()) [[unlikely]]
    memory_.check_start(taken_bytes());
}

}  // namespace anachron::pe
