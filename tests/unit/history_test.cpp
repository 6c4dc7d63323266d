// The history as a container, and PEs that walk it: stepped by hand, in one thread, so that each interleaving
// of what they do can be had at will and again.
#include "lp/history.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/mem/arena.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/run/config.hpp>

#include "exec/digest.hpp"
#include "exec/engine.hpp"
#include "exec/judge.hpp"
#include "exec/pe.hpp"
#include "lp/lp_store.hpp"
#include "queue/dary_heap.hpp"
#include "scale.hpp"
#include "sync/gvt.hpp"

namespace anachron::lp {
namespace {

using test::scaled;

void commit_and_drop(History& history) {
  history.commit_first();
  history.drop_oldest();
}

TEST(History, IsEmptyAtFirst) {
  mem::Arena arena;
  const History history(arena);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_FALSE(history.holds(0));
}

TEST(History, NumbersEntriesFromOne) {
  mem::Arena arena;
  History history(arena);
  for (std::uint64_t i = 1; i <= 10; ++i) {
    history.append(0, 8);
    EXPECT_EQ(history.newest_index(), i);
    EXPECT_TRUE(history.holds(i));
    EXPECT_FALSE(history.holds(0));
  }
}

TEST(History, ForgetsTheOldestFirst) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = &history.append(100, 16);
  EXPECT_EQ(history.oldest(), records[0]);
  commit_and_drop(history);
  EXPECT_EQ(history.oldest(), records[1]);
  EXPECT_FALSE(history.holds(1));
  EXPECT_TRUE(history.holds(2));
  commit_and_drop(history);
  commit_and_drop(history);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.size(), 0u);
  EXPECT_FALSE(history.holds(3));
}

TEST(History, KeepsWhatWasCommitted) {
  mem::Arena arena;
  History history(arena);
  Record* records[3];
  for (Record*& record : records) record = &history.append(0, 8);
  history.commit_first();
  history.commit_first();
  EXPECT_EQ(history.oldest(), records[0]);
  EXPECT_EQ(history.first_uncommitted(), records[2]);
  EXPECT_EQ(history.uncommitted(), 1u);
  EXPECT_EQ(history.size(), 3u);
  EXPECT_TRUE(history.holds(1));
  EXPECT_FALSE(history.may_undo(2));
  EXPECT_TRUE(history.may_undo(3));
  history.commit_first();
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& record = history.append(0, 8);
  EXPECT_EQ(history.first_uncommitted(), &record);
  EXPECT_EQ(records[2]->next, &record);
  history.drop_oldest();
  EXPECT_EQ(history.dropped_index(), 1u);
  EXPECT_EQ(history.oldest(), records[1]);
}

TEST(History, CountsOnAfterItWasEmpty) {
  mem::Arena arena;
  History history(arena);
  history.append(0, 8);
  commit_and_drop(history);
  Record& record = history.append(0, 8);
  EXPECT_EQ(history.newest_index(), 2u);
  EXPECT_EQ(history.oldest(), &record);
  EXPECT_EQ(record.next, nullptr);
  EXPECT_TRUE(history.holds(2));
}

TEST(History, ForgetsTheNewest) {
  mem::Arena arena;
  History history(arena);
  const auto go_back = [&](Record* newest, std::uint64_t index) {
    for (int i = 0; i < 3; ++i) history.append(0, 8);
    history.forget_after(newest, index);
    EXPECT_EQ(history.newest(), newest);
    EXPECT_EQ(history.newest_index(), index);
  };
  go_back(nullptr, 0);
  EXPECT_EQ(history.oldest(), nullptr);
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& committed = history.append(0, 8);
  history.commit_first();
  go_back(&committed, 1);
  EXPECT_EQ(history.oldest(), &committed);
  EXPECT_EQ(history.first_uncommitted(), nullptr);
  Record& pending = history.append(0, 8);
  go_back(&pending, 2);
  EXPECT_EQ(history.first_uncommitted(), &pending);
  EXPECT_EQ(pending.next, nullptr);
  EXPECT_EQ(history.uncommitted(), 1u);
  commit_and_drop(history);
  history.drop_oldest();
  go_back(nullptr, 2);
  Record& next = history.append(0, 8);
  EXPECT_EQ(history.oldest(), &next);
  EXPECT_EQ(history.first_uncommitted(), &next);
  EXPECT_EQ(history.newest_index(), 3u);
}

