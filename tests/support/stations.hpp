// PEs reduced to what a fabric sees of them, and all fabrics that there are: for tests of what every fabric
// has to keep to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"
#include "comm/fabric/outbox.hpp"
#include "mem/budget.hpp"

namespace anachron::test {

/// What events carry here. Counts the objects that there are.
struct Cargo {
  inline static std::atomic<std::int64_t> alive{0};
  std::uint64_t number = 0;
  std::string text;  // so that an event owns memory

  Cargo() { ++alive; }
  explicit Cargo(std::uint64_t n) : number(n), text(n % 50, 'x') { ++alive; }
  Cargo(const Cargo& other) : number(other.number), text(other.text) { ++alive; }
  Cargo& operator=(const Cargo&) = default;
  ~Cargo() { --alive; }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(number, text);
  }
};

/// One LP type, which may be sent cargo.
std::vector<event::LpTypeEntry> cargo_types(std::uint32_t lps);

struct FabricKind {
  std::string name;
  std::unique_ptr<fabric::Fabric> (*make)(std::size_t pes, std::span<const event::LpTypeEntry> types);
};
/// Each implementation, and each of them full at times.
const std::vector<FabricKind>& fabric_kinds();
/// With queues so short that they are full nearly always, until the receiver has drained them.
const std::vector<FabricKind>& narrow_fabric_kinds();

/// A PE with some LPs that only sends and receives.
class Station final : public fabric::Sink {
 public:
  static constexpr LpId kLps = 2;  ///< of each station
  /// A message as the test sees it: the number in the event's cargo, and whether it takes the event back.
  struct Note {
    std::uint64_t number;
    bool cancels;
    friend bool operator==(const Note&, const Note&) = default;
  };
  using Log = std::vector<Note>;
  /// The messages of one sender about one LP.
  using Logs = std::map<std::pair<PeId, LpId>, Log>;

  /// `budget` is shared by all stations; their events go from one to the other.
  Station(fabric::Fabric& fabric, PeId self, std::size_t pes, mem::Budget& budget,
          fabric::Originals originals = fabric::Originals::to_compare);

  static PeId pe_of(LpId lp) { return static_cast<PeId>(lp / kLps); }

  fabric::Outbox& outbox() { return outbox_; }
  fabric::Port& port() { return outbox_.port(); }
  mem::EventPool& pool() override { return pool_; }

  event::EventHeader& make(LpId to, Time time);
  event::EventHeader& send(LpId to, Time time, Time cause = 0);
  void cancel(event::EventHeader& e);
  /// Ends an event that nobody else has any more.
  void drop(event::EventHeader& e);

  void take(std::span<const fabric::Message>& messages) override;
  /// The next `take` takes so many messages and throws.
  void throw_after(std::size_t messages) { throws_after_ = messages; }
  std::uint64_t receive() { return port().drain(*this); }

  const Logs& sent() const { return sent_; }
  const Logs& received() const { return received_; }
  std::uint64_t received_from(PeId sender) const;
  /// A cancellation came before its event, or twice.
  bool was_overtaken() const { return was_overtaken_; }

  /// Drops all that has arrived and all that has not left. When nobody sends any more.
  void close();

 private:
  PeId self_;
  mem::Allowance allowance_;
  mem::EventPool pool_;
  fabric::Outbox outbox_;
  event::Frame frame_;
  event::LpCounters counters_;
  std::uint64_t made_ = 0;
  Logs sent_, received_;
  std::map<PeId, std::uint64_t> count_from_;
  std::set<event::EventHeader*> here_;
  std::size_t throws_after_ = 0;  // 0: never
  bool was_overtaken_ = false;
};

}  // namespace anachron::test
