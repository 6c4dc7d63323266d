#include "support/odd_parts.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>
#include <anachron/event/broadcast.hpp>
#include <anachron/event/recipients.hpp>
#include <anachron/event/type_table.hpp>

#include "comm/fabric/make_channels.hpp"
#include "gvt/epoch_gvt.hpp"
#include "sched/mapping/shared_mapping.hpp"

namespace anachron::test {
namespace {

using event::EventHeader;
using event::Status;
using fabric::Message;

/// Bytes from one PE to another, in order.
class Pipe {
 public:
  void put(const std::vector<std::byte>& bytes) {
    const std::scoped_lock lock(mutex_);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::byte> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(bytes_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::byte> bytes_;
};

class CopyingFabric final : public fabric::Fabric {
 public:
  CopyingFabric(std::size_t pes, std::span<const event::LpTypeEntry> types)
      : lp_types_(types.begin(), types.end()), types_(types), pipes_(pes * pes) {
    types_.require_encodable();
    for (std::size_t pe = 0; pe < pes; ++pe) ends_.push_back(std::make_unique<End>(*this, pe, pes));
  }
  fabric::Port& port(PeId pe) override { return *ends_[pe]; }

 private:
  class End final : public fabric::Port {
   public:
    End(CopyingFabric& fabric, std::size_t self, std::size_t pes)
        : fabric_(fabric), self_(self), pes_(pes), received_(pes) {}

    std::size_t hand_over(PeId to, std::span<const Message> messages) override {
      std::vector<std::byte> bytes;
      for (const Message message : messages) write(bytes, message);
      fabric_.pipes_[self_ * pes_ + to].put(bytes);
      return messages.size();
    }

    std::uint64_t drain(fabric::Sink& sink) override {
      std::uint64_t count = 0;
      for (std::size_t from = 0; from < pes_; ++from) {
        const std::vector<std::byte> bytes = fabric_.pipes_[from * pes_ + self_].take();
        for (ByteReader in(bytes); in.remaining() > 0; ++count) arrived_.push_back(read(in, sink.pool()));
      }
      const std::vector<Message> messages = std::exchange(arrived_, {});
      std::span<const Message> left(messages);
      const struct Rest {  // when the sink throws, they come again
        std::vector<Message>& arrived;
        std::span<const Message>& left;
        ~Rest() { arrived.insert(arrived.end(), left.begin(), left.end()); }
      } rest{arrived_, left};
      sink.take(left);
      return count;
    }

    PeRange near() const override { return {static_cast<PeId>(self_), 1}; }
    bool wants_to_forget() const override { return true; }
    void forget(const EventHeader& e) override { received_[e.match.pe()].erase(e.match.value); }
    std::uint64_t bytes() const override { return 0; }

   private:
    void write(std::vector<std::byte>& bytes, Message message) const {
      const EventHeader& e = *message.target();
      ByteWriter out(bytes);
      out.flag(message.cancels());
      out.number(e.match.value);
      if (message.cancels()) return;
      out.number(fabric_.types_.number_of(*e.ops));
      out.number(e.depth());
      out.number(e.time);
      out.number(e.order);
      out.number(e.place());
      out.number(e.sender);
      out.number(e.receiver);
      if (e.ops->expands_into) {
        out.number(event::multicast_header(e).first_unmixed);
        event::encode_recipients(out, event::multicast_header(e).to);
      }
      if (const Failure failed = e.ops->encode(e, bytes)) throw std::logic_error(*failed);
    }

    Message read(ByteReader& in, mem::EventPool& pool) {
      const bool cancels = in.flag();
      const event::MatchId match{in.number<std::uint64_t>()};
      auto& known = received_[match.pe()];
      if (cancels) return Message::cancellation(known.at(match.value));
      const auto& [lp_type, ops] = fabric_.types_.entries()[in.number<std::uint32_t>()];
      auto* const e = static_cast<EventHeader*>(pool.allocate(ops->bytes));
      e->match = match;
      e->set_ops(*ops, in.number<std::uint32_t>());
      e->time = in.number<Time>();
      e->order = in.number<std::uint64_t>();
      e->set_place(in.number<std::uint64_t>());
      e->sender = in.number<LpId>();
      e->receiver = in.number<LpId>();
      e->status = e->waiting_status();
      if (ops->expands_into) {
        e->status = Status::multicast;
        event::MulticastHeader& of = *std::construct_at(&event::multicast_header(*e));
        of.first_unmixed = in.number<std::uint64_t>();
        of.to = event::decode_recipients(in, fabric_.lp_types_[lp_type], lists_);
      }
      if (const Failure failed = ops->decode(*e, in)) throw std::logic_error(*failed);
      if (!known.emplace(match.value, e).second) throw std::logic_error("a match id came twice");
      return Message::event(e);
    }

    CopyingFabric& fabric_;
    const std::size_t self_, pes_;
    std::vector<std::unordered_map<std::uint64_t, EventHeader*>> received_;  // by sender and match id
    event::RecipientLists lists_;
    std::vector<Message> arrived_;  // and not taken
  };

  std::vector<event::LpTypeEntry> lp_types_;
  event::TypeTable types_;
  std::vector<Pipe> pipes_;  // from * PEs + to
  std::vector<std::unique_ptr<End>> ends_;
};

class ReluctantFabric final : public fabric::Fabric {
 public:
  ReluctantFabric(std::unique_ptr<Fabric> inner, std::size_t pes, std::uint64_t seed)
      : inner_(std::move(inner)) {
    for (std::size_t pe = 0; pe < pes; ++pe)
      ends_.push_back(std::make_unique<End>(inner_->port(static_cast<PeId>(pe)), seed + pe));
  }
  fabric::Port& port(PeId pe) override { return *ends_[pe]; }

 private:
  class End final : public fabric::Port {
   public:
    End(fabric::Port& inner, std::uint64_t seed) : inner_(inner), random_(seed) {}
    std::size_t hand_over(PeId to, std::span<const Message> messages) override {
      const std::size_t most = random_() % 4 == 0 ? messages.size() : random_() % 3;
      return inner_.hand_over(to, messages.first(std::min(most, messages.size())));
    }
    std::uint64_t drain(fabric::Sink& sink) override { return inner_.drain(sink); }
    void attach(mem::EventPool& pool) override { inner_.attach(pool); }
    PeRange near() const override { return inner_.near(); }
    PeRange here() const override { return inner_.here(); }
    fabric::Copied copied() const override { return inner_.copied(); }
    void discard() override { inner_.discard(); }
    void promise(PeId to, std::uint64_t count) override { inner_.promise(to, count); }
    bool wants_to_forget() const override { return inner_.wants_to_forget(); }
    void forget(const EventHeader& e) override { inner_.forget(e); }
    void cut() override { inner_.cut(); }
    std::uint64_t bytes() const override { return inner_.bytes(); }
    void trim() override { inner_.trim(); }

   private:
    fabric::Port& inner_;
    std::mt19937_64 random_;
  };

  std::unique_ptr<Fabric> inner_;
  std::vector<std::unique_ptr<End>> ends_;
};

class StrayMapping final : public sched::Mapping {
 public:
  StrayMapping(unsigned workers, unsigned pes, std::uint64_t seed)
      : workers_(workers), pes_(pes), taken_(pes) {
    for (unsigned worker = 0; worker < workers; ++worker) randoms_.emplace_back(seed + worker);
  }
  void begin_term(unsigned workers, unsigned pes) override {
    workers_ = workers;
    pes_ = pes;
  }
  PeId try_acquire(unsigned worker) override {
    auto& random = randoms_[worker];
    if (random() % 8 == 0) return sched::kNoPe;
    const auto pe = static_cast<PeId>(random() % pes_);
    // Acquire: pairs with `release`.
    if (taken_[pe].exchange(true, std::memory_order_acquire)) return sched::kNoPe;
    return pe;
  }
  void release(unsigned, PeId pe, bool) override { taken_[pe].store(false, std::memory_order_release); }
  unsigned pes_of(unsigned) const override { return pes_; }
  unsigned active_workers() const override { return workers_; }

 private:
  unsigned workers_, pes_;
  std::vector<std::mt19937_64> randoms_;
  std::vector<std::atomic<bool>> taken_;
};

/// Suspects some worker now and then.
class FickleDetector final : public sched::Detector {
 public:
  FickleDetector(unsigned workers, std::uint64_t seed) : workers_(workers), random_(seed) {}
  std::optional<unsigned> detect() override {
    if (random_() % 8 != 0) return std::nullopt;
    return static_cast<unsigned>(random_() % workers_);
  }

 private:
  unsigned workers_;
  std::mt19937_64 random_;
};

/// A mapping that puts workers to sleep for no reason.
template <class Base>
class Drowsy final : public Base {
 public:
  Drowsy(const Config& config, std::uint64_t seed)
      : Base(*config.workers, *config.pes, settings(config, seed)), workers_(*config.workers), seed_(seed) {}
  std::unique_ptr<sched::Detector> make_detector(unsigned worker) override {
    return std::make_unique<FickleDetector>(workers_, seed_ + worker);
  }

 private:
  static sched::SharedMappingSettings settings(const Config& config, std::uint64_t seed) {
    sched::SharedMappingSettings settings = sched::SharedMappingSettings::of(config);
    settings.detector = Detector::kernel;
    settings.reactivation = Spelling<Reactivation>::names[seed % 3].second;
    return settings;
  }

  unsigned workers_;
  std::uint64_t seed_;
};

/// Terms of any length, with any number of workers.
class FickleWorkers final : public sched::ActiveWorkers {
 public:
  FickleWorkers(unsigned most, std::uint64_t seed) : most_(most), random_(seed) { turn(); }
  unsigned count() const override { return count_; }
  bool goes_in_order() const override { return is_in_order_; }
  bool goes_in_windows() const override { return is_in_windows_; }
  bool is_time_sliced() const override { return looks_ % 4 != 0; }
  void begin_term(const gvt::TermFacts&) override { looks_ = 1 + random_() % 8; }
  bool ends_term(const gvt::TermFacts&) override { return --looks_ == 0; }
  void choose(const gvt::TermFacts&, Cause cause) override {
    turn();
    if (cause == Cause::no_memory) is_in_order_ = false;
  }

 private:
  void turn() {
    is_in_order_ = random_() % 2 == 0;
    is_in_windows_ = random_() % 2 == 0;
    count_ = is_in_order_ ? 1 : 1 + static_cast<unsigned>(random_() % most_);
  }

  unsigned most_, count_ = 1;
  std::mt19937_64 random_;
  std::uint64_t looks_ = 1;
  bool is_in_order_ = false, is_in_windows_ = false;
};

class OneInOrder final : public sched::ActiveWorkers {
 public:
  unsigned count() const override { return 1; }
  bool goes_in_order() const override { return true; }
  bool is_time_sliced() const override { return true; }
  void begin_term(const gvt::TermFacts&) override {}
  bool ends_term(const gvt::TermFacts&) override { return false; }
  void choose(const gvt::TermFacts&, Cause) override {}
};

/// Each is over after two or three looks, wherever the two are.
std::unique_ptr<sched::TimeSlicing> make_short_slices() {
  using Clock = sched::TimeSlicing::Clock;
  return std::make_unique<sched::TimeSlicing>(sched::TimeSlicing::System{
      .now = [now = Clock::time_point()]() mutable { return now += std::chrono::microseconds(900); },
      .gather = [] {},
      .roam = [] {}});
}

/// Whoever asks what is due serves the reduction.
class LateGvt final : public gvt::EpochGvt {
 public:
  LateGvt(std::size_t members, engine::Seams::Conclude conclude, std::uint64_t seed)
      : EpochGvt(members, [this](gvt::Gvt&, std::span<const gvt::Summary> summaries) { begin(summaries); }),
        conclude_(std::move(conclude)),
        random_(seed) {}

  gvt::Duty due(std::size_t member) override {
    // Acquire and release: whoever takes the last step sees what `begin` has left.
    if (steps_left_.load(std::memory_order_relaxed) > 0 &&
        steps_left_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      open(conclude_(summaries_));
    return EpochGvt::due(member);
  }

 private:
  void begin(std::span<const gvt::Summary> summaries) {
    summaries_ = summaries;
    steps_left_.store(1 + static_cast<int>(random_() % 30), std::memory_order_release);
  }
  engine::Seams::Conclude conclude_;
  std::mt19937_64 random_;
  std::span<const gvt::Summary> summaries_;
  std::atomic<int> steps_left_{0};
};

bool all_encodable(std::span<const event::LpTypeEntry> types) {
  try {
    event::TypeTable(types).require_encodable();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::unique_ptr<fabric::Fabric> make_copying_fabric(std::size_t pes,
                                                    std::span<const event::LpTypeEntry> types) {
  return std::make_unique<CopyingFabric>(pes, types);
}
std::unique_ptr<fabric::Fabric> make_reluctant_fabric(std::unique_ptr<fabric::Fabric> inner, std::size_t pes,
                                                      std::uint64_t seed) {
  return std::make_unique<ReluctantFabric>(std::move(inner), pes, seed);
}
std::unique_ptr<sched::Mapping> make_stray_mapping(unsigned workers, unsigned pes, std::uint64_t seed) {
  return std::make_unique<StrayMapping>(workers, pes, seed);
}

std::shared_ptr<const engine::Seams> odd_parts(std::uint64_t seed) {
  const std::uint64_t choice = seed % 2 ? ~std::uint64_t{0} : mix64(seed);
  auto parts = std::make_shared<engine::Seams>();
  parts->description = "odd parts " + std::to_string(seed);
  parts->fabric = [choice, seed](const Config& config, std::span<const event::LpTypeEntry> types) {
    const std::size_t pes = *config.pes;
    std::unique_ptr<fabric::Fabric> fabric;
    if ((choice & 2) && all_encodable(types))
      fabric = make_copying_fabric(pes, types);
    else
      fabric = fabric::make_channels(config, {0, pes}, types);
    if (choice & 4) fabric = make_reluctant_fabric(std::move(fabric), pes, seed);
    return fabric;
  };
  parts->machine = "pack:2 numa:2 core:3 pu:1";  // whether events are placed there, the options say
  if (choice & 8)
    parts->mapping = [seed](const Config& config) -> std::unique_ptr<sched::Mapping> {
      if (seed % 5 == 3) return std::make_unique<Drowsy<sched::LocalityMapping>>(config, seed);
      if (seed % 5 == 4) return std::make_unique<Drowsy<sched::DynamicMapping>>(config, seed);
      return make_stray_mapping(*config.workers, *config.pes, seed);
    };
  if (choice & 32)
    parts->active_workers = [seed](const Config& config) {
      return std::make_unique<FickleWorkers>(*config.workers, seed);
    };
  parts->time_slicing = make_short_slices;
  if (choice & 16)
    parts->gvt = [seed](const Config& config, engine::Seams::Conclude conclude) {
      return std::make_unique<LateGvt>(*config.pes, std::move(conclude), seed);
    };
  return parts;
}

std::shared_ptr<const engine::Seams> one_in_order() {
  auto parts = std::make_shared<engine::Seams>();
  parts->active_workers = [](const Config&) { return std::make_unique<OneInOrder>(); };
  parts->time_slicing = make_short_slices;
  return parts;
}

}  // namespace anachron::test