TEST(History, WalksInOrderOfExecution) {
  mem::Arena arena;
  History history(arena);
  struct Expected {
    Record* record;
    std::uint64_t index;
    std::uint64_t mark;
  };
  std::deque<Expected> expected;
  std::mt19937_64 random(1);
  const std::size_t rooms[] = {0, 8, 500, 70'000, 300'000};
  for (int step = 0; step < scaled(20'000); ++step) {
    const bool grows = step / 500 % 2 == 0;
    if (random() % 100 < (grows ? 60u : 45u)) {
      const std::size_t extra = rooms[random() % 100 < 3 ? 3 + random() % 2 : random() % 3];
      Record& record = history.append(extra, random() % 2 ? 8 : 256);
      expected.push_back({&record, history.newest_index(), random()});
      record.older_index = expected.back().mark;
      if (extra > 0) reinterpret_cast<unsigned char*>(&record + 1)[extra - 1] = 1;  // the room is there
    } else if (!expected.empty()) {
      commit_and_drop(history);
      EXPECT_FALSE(history.holds(expected.front().index));
      expected.pop_front();
    }
    ASSERT_EQ(history.size(), expected.size());
    if (expected.empty()) {
      ASSERT_EQ(history.oldest(), nullptr);
    } else {
      ASSERT_TRUE(history.holds(expected.front().index));
      ASSERT_EQ(history.oldest(), expected.front().record);
    }
    if (step % 1000 == 0) {
      const Record* record = history.oldest();
      for (const Expected& e : expected) {
        ASSERT_EQ(record, e.record);
        ASSERT_EQ(record->older_index, e.mark);
        record = record->next;
      }
      ASSERT_EQ(record, nullptr);
    }
  }
}

}  // namespace
}  // namespace anachron::lp

namespace anachron::exec {
namespace {

using test::scaled;
using Queue = queue::BinaryHeap;

/// PEs without workers.
class Bench {
 public:
  Bench(std::vector<event::LpTypeEntry> types, std::vector<PeId> owners, const Config& config)
      : config_(config),
        lps_(std::move(types), std::move(owners)),
        budget_(config.memory.value_or(std::uint64_t{1} << 40), *config.pes, mem::Budget::Reserve::some),
        judge_(config_, control_, budget_),
        gvt_(config.gvt, *config.pes, [this](auto summaries) { return judge_.conclude(summaries); }) {
    const std::size_t n = *config.pes;
    for (std::size_t i = 0; i < n * n; ++i) channels_.push_back(std::make_unique<Channel>());
    std::vector<mem::EventPool*> pools;
    for (std::size_t self = 0; self < n; ++self) {
      std::vector<Channel*> out, in;
      for (std::size_t other = 0; other < n; ++other) {
        out.push_back(channels_[self * n + other].get());
        if (other != self) in.push_back(channels_[other * n + self].get());
      }
      const bool keeps_history = config.sync == Sync::optimistic || config.check_rollback;
      pes_.push_back(std::make_unique<Pe<Queue>>(static_cast<PeId>(self), config_, lps_,
                                                 Router(std::move(out)), Inbox(std::move(in)), keeps_history,
                                                 budget_));
      pools.push_back(&pes_.back()->pool());
    }
    for (auto& pe : pes_) pe->pool().connect(pools);
  }
  ~Bench() {
    for (auto& pe : pes_) pe->discard();
  }

  void start() {
    for (auto& pe : pes_) {
      pe->start();
      pe->publish();
    }
  }

  void run_sequentially() {
    start();
    while (!pes_[0]->halt() && pes_[0]->execute_for_good(1000, config_.until) > 0) {
    }
    halt_ = pes_[0]->halt();
  }

  /// What the workers do, in a random order. Returns the number of GVT rounds.
  std::uint64_t run_interleaved(std::uint64_t seed) {
    start();
    std::mt19937_64 random(seed);
    const unsigned most = 1 + static_cast<unsigned>(random() % 40);  // events in a batch
    const auto laziness = 1 + random() % 20;                         // how seldom GVT is looked at
    const auto silence = 1 + random() % 10;                          // how seldom mail is delivered
    std::size_t over = 0;
    std::vector<char> is_over(pes_.size());
    while (over < pes_.size()) {
      const std::size_t self = random() % pes_.size();
      if (is_over[self]) continue;
      Pe<Queue>& pe = *pes_[self];
      if (random() % silence == 0) pe.receive();
      const unsigned executed = pe.execute(1 + static_cast<unsigned>(random() % most));
      if (random() % silence == 0) pe.publish();
      if (executed > 0 && random() % laziness) continue;
      switch (gvt_.due(self)) {
        case sync::Duty::none:
          break;
        case sync::Duty::adopt:
          gvt_.adopted(self);
          if (gvt_.round().verdict == sync::Verdict::go_on) {
            pe.adopt(gvt_.round());
          } else {
            pe.publish();
            pe.settle(gvt_.round());
            is_over[self] = 1;
            ++over;
          }
          break;
        case sync::Duty::cut:
          pe.begin_cut();
          gvt_.cut(self);
          break;
        case sync::Duty::report:
          gvt_.report(self, pe.summary());
          break;
      }
    }
    halt_ = judge_.halt();
    return judge_.rounds();
  }

  /// One GVT round of all PEs, with all mail delivered.
  sync::Round round() {
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      pes_[self]->begin_cut();
      gvt_.cut(self);
    }
    for (std::size_t self = 0; self < pes_.size(); ++self) gvt_.report(self, pes_[self]->summary());
    for (std::size_t self = 0; self < pes_.size(); ++self) {
      gvt_.adopted(self);
      if (gvt_.round().verdict == sync::Verdict::go_on)
        pes_[self]->adopt(gvt_.round());
      else
        pes_[self]->settle(gvt_.round());
    }
    halt_ = judge_.halt();
    return gvt_.round();
  }

