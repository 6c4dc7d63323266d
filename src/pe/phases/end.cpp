// PeCore, end: its figures, and what is left when the run is over.
#include <span>
#include <utility>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

PeReport PeCore::figures() const {
  PeReport figures = figures_;
  if (progress_.looks_at_blocks > 0)
    figures.waiting_blocks =
        static_cast<double>(progress_.waiting_blocks) / static_cast<double>(progress_.looks_at_blocks);
  figures.pool_bytes = pool_.bytes();
  figures.event_bytes = pool_.used_bytes();
  figures.queue_bytes = pending_.bytes();
  figures.history_bytes = arena_.bytes();
  figures.new_blocks = pool_.new_blocks();
  figures.rebalanced_blocks = pool_.rebalanced_blocks();
  const fabric::Copied copied = outbox_.copied();
  figures.copied = copied.events;
  figures.copied_bytes = copied.bytes;
  figures.recall_bytes = copied.recall_bytes;
  const fabric::Probes probes = outbox_.probes();
  figures.lookups = probes.lookups;
  figures.lookup_probes = probes.lookup_probes;
  figures.insertion_probes = probes.insertion_probes;
  figures.coasted = saving_.coasted();
  figures.checkpoint_interval = saving_.checkpoints().largest_interval();
  return figures;
}

void PeCore::discard() {
  const auto drop_all = [this](event::EventHeader& e) { drop(e); };
  class Unread final : public fabric::Sink {
   public:
    explicit Unread(mem::EventPool& pool) : pool_(pool) {}
    void take(std::span<const fabric::Message>& messages) override {
      for (; !messages.empty(); messages = messages.subspan(1)) {
        if (messages.front().cancels()) continue;
        event::EventHeader& e = *messages.front().target();
        e.next = std::exchange(events, &e);  // nobody's any more
      }
    }
    mem::EventPool& pool() override { return pool_; }

    event::EventHeader* events = nullptr;

   private:
    mem::EventPool& pool_;
  } unread(pool_);
  // Before any is dropped: a fabric that copies looks for the events that are cancelled.
  outbox_.port().drain(unread);
  for (event::EventHeader* e = unread.events; e;) {
    event::EventHeader* const next = e->next;
    drop(*e);
    e = next;
  }
  outbox_.discard();
  for (event::EventHeader* const e : send_buffer_.events()) drop(*e);
  send_buffer_.clear();
  for (lp::Record* record = history_.oldest(); record; record = record->next) {
    if (!record->event) continue;
    rollback::release(*record, *lps_->type_of(record->event->receiver).ops);
    drop(*record->event);
  }
  pending_.remove_if([this](event::EventHeader* e) {
    drop(*e);
    return true;
  });
  gate_.clear(drop_all);
  multicast_.clear(drop_all);
  if (event::EventHeader* const refused = rewind_interval_.take_refused()) drop(*refused);
}

}  // namespace anachron::pe
