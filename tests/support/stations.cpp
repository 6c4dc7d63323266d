#include "support/stations.hpp"

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>

#include "comm/fabric/baselines/copying_fabric.hpp"
#include "comm/fabric/make_channels.hpp"
#include "support/odd_parts.hpp"
#include "support/served_ranks.hpp"

namespace anachron::test {
namespace {

using event::EventHeader;
using fabric::Fabric;
using fabric::Message;
using Types = std::span<const event::LpTypeEntry>;

struct Dock {
  void on(Context<Dock>&, const Cargo&) {}
};

/// With as many PEs on each rank.
std::unique_ptr<Fabric> make_ranks(std::size_t pes, Types types, std::size_t pes_per_rank) {
  std::vector<PeId> owners;
  for (LpId lp = 0; lp < pes * Station::kLps; ++lp) owners.push_back(Station::pe_of(lp));
  return std::make_unique<ServedRanks>(pes, types, Owners(owners), pes_per_rank);
}

const event::EventOps& cargo_ops() { return detail::event_ops<Dock, Cargo>(); }

/// `queues`, `capacity`: of a channel that has several, or bounded ones.
std::unique_ptr<Fabric> make_channel(Channel channel, std::size_t pes, unsigned queues = 2,
                                     unsigned capacity = 4096) {
  Config config;
  config.channel = channel;
  config.channel_queues = queues;
  config.channel_capacity = capacity;
  return fabric::make_channels(config, {0, pes}, {});
}
/// Through which copies travel.
std::unique_ptr<Fabric> make_copied(std::unique_ptr<Fabric> channel, std::size_t pes, Types types) {
  return std::make_unique<fabric::CopyingFabric>(std::move(channel), PeRange{0, pes}, types);
}

std::unique_ptr<Fabric> make_mesh(std::size_t pes, Types) { return make_channel(Channel::spsc, pes); }

}  // namespace

std::vector<event::LpTypeEntry> cargo_types(std::uint32_t lps) {
  static constexpr NoParams kParams;
  return {{&detail::lp_ops<Dock>(), 0, lps, &kParams, nullptr}};
}

const std::vector<FabricKind>& fabric_kinds() {
  static const std::vector<FabricKind> kinds{
      {"mesh", make_mesh},
      {"mpsc", [](std::size_t pes, Types) { return make_channel(Channel::mpsc, pes); }},
      {"iteq_locked", [](std::size_t pes, Types) { return make_channel(Channel::iteq_locked, pes); }},
      {"iteq_spinning", [](std::size_t pes, Types) { return make_channel(Channel::iteq_spinning, pes); }},
      {"one_iteq_locked", [](std::size_t pes, Types) { return make_channel(Channel::iteq_locked, pes, 1); }},
      {"iteq_lock_free", [](std::size_t pes, Types) { return make_channel(Channel::iteq_lock_free, pes); }},
      {"one_iteq_lock_free",
       [](std::size_t pes, Types) { return make_channel(Channel::iteq_lock_free, pes, 1); }},
      {"copying", make_copying_fabric},
      {"full_mesh",
       [](std::size_t pes, Types types) { return make_reluctant_fabric(make_mesh(pes, types), pes, 1); }},
      {"full_copying",
       [](std::size_t pes, Types types) {
         return make_reluctant_fabric(make_copying_fabric(pes, types), pes, 2);
       }},
      {"copied_mesh",
       [](std::size_t pes, Types types) { return make_copied(make_mesh(pes, types), pes, types); }},
      {"copied_iteq_lock_free",
       [](std::size_t pes, Types types) {
         return make_copied(make_channel(Channel::iteq_lock_free, pes), pes, types);
       }},
      {"full_copied_mesh",
       [](std::size_t pes, Types types) {
         return make_copied(make_reluctant_fabric(make_mesh(pes, types), pes, 3), pes, types);
       }},
      {"ranks_of_one", [](std::size_t pes, Types types) { return make_ranks(pes, types, 1); }},
      {"ranks_of_two", [](std::size_t pes, Types types) { return make_ranks(pes, types, 2); }},
  };
  return kinds;
}

const std::vector<FabricKind>& narrow_fabric_kinds() {
  static const std::vector<FabricKind> kinds{
      {"capacity_1", [](std::size_t pes, Types) { return make_channel(Channel::iteq_lock_free, pes, 1, 1); }},
      {"two_of_capacity_1",
       [](std::size_t pes, Types) { return make_channel(Channel::iteq_lock_free, pes, 2, 1); }},
      {"copied_two_of_capacity_1",
       [](std::size_t pes, Types types) {
         return make_copied(make_channel(Channel::iteq_lock_free, pes, 2, 1), pes, types);
       }},
      {"two_of_capacity_8",
       [](std::size_t pes, Types) { return make_channel(Channel::iteq_lock_free, pes, 2, 8); }},
  };
  return kinds;
}

Station::Station(Fabric& fabric, PeId self, std::size_t pes, mem::Budget& budget, fabric::Originals originals)
    : self_(self),
      allowance_(budget, self),
      pool_(allowance_),
      outbox_(fabric.port(self), pes, pool_, originals) {
  frame_.pool = &pool_;
  frame_.next_match = event::MatchId::first_of(self);
  frame_.begin(0, 0, self * kLps, counters_);
}

EventHeader& Station::make(LpId to, Time time) {
  EventHeader& e = *frame_.make_event(cargo_ops(), to, time);
  std::construct_at(&event::payload<Cargo>(e), made_++);
  e.next = nullptr;
  return e;
}

EventHeader& Station::send(LpId to, Time time, Time cause) {
  EventHeader& e = make(to, time);
  sent_[{self_, to}].push_back({event::payload<Cargo>(e).number, false});
  outbox_.send(pe_of(to), e, cause);
  return e;
}

void Station::cancel(EventHeader& e) {
  sent_[{self_, e.receiver}].push_back({event::payload<Cargo>(e).number, true});
  outbox_.cancel(pe_of(e.receiver), e);
}

void Station::drop(EventHeader& e) {
  std::destroy_at(&event::payload<Cargo>(e));
  pool_.release(&e, e.ops->bytes);
}

void Station::take(std::span<const Message>& messages) {
  for (; !messages.empty(); messages = messages.subspan(1)) {
    if (throws_after_ > 0 && --throws_after_ == 0) throw std::runtime_error("enough");
    const Message message = messages.front();
    EventHeader& e = *message.target();
    if (message.cancels() != here_.contains(&e)) {
      was_overtaken_ = true;
      continue;  // it may be no event any more
    }
    ++count_from_[pe_of(e.sender)];
    received_[{pe_of(e.sender), e.receiver}].push_back({event::payload<Cargo>(e).number, message.cancels()});
    if (message.cancels()) {
      here_.erase(&e);
      port().forget(e);
      drop(e);
    } else {
      here_.insert(&e);
    }
  }
}

std::uint64_t Station::received_from(PeId sender) const {
  const auto at = count_from_.find(sender);
  return at == count_from_.end() ? 0 : at->second;
}

void Station::close() {
  for (EventHeader* e : here_) {
    port().forget(*e);
    drop(*e);
  }
  here_.clear();
  outbox_.discard();
}

}  // namespace anachron::test