  Pe<Queue>& pe(std::size_t i) { return *pes_[i]; }
  template <class Lp>
  Lp& lp(LpId id) {
    return *static_cast<Lp*>(lps_.state(id));
  }
  PeReport figures() const {
    PeReport sum;
    for (const auto& pe : pes_) {
      const PeReport f = pe->figures();
      sum.committed += f.committed;
      sum.executed += f.executed;
      sum.rolled_back += f.rolled_back;
      sum.anti_messages += f.anti_messages;
    }
    return sum;
  }
  std::uint64_t digest() const {
    std::uint64_t digest = 0;
    for (LpId id = 0; id < lps_.size(); ++id) digest += part_of_run(id, lps_.cell(id).counters.digest);
    return digest;
  }
  const std::optional<sync::HaltAt>& halt() const { return halt_; }

 private:
  Config config_;
  lp::LpStore lps_;
  RunControl control_;
  mem::Budget budget_;
  Judge judge_;
  sync::Gvt gvt_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::unique_ptr<Pe<Queue>>> pes_;
  std::optional<sync::HaltAt> halt_;
};

Config optimistic(unsigned pes) {
  Config config;
  config.sync = Sync::optimistic;
  config.workers = config.pes = pes;
  config.throttle = Throttle::none;
  return config;
}

Config sequential() {
  Config config = optimistic(1);
  config.sync = Sync::sequential;
  return config;
}

// ---- A script: events say which events they lead to.

struct Note {
  int value = 0;
  struct Send;
  std::vector<Send> sends{};
  bool only_if_first = false;  // does nothing unless it is the first event of its LP
  bool fails_if_first = false;
};
struct Note::Send {
  LpId to;
  Time time;
  Note note;
};

struct Script {
  std::vector<Note::Send> roots;
  mutable std::vector<int> committed{};
};

/// Writes the values it gets down.
struct Tape {
  using Shared = Script;
  std::vector<int> values;

  void start(Context<Tape>& cx) {
    for (const auto& root : cx.shared().roots)
      if (root.to == cx.self().index()) cx.send_at(cx.self(), root.time, root.note);
  }
  void on(Context<Tape>& cx, const Note& note) {
    const bool is_first = values.empty();
    values.push_back(note.value);
    cx.on_commit([value = note.value, &script = cx.shared()] { script.committed.push_back(value); });
    if (note.fails_if_first && is_first) throw std::runtime_error("first");
    if (note.only_if_first && !is_first) return;
    for (const auto& send : note.sends) cx.send_at(cx.id(send.to), send.time, send.note);
  }
};

/// LP k on PE k.
class Tapes : public Bench {
 public:
  Tapes(unsigned pes, const Script& script) : Tapes(optimistic(pes), pes, each_its_own(pes), script) {}
  Tapes(const Config& config, std::uint32_t lps, std::vector<PeId> owners, const Script& script)
      : Bench({{&anachron::detail::lp_ops<Tape>(), 0, lps, nullptr, &script}}, std::move(owners), config) {}

  /// Starts and lets all execute whatever comes first.
  void begin() {
    start();
    round();
  }
  const std::vector<int>& values(LpId id) { return lp<Tape>(id).values; }

 private:
  static std::vector<PeId> each_its_own(unsigned pes) {
    std::vector<PeId> owners;
    for (unsigned pe = 0; pe < pes; ++pe) owners.push_back(static_cast<PeId>(pe));
    return owners;
  }
};

using Values = std::vector<int>;

TEST(Rollback, AStragglerIsExecutedInItsPlace) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), Values{10});
  tapes.pe(1).execute(10);
  tapes.pe(1).publish();
  EXPECT_EQ(tapes.pe(0).receive(), 1u);
  EXPECT_EQ(tapes.values(0), Values{});
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.round().verdict, sync::Verdict::finished);
  EXPECT_EQ(script.committed.size(), 3u);
  EXPECT_EQ(tapes.figures().rolled_back, 1u);
}

TEST(Rollback, AnEventLaterThanAllExecutedIsNoStraggler) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5, .sends = {{0, 11, {.value = 11}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(1).execute(10);
  tapes.round();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{10, 11}));
  EXPECT_EQ(tapes.figures().rolled_back, 0u);
}

/// LP 0 tells LP 1 something at 11, unless it hears of LP 2 first.
Script hasty_script() {
  return {{{0, 10, {.value = 10, .sends = {{1, 11, {.value = 11}}}, .only_if_first = true}},
           {1, 20, {.value = 20}},
           {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
}

TEST(Rollback, AnEventTakenBackBeforeItArrivedIsNeverSeen) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).publish();
  EXPECT_EQ(tapes.pe(1).receive(), 2u);  // the event and its cancellation
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
}

TEST(Rollback, AnEventTakenBackIsUndone) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), (Values{11, 20}));
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  EXPECT_EQ(tapes.values(1), Values{});
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
  while (tapes.round().verdict == sync::Verdict::go_on) {
  }
  EXPECT_EQ(tapes.figures().committed, 4u);
}

TEST(Rollback, AnEventTakenBackWhilePendingIsDropped) {
  const Script script = hasty_script();
  Tapes tapes(3, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(2).execute(10);
  tapes.pe(2).publish();
  tapes.pe(0).receive();
  tapes.pe(0).publish();
  tapes.pe(1).receive();
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.values(1), Values{20});
}

