// When a worker takes a PE into a GVT round.
#include "sched/worker.hpp"

#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace anachron::sched {
namespace {

/// A PE that never ends. It is what a worker sees of one, and counts the worker's turns.
class EndlessPe final : public pe::Pe {
 public:
  EndlessPe(PeId id, observe::RunControl& control) : id_(id), control_(control) {}

  bool is_busy = true, is_due = false;
  /// The run is aborted after so many.
  std::uint64_t most_turns = 0;
  std::uint64_t turns() const { return turns_; }
  /// The turn in which it joined a round, which aborts the run.
  std::optional<std::uint64_t> cut_in_turn() const { return cut_in_turn_; }

  PeId id() const override { return id_; }
  std::size_t index() const override { return id_; }
  void start() override {}
  void use(topo::PhaseClock&) override {}
  std::uint64_t receive() override { return 0; }
  std::uint64_t receive_all() override { return 0; }
  unsigned execute(unsigned limit) override {
    if (++turns_ == most_turns) control_.abort(nullptr);
    return is_busy ? limit : 0;
  }
  void publish() override {}
  bool has_mail() const override { return false; }
  event::Running running() override { return {}; }
  unsigned batch() const override { return 1; }
  std::uint64_t gvt_interval() const override { return 1; }
  bool is_due_for_gvt() const override { return is_due; }
  void begin_cut() override {
    cut_in_turn_ = turns_;
    control_.abort(nullptr);
  }
  gvt::Summary summary() override { return {}; }
  void adopt(const gvt::Round&) override {}
  void settle(const gvt::Round&) override {}
  unsigned execute_for_good(unsigned, Time) override { return 0; }
  bool is_drained(Time) override { return false; }
  const std::optional<pe::HaltAt>& halt() const override { return none_; }
  const std::optional<pe::HaltAt>& ending() const override { return none_; }
  Time last_time() const override { return 0; }
  Time reached() const override { return 0; }
  Time next_time() override { return 0; }
  std::uint64_t pending() const override { return 0; }
  PeReport figures() const override { return {}; }
  double handlers_s() const override { return 0; }
  std::uint64_t undone() const override { return 0; }
  std::uint64_t pool_bytes_on(std::size_t) const override { return 0; }
  const std::vector<rollback::Unchecked>& unchecked() const override { return unchecked_; }
  const observe::RollbackPairs& rollback_pairs() const override { return pairs_; }
  bool is_short_of_memory() const override { return false; }
  std::uint64_t most_bytes() const override { return 0; }
  std::uint64_t most_single_bytes() const override { return 0; }
  void skip_match_ids(std::uint64_t) override {}
  std::uint64_t kept() const override { return 0; }
  bool owns_resources() const override { return false; }
  void discard() override {}
  void forget_halts() override {}
  event::EventHeader& make_outside(const event::EventOps&, LpId, Time, Order, event::Outside&) override {
    return outside_;
  }
  void insert_outside(event::EventHeader&) override {}
  void release_outside(event::EventHeader&) override {}
  void cancel_outside(event::EventHeader&) override {}
  void hold() override {}
  pe::PeMark mark() const override { return {}; }
  void undo_since(const pe::PeMark&) override {}
  void forget_since(const pe::PeMark&) override {}
  void commit_held() override {}
  void keep_in(observe::EventLog&) override {}
  void forget_undone() override {}
  void set_mode(pe::SyncMode) override {}
  void give_away(const std::function<bool(event::EventHeader&)>&) override {}
  bool import_event(event::EventHeader&) override { return true; }
  void expand_waiting() override {}
  std::uint64_t bytes_to_expand() override { return 0; }
  void forget_owners() override {}
  std::uint64_t newest_index() const override { return 0; }
  void number_history_from(std::uint64_t) override {}
  void for_each_waiting(const std::function<void(const event::EventHeader&)>&) override {}
  void hand_out(const std::function<void(const event::EventHeader&)>&) override {}
  void prepare() override {}
  event::EventHeader& make_restored(const event::EventOps&, LpId) override {
    throw std::logic_error("unused");
  }
  void insert_restored(event::EventHeader&) override {}

 private:
  const PeId id_;
  observe::RunControl& control_;
  std::uint64_t turns_ = 0;
  std::optional<std::uint64_t> cut_in_turn_;
  std::optional<pe::HaltAt> none_;
  std::vector<rollback::Unchecked> unchecked_;
  observe::RollbackPairs pairs_;
  event::EventHeader outside_{};
};

/// One worker with PE 0; the test does for PE 1 what another worker would.
class WorkerInGvt : public testing::TestWithParam<anachron::Gvt> {
 protected:
  WorkerInGvt() {
    for (PeId id = 0; id < 2; ++id) pes_.push_back(std::make_unique<EndlessPe>(id, control_));
    control_.expect_settlement(2);
  }
  EndlessPe& pe() { return static_cast<EndlessPe&>(*pes_[0]); }
  void run(std::uint64_t most_turns) {
    pe().most_turns = most_turns;
    Worker(0, {pes_, mapping_, *gvt_, control_}, clock_, 0).run();
  }

  observe::RunControl control_;
  topo::WorkerClock clock_;
  sched::FixedMapping mapping_{2, 2};
  std::vector<std::unique_ptr<pe::Pe>> pes_;
  std::unique_ptr<gvt::Gvt> gvt_ = gvt::make_gvt(GetParam(), 2, [](gvt::Gvt& gvt, auto) { gvt.open({}); });
};
INSTANTIATE_TEST_SUITE_P(All, WorkerInGvt, testing::Values(anachron::Gvt::epoch, anachron::Gvt::barrier),
                         [](const auto& gvt) { return std::string(to_string(gvt.param)); });

TEST_P(WorkerInGvt, ABusyPeBeginsNoRound) {
  run(10'000);
  EXPECT_EQ(pe().turns(), 10'000u);
  EXPECT_FALSE(pe().cut_in_turn());
}

TEST_P(WorkerInGvt, APeThatIsDueBeginsOneAtOnce) {
  pe().is_due = true;
  run(10'000);
  EXPECT_EQ(pe().cut_in_turn(), 1u);
}

TEST_P(WorkerInGvt, AnIdlePeJoinsAtOnce) {
  pe().is_busy = false;
  gvt_->cut(1);
  run(10'000);
  EXPECT_EQ(pe().cut_in_turn(), 1u);
}

// With few events it would become due late, and an idle PE that has begun the round waits for it. The limit
// is no matter of speed: so many turns take longer than any PE may keep others waiting.
TEST_P(WorkerInGvt, ABusyPeJoinsSoonThatIsNotDue) {
  gvt_->cut(1);
  run(100'000'000);
  EXPECT_TRUE(pe().cut_in_turn()) << "the others wait for ever";
}

// A barrier stops the others; without one they go on meanwhile.
TEST_P(WorkerInGvt, ABusyPeJoinsABarrierAtOnceAndAnythingElseLater) {
  gvt_->cut(1);
  run(1);
  EXPECT_EQ(pe().cut_in_turn().has_value(), GetParam() == anachron::Gvt::barrier);
}

}  // namespace
}  // namespace anachron::sched