TEST(Rollback, ReachesThroughLpsOfTheSamePe) {
  const Script script = hasty_script();
  Tapes tapes(optimistic(2), 3, {0, 0, 1}, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(1), (Values{11, 20}));
  tapes.pe(1).execute(10);
  tapes.pe(1).publish();
  tapes.pe(0).receive();
  EXPECT_EQ(tapes.values(0), Values{});
  EXPECT_EQ(tapes.values(1), Values{});
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10}));
  EXPECT_EQ(tapes.values(1), Values{20});
}

// So many that the pending set is swept.
TEST(Rollback, ThousandsOfEventsTakenBack) {
  Script script = hasty_script();
  std::vector<Note::Send>& sends = script.roots[0].note.sends;
  for (int i = 0; i < 10'000; ++i) sends.push_back({1, 11.0 + i, {.value = i}});
  for (const PeId owner_of_receiver : {PeId{0}, PeId{1}}) {
    script.committed.clear();
    Tapes tapes(optimistic(2), 3, {0, owner_of_receiver, 1}, script);
    tapes.begin();
    tapes.pe(0).execute(100);
    tapes.pe(0).publish();
    if (owner_of_receiver == 1) tapes.pe(1).receive();
    tapes.pe(1).execute(1);  // LP 2 at 5
    tapes.pe(1).publish();
    tapes.pe(0).receive();
    for (int round = 0; round < 10; ++round) {
      for (std::size_t pe : {0u, 1u}) tapes.pe(pe).execute(1000);
      if (tapes.round().verdict != sync::Verdict::go_on) break;
    }
    EXPECT_EQ(tapes.values(0), (Values{6, 10}));
    EXPECT_EQ(tapes.values(1), Values{20});
    EXPECT_EQ(script.committed.size(), 4u);
  }
}

TEST(Rollback, LeavesOtherGroupsAlone) {
  const Script script{{{0, 10, {.value = 10}},
                       {1, 20, {.value = 20}},
                       {2, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  for (const unsigned group : {1u, 2u}) {
    Config config = optimistic(2);
    config.lps_per_group = group;
    Tapes tapes(config, 3, {0, 0, 1}, script);
    tapes.begin();
    tapes.pe(0).execute(10);
    tapes.pe(1).execute(10);
    tapes.pe(1).publish();
    tapes.pe(0).receive();
    EXPECT_EQ(tapes.values(1), group == 1 ? Values{20} : Values{});
    EXPECT_EQ(tapes.figures().rolled_back, group);
  }
}

TEST(Rollback, OnlyWhatIsBelowGvtCommits) {
  const Script script{{{0, 10, {.value = 10}}, {1, 5, {.value = 5}}, {1, 15, {.value = 15}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  tapes.pe(1).execute(1);
  EXPECT_EQ(tapes.round().bound->time, 15);
  EXPECT_EQ(script.committed, (Values{10, 5}));  // in order per LP
  tapes.pe(1).execute(1);
  EXPECT_EQ(tapes.round().verdict, sync::Verdict::finished);
  EXPECT_EQ(script.committed, (Values{10, 5, 15}));
}

TEST(Rollback, AFaultOfAStateThatNeverWasIsForgotten) {
  const Script script{{{0, 10, {.value = 10, .fails_if_first = true}},
                       {0, 11, {.value = 11}},
                       {1, 5, {.value = 5, .sends = {{0, 6, {.value = 6}}}}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  ASSERT_TRUE(tapes.pe(0).halt());
  EXPECT_EQ(tapes.pe(0).halt()->key.time, 10);
  EXPECT_EQ(tapes.values(0), Values{10});  // it does not go on behind the fault
  tapes.pe(1).execute(10);
  tapes.round();
  EXPECT_FALSE(tapes.pe(0).halt());
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.values(0), (Values{6, 10, 11}));
  EXPECT_EQ(tapes.round().verdict, sync::Verdict::finished);
}

TEST(Rollback, AFaultThatCommitsEndsTheRun) {
  const Script script{
      {{0, 10, {.value = 10, .fails_if_first = true}}, {1, 5, {.value = 5}}, {1, 15, {.value = 15}}}};
  Tapes tapes(2, script);
  tapes.begin();
  tapes.pe(0).execute(10);
  EXPECT_EQ(tapes.round().verdict, sync::Verdict::go_on);
  tapes.pe(1).execute(10);
  EXPECT_EQ(tapes.round().verdict, sync::Verdict::halted);
  EXPECT_EQ(tapes.halt()->halt.cause, "threw: first");
  EXPECT_EQ(script.committed, Values{5});  // not what was before the fault in time, and nothing behind it
  EXPECT_EQ(tapes.values(1), Values{5});
}

// ---- Sparse state saving.

struct Pulse {
  int number = 0;
};

/// Sends itself pulses, one per unit of time. Undone by copies.
struct Pulsar {
  static inline int handled = 0;  // of all
  int pulses = 0;
  std::uint64_t drawn = 0;

  void start(Context<Pulsar>& cx) { cx.send(cx.self(), 1, Pulse{1}); }
  void on(Context<Pulsar>& cx, const Pulse& pulse) {
    ++handled;
    ++pulses;
    drawn ^= cx.rng().bits();
    if (pulse.number < 100) cx.send(cx.self(), 1, Pulse{pulse.number + 1});
  }
  bool operator==(const Pulsar&) const = default;
};

Config sparse(unsigned interval) {
  Config config = optimistic(1);
  config.checkpoint_interval = interval;
  return config;
}

class Pulsars : public Bench {
 public:
  Pulsars(const Config& config, std::uint32_t lps)
      : Bench({{&anachron::detail::lp_ops<Pulsar>(), 0, lps, nullptr, nullptr}},
              std::vector<PeId>(lps, PeId{0}), config) {
    start();
    round();
    Pulsar::handled = 0;
  }
  PeReport report() { return pe(0).figures(); }
};

TEST(SparseCopies, AreTakenBeforeEveryNthEventOfAnLp) {
  for (const unsigned lps : {1u, 3u}) {
    Pulsars pulsars(sparse(4), lps);
    pulsars.pe(0).execute(10 * lps);  // of which 1, 5 and 9 are copied
    EXPECT_EQ(pulsars.report().state_copies, 3 * lps);
    EXPECT_EQ(pulsars.report().coasted, 0u);
  }
}

TEST(SparseCopies, AStateBetweenTwoIsBroughtBack) {
  for (const bool copies_always : {false, true}) {
    Config config = sparse(4);
    if (copies_always) config.rollback = Rollback::copy;
    Pulsars pulsars(config, 1);
    pulsars.pe(0).execute(10);
    const Pulsar after = pulsars.lp<Pulsar>(0);
    EXPECT_EQ(pulsars.report().sent, 11u);
    Pulsar::handled = 0;
    pulsars.round();  // GVT is 11: nothing more to undo, and nothing to keep but for later
    pulsars.pe(0).execute(7);
    pulsars.pe(0).settle({.number = 2, .bound = event::EventKey{.time = 10.5}});
    EXPECT_EQ(pulsars.report().committed, 10u);
    EXPECT_TRUE(pulsars.lp<Pulsar>(0) == after);
    EXPECT_EQ(Pulsar::handled, 7 + 2);  // from the copy before event 9 over two committed ones
    EXPECT_EQ(pulsars.report().coasted, 2u);
    EXPECT_EQ(pulsars.report().sent, 18u);  // nothing was sent again
    EXPECT_EQ(pulsars.report().rolled_back, 7u);
  }
}

// The memory of committed events is given back, although not at once.
TEST(SparseCopies, CommittedEventsAreDroppedInTime) {
  for (const unsigned interval : {1u, 4u}) {
    Pulsars pulsars(sparse(interval), 2);
    std::uint64_t most = 0;
    for (int i = 0; i < 20; ++i) {
      pulsars.pe(0).execute(6);
      pulsars.round();
      most = std::max(most, pulsars.pe(0).kept());
    }
    EXPECT_LE(most, interval == 1 ? 0u : 2 * 4 + 2 * 6u);
  }
}

/// Draws more often than its state says.
struct Fickle {
  static inline int handled = 0;
  int pulses = 0;

  void start(Context<Fickle>& cx) { cx.send(cx.self(), 1, Pulse{1}); }
  void on(Context<Fickle>& cx, const Pulse& pulse) {
    ++pulses;
    if (++handled > 15) cx.rng().bits();
    if (pulse.number < 100) cx.send(cx.self(), 1, Pulse{pulse.number + 1});
  }
  bool operator==(const Fickle&) const = default;
};

TEST(SparseCopies, AHandlerThatDoesSomethingElseTheSecondTimeIsReported) {
  Fickle::handled = 0;
  Bench bench({{&anachron::detail::lp_ops<Fickle>(), 0, 1, nullptr, nullptr}}, {0}, sparse(100));
  bench.start();
  bench.round();
  bench.pe(0).execute(12);
  try {
    bench.pe(0).settle({.number = 1, .bound = event::EventKey{.time = 10.5}});
    FAIL() << "nothing was reported";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.event(), "Pulse");
    EXPECT_NE(error.cause().find("not part of the state"), std::string::npos);
  }
}

// ---- Runs that end with an error. What the history holds is freed even if no event needs that: events here
// are trivial, states and actions own memory. The leak check of ASan sees to it.

struct Beat {
  int number = 0;
};

struct Drummer {
  using Shared = Script;
  std::vector<int> beats;

  void start(Context<Drummer>& cx) { cx.send(cx.self(), 1, Beat{1}); }
  void on(Context<Drummer>& cx, const Beat& beat) {
    beats.push_back(beat.number);
    if (beat.number == 30 && cx.now() < cx.shared().roots[0].time) throw std::runtime_error("in the handler");
    cx.on_commit([name = std::string(100, 'x'), beat] {
      if (beat.number == 40) throw std::runtime_error("at commit");
    });
    if (beat.number < 100) cx.send(cx.self(), 1, Beat{beat.number + 1});
  }
  bool operator==(const Drummer&) const = default;
};

class FailedRun : public ::testing::TestWithParam<Config> {
 protected:
  /// The cause of the error.
  std::string run(Time handler_fails_before) {
    const Script script{{{0, handler_fails_before, {}}}};
    try {
      run({{&anachron::detail::lp_ops<Drummer>(), 0, 3, nullptr, &script}});
    } catch (const SimulationError& error) {
      return error.cause();
    }
    return "none";
  }

 private:
  void run(std::vector<event::LpTypeEntry> types) { exec::run(std::move(types), GetParam(), {}, {}); }
};
INSTANTIATE_TEST_SUITE_P(Modes, FailedRun, ::testing::ValuesIn([] {
                           Config checked = sequential(), checked_too = optimistic(1);
                           checked.check_rollback = checked_too.check_rollback = true;
                           return std::vector<Config>{sequential(), checked, optimistic(1), optimistic(2),
                                                      checked_too};
                         }()),
                         [](const auto& test) {
                           return std::string(to_string(*test.param.sync)) + std::to_string(*test.param.pes) +
                                  (test.param.check_rollback ? "checked" : "");
                         });

TEST_P(FailedRun, FreesAllAfterAFault) { EXPECT_EQ(run(1000), "threw: in the handler"); }

TEST_P(FailedRun, FreesAllAfterAFailedCommit) { EXPECT_EQ(run(0), "threw at commit: at commit"); }

/// What it throws at commit is no std::exception.
struct Thrower {
  void start(Context<Thrower>& cx) { cx.send(cx.self(), 1, Beat{}); }
  void on(Context<Thrower>& cx, const Beat&) {
    cx.on_commit([] { throw 5; });
  }
};

TEST(FailedCommit, AnyExceptionNamesTheEvent) {
  for (const Config& config : {sequential(), optimistic(2)})
    EXPECT_THROW(run({{&anachron::detail::lp_ops<Thrower>(), 0, 1, nullptr, nullptr}}, config, {}, {}),
                 SimulationError);
}

/// Goes on for two seconds.
struct Runner {
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  void start(Context<Runner>& cx) { cx.send(cx.self(), 1, Beat{}); }
  void on(Context<Runner>& cx, const Beat& beat) {
    if (std::chrono::steady_clock::now() - began > std::chrono::seconds(2)) cx.stop();
    cx.send(cx.self(), 1, beat);
  }
};

// An exception of a callback reaches the caller when it happens, not at the end of a run that may have none.
TEST(Callbacks, AnExceptionEndsTheRun) {
  const auto fail = [](auto&&...) -> bool { throw std::runtime_error("window closed"); };
  for (const Config& config : {sequential(), optimistic(2)}) {
    const auto began = std::chrono::steady_clock::now();
    const auto took = [&] { return std::chrono::steady_clock::now() - began; };
    EXPECT_THROW(run({{&anachron::detail::lp_ops<Runner>(), 0, 1, nullptr, nullptr}}, config, fail, {}),
                 std::runtime_error);
    EXPECT_LT(took(), std::chrono::milliseconds(1500));
  }
}

// No event is before time 0, however zero is spelt (`--until -0`).
TEST(EndTime, ZeroCommitsNothing) {
  const Script script{{{0, 0, {}}}};
  for (const Time until : {0.0, -0.0})
    for (Config config : {sequential(), optimistic(2)}) {
      config.until = until;
      config = resolve(config, 1);
      const auto outcome =
          run({{&anachron::detail::lp_ops<Drummer>(), 0, 1, nullptr, &script}}, config, {}, {});
      EXPECT_EQ(outcome.pes[0].committed, 0u) << to_string(*config.sync);
    }
}

// ---- Reversers and exceptions.

struct Push {
  bool fails = false;
};

/// Undone by its handler's reverser. Fails after it has changed its state.
struct Stack {
  using Shared = Script;
  int depth = 0;

  void start(Context<Stack>& cx) {
    if (cx.self().index() == 0) cx.send(cx.self(), 10, Push{true});
    if (cx.self().index() == 1) cx.send(cx.id(0), 6, Push{});
  }
  auto on(Context<Stack>&, const Push& push) {
    const int before = depth++;
    if (push.fails && before == 0) throw std::runtime_error("on the ground");
    return [before](Stack& s) { s.depth = before; };
  }
};

// The fault is forgotten with the event (design: "speculation never hurts"), so what the handler had done by
// then must be, too, although it left before it could return its reverser.
TEST(Rollback, AHandlerThatThrewInsteadOfReturningAReverserIsUndone) {
  const Script script;
  Bench bench({{&anachron::detail::lp_ops<Stack>(), 0, 2, nullptr, &script}}, {0, 1}, optimistic(2));
  bench.pe(0).start();
  EXPECT_EQ(bench.round().verdict, sync::Verdict::go_on);  // PE 1 sleeps late: LP 0 only has the event at 10
  bench.pe(0).execute(10);
  ASSERT_TRUE(bench.pe(0).halt());
  bench.pe(1).start();
  bench.pe(1).publish();
  bench.pe(0).receive();
  EXPECT_FALSE(bench.pe(0).halt());
  EXPECT_EQ(bench.lp<Stack>(0).depth, 0);
  bench.pe(0).execute(10);
  EXPECT_EQ(bench.lp<Stack>(0).depth, 2);
}

// ---- Random models in random interleavings.

struct Tick {
  std::uint32_t life = 0;
  std::uint64_t value = 0;
};
/// Large: does not come from the pool, so that ASan sees a use after its end.
struct Parcel {
  std::uint32_t life = 0;
  std::vector<std::uint64_t> content;
  std::array<char, 1100> packing{};
};

struct Crowd {
  std::uint32_t lps_per_type = 5;
  std::uint32_t life = 6;
  unsigned fault_one_in = 0;  // of states, not of events: speculation meets others than commits do
  unsigned stop_one_in = 0;
  mutable std::vector<std::vector<std::uint64_t>> committed{};  // per LP
};

template <class Lp>
std::uint64_t act(Context<Lp>& cx, std::uint32_t life, std::uint64_t state);

/// State saving of a state that owns memory.
struct Copied {
  using Shared = Crowd;
  static constexpr LpId kType = 0;
  std::vector<std::uint64_t> values;

  std::uint64_t state() const { return values.empty() ? 0 : values.back() + values.size(); }
  void on(Context<Copied>& cx, const Tick& tick) {
    values.push_back(tick.value);
    if (values.size() > 9) values.clear();
    act(cx, tick.life, state());
  }
  void on(Context<Copied>& cx, const Parcel& parcel) {
    values.insert(values.end(), parcel.content.begin(), parcel.content.end());
    act(cx, parcel.life, state());
  }
  bool operator==(const Copied&) const = default;
};

/// Reverse computation.
struct Reversed {
  using Shared = Crowd;
  static constexpr LpId kType = 1;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> last;

  auto on(Context<Reversed>& cx, const Tick& tick) {
    const std::uint64_t drawn = act(cx, tick.life, sum + tick.value);  // first: it may throw
    sum += tick.value ^ drawn;
    return [by = tick.value ^ drawn](Reversed& r) { r.sum -= by; };
  }
  auto on(Context<Reversed>& cx, const Parcel& parcel) {
    act(cx, parcel.life, sum + last.size());
    return
        [before = std::exchange(last, parcel.content)](Reversed& r) mutable { r.last = std::move(before); };
  }
  bool operator==(const Reversed&) const = default;
};

/// Undo log.
struct Written {
  using Shared = Crowd;
  static constexpr LpId kType = 2;
  std::array<std::uint64_t, 16> cells{};
  std::string text;

  void on(Context<Written>& cx, Logged<Written>& log, const Tick& tick) const {
    auto& cell = log.write(cells[tick.value % 16]);
    cell += tick.value;
    log.write(cells[cell % 16]) ^= 1;
    act(cx, tick.life, cell);
  }
  void on(Context<Written>& cx, Logged<Written>& log, const Parcel& parcel) const {
    auto& t = log.write(&Written::text);
    t += static_cast<char>('a' + parcel.content.size() % 26);
    if (t.size() > 40) t.clear();
    act(cx, parcel.life, t.size());
  }
  bool operator==(const Written&) const = default;
};

/// A copy of it needs more than a chunk of the history's memory.
struct Huge {
  using Shared = Crowd;
  static constexpr LpId kType = 3;
  std::array<std::uint64_t, 9000> cells{};

  void on(Context<Huge>& cx, const Tick& tick) {
    auto& cell = cells[tick.value % cells.size()];
    cell += tick.value | 1;
    act(cx, tick.life, cell);
  }
  void on(Context<Huge>& cx, const Parcel& parcel) {
    cells[0] += parcel.content.size();
    act(cx, parcel.life, cells[0]);
  }
  bool operator==(const Huge&) const = default;
};

template <class To, class Lp>
void send_some(Context<Lp>& cx, std::uint32_t life) {
  auto& rng = cx.rng();
  const auto to = cx.template id<To>(rng.below(cx.template lp_count<To>()));
  const auto kind = rng.below(10);
  const Time delay = kind == 0 ? 0 : kind < 4 ? std::floor(cx.now()) + 1 - cx.now() : rng.exponential(1.0);
  if (rng.bernoulli(0.6))
    cx.send(to, delay, Tick{life, rng.bits()});
  else
    cx.send(to, delay, Parcel{life, std::vector<std::uint64_t>(rng.below(5), life), {}});
}

template <class Lp>
std::uint64_t act(Context<Lp>& cx, std::uint32_t life, std::uint64_t state) {
  const Crowd& crowd = cx.shared();
  auto& rng = cx.rng();
  const auto hash = mix64(state + life);
  const LpId slot = cx.self().index() + crowd.lps_per_type * Lp::kType;
  cx.on_commit([&crowd, slot, hash, owned = std::string(30, 'x')] { crowd.committed[slot].push_back(hash); });
  if (crowd.fault_one_in > 0 && hash % crowd.fault_one_in == 0)
    throw std::runtime_error(std::to_string(hash));
  if (crowd.stop_one_in > 0 && mix64(hash) % crowd.stop_one_in == 0) cx.stop();
  for (auto n = life > 0 ? rng.below(4u) : 0u; n > 0; --n) {
    const auto type = rng.below(20);
    if (type < 6)
      send_some<Copied>(cx, life - 1);
    else if (type < 12)
      send_some<Reversed>(cx, life - 1);
    else if (type < 19)
      send_some<Written>(cx, life - 1);
    else
      send_some<Huge>(cx, life - 1);
  }
  return rng.bits();
}

/// Starts the others.
struct Source {
  using Shared = Crowd;
  void start(Context<Source>& cx) {
    for (int i = 0; i < 6; ++i) {
      send_some<Copied>(cx, cx.shared().life);
      send_some<Reversed>(cx, cx.shared().life);
      send_some<Written>(cx, cx.shared().life);
    }
    send_some<Huge>(cx, cx.shared().life);
  }
  bool operator==(const Source&) const = default;
};

class CrowdBench : public Bench {
 public:
  CrowdBench(const Crowd& crowd, const Config& config, std::uint64_t owners_seed)
      : Bench(types(crowd), owners(crowd, *config.pes, owners_seed), config), crowd_(crowd) {
    crowd.committed.assign(1000, {});
  }

  void expect_same(CrowdBench& other) {
    EXPECT_EQ(figures().committed, other.figures().committed);
    EXPECT_EQ(figures().executed, figures().committed + figures().rolled_back);
    EXPECT_EQ(crowd_.committed, other.crowd_.committed);
    ASSERT_EQ(halt().has_value(), other.halt().has_value());
    if (halt()) {
      EXPECT_EQ(halt()->key, other.halt()->key);
      EXPECT_EQ(halt()->lp, other.halt()->lp);
      EXPECT_EQ(halt()->halt.cause, other.halt()->halt.cause);
      if (halt()->halt.kind == event::Halt::Kind::fault) return;  // nobody will see the states
    }
    EXPECT_EQ(digest(), other.digest());
    const LpId n = crowd_.lps_per_type;
    for (LpId k = 0; k < n; ++k) {
      EXPECT_TRUE(lp<Copied>(1 + k) == other.lp<Copied>(1 + k));
      EXPECT_TRUE(lp<Reversed>(1 + n + k) == other.lp<Reversed>(1 + n + k));
      EXPECT_TRUE(lp<Written>(1 + 2 * n + k) == other.lp<Written>(1 + 2 * n + k));
      EXPECT_TRUE(lp<Huge>(1 + 3 * n + k) == other.lp<Huge>(1 + 3 * n + k));
    }
  }

 private:
  static std::vector<event::LpTypeEntry> types(const Crowd& crowd) {
    const LpId n = crowd.lps_per_type;
    return {{&anachron::detail::lp_ops<Source>(), 0, 1, nullptr, &crowd},
            {&anachron::detail::lp_ops<Copied>(), 1, n, nullptr, &crowd},
            {&anachron::detail::lp_ops<Reversed>(), 1 + n, n, nullptr, &crowd},
            {&anachron::detail::lp_ops<Written>(), 1 + 2 * n, n, nullptr, &crowd},
            {&anachron::detail::lp_ops<Huge>(), 1 + 3 * n, n, nullptr, &crowd}};
  }
  static std::vector<PeId> owners(const Crowd& crowd, unsigned pes, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<PeId> owners(1 + 4 * crowd.lps_per_type);
    for (PeId& owner : owners) owner = static_cast<PeId>(random() % pes);
    owners.back() = static_cast<PeId>(pes - 1);
    return owners;
  }

  const Crowd& crowd_;
};

void compare_interleavings(Crowd crowd, int models, std::uint64_t first_seed) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(models); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    crowd.lps_per_type = static_cast<std::uint32_t>(1 + random() % 6);
    const Crowd again = crowd;
    Config config = sequential();
    config.seed = config.tie_seed = seed;
    if (random() % 3 == 0) config.until = 1 + static_cast<Time>(random() % 4);
    CrowdBench expected(crowd, config, 0);
    expected.run_sequentially();
    for (int i = 0; i < 3; ++i) {
      config.sync = Sync::optimistic;
      config.workers = config.pes = static_cast<unsigned>(1 + random() % 5);
      config.lps_per_group = static_cast<unsigned>(1 + random() % 3);
      config.rollback = random() % 4 ? Rollback::automatic : Rollback::copy;
      config.check_rollback = random() % 4 == 0;
      if (random() % 4) config.checkpoint_interval = static_cast<unsigned>(1 + random() % 6);
      constexpr std::array kThrottles{Throttle::none, Throttle::fixed, Throttle::atw_repaired, Throttle::mtw};
      config.throttle = kThrottles[random() % kThrottles.size()];
      config.window = config.throttle == Throttle::fixed ? std::optional<Time>(0.01 + 0.5 * i) : std::nullopt;
      config.cancellation = random() % 2 ? Cancellation::aggressive : Cancellation::lazy;
      CrowdBench bench(again, config, seed);
      bench.run_interleaved(random());
      bench.expect_same(expected);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(Interleavings, CommitWhatSequentialExecutionDoes) { compare_interleavings({}, scaled(60), 1); }

TEST(Interleavings, EndWithTheSameFault) { compare_interleavings({.fault_one_in = 100}, scaled(60), 1000); }

TEST(Interleavings, StopAtTheSameEvent) { compare_interleavings({.stop_one_in = 100}, scaled(60), 2000); }

TEST(Interleavings, WithFaultsAndStops) {
  compare_interleavings({.life = 8, .fault_one_in = 2000, .stop_one_in = 2000}, scaled(20), 3000);
}

}  // namespace
}  // namespace anachron::exec
