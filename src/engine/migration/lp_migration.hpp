// Moves LPs from PE to PE where the load has moved, and takes back what was not worth it.
//
// A partition is made before a run, of what the model declares. A hot spot that moves, or one that nobody
// declared, leaves one PE with most of the work, and the others wait for it or run too far ahead. So GVT
// rounds compare what the PEs commit. Where one has far more than its share, the PEs count each LP's events
// for a twentieth of a second, the term ends, and some LPs move. Then GVT rounds compare the rate with that
// before.
//
// Invariant: while a term runs, each LP stays where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "comm/fabric/ranks/rank_layout.hpp"
#include "gvt/decisions/load_balance.hpp"
#include "lp/lp_store.hpp"
#include "observe/tallies/load_tally.hpp"
#include "partition/clusters.hpp"
#include "partition/rebalance.hpp"
#include "pe/sync_mode.hpp"

namespace anachron::engine {

/// Whether LPs may move in this run.
bool may_migrate(const Config& config, std::span<const event::LpTypeEntry> types);

class LpMigration final : public gvt::LoadBalance {
 public:
  /// All must outlive it. `ranks`: null, if there is one process. Else rank 0 decides for all.
  LpMigration(lp::LpStore& lps, const Config& config, const fabric::RankLayout* ranks);

  void look(std::span<const gvt::Summary> of_pes, gvt::RankReport& own, double wall_s) override;
  void look(const gvt::RankReport& all, double wall_s) override;
  void hear(const gvt::Round& round) override;
  bool counts_loads() const override { return phase_ == Phase::counting; }
  bool ends_term() const override { return phase_ == Phase::due; }

  /// Where PEs count.
  observe::LoadTally& tally() { return tally_; }

  /// How a term executes.
  struct Way {
    unsigned workers = 0;
    pe::SyncMode mode = pe::SyncMode::in_order;

    friend bool operator==(const Way&, const Way&) = default;
  };
  /// A term begins. `way`: none, if LPs cannot move in it.
  void begin_term(std::optional<Way> way, double wall_s);

  /// Between terms: LPs are to move now.
  bool is_due() const { return phase_ == Phase::due; }
  /// What is to move.
  struct Plan {
    std::vector<lp::Move> moves{};
    bool is_back = false;  ///< the last move is taken back
  };
  /// What seems worth it, or takes the last move back. `loads`: of each LP, as counted. On rank 0.
  Plan plan(std::span<const std::uint32_t> loads);
  /// On all ranks, before it is carried out.
  void take(const Plan& plan);

  void report(RunFigures& to) const;

 private:
  // Seconds: of a look at the loads, of counting, and of a term until caches are warm.
  static constexpr double kWindow = 0.1, kCounting = 0.05, kSettling = 0.02;
  // Times as fast, if all workers had the same to do: less is not worth a move.
  static constexpr double kWorth = 1.15;
  // Times as fast as before, or it is taken back.
  static constexpr double kBetter = 1.02;
  static constexpr std::uint64_t kLeastEvents = 10'000;  // in a window
  // Seconds until LPs move again, times what a move costs; and until they do after one in vain, which doubles
  // with each.
  static constexpr double kPausePerMove = 30, kPauseInVain = 2, kLongestPause = 64;

  enum class Phase : std::uint8_t {
    watching,  // compares what PEs commit
    counting,  // what each LP commits
    due,       // the term is to end, and LPs to move
    judging,   // whether that was worth it
  };
  /// Events committed. A place is a PE, or over ranks a rank, of which the busiest is known.
  struct Load {
    std::vector<std::uint64_t> of_places{};
    std::uint64_t total = 0;
  };
  struct Window {
    double wall_s = 0;
    Load before;  // until it began
  };

  void look_at(const Load& now, double wall_s);
  Load load_since(const Load& now) const;
  void watch(const Load& now, double wall_s);
  void judge(const Load& now, double wall_s);
  void pause(double wall_s);
  /// Who has most to do, a worker, a PE or a rank, and how many times as fast all together would be if they
  /// had the same.
  struct HotSpot {
    std::size_t at = 0;
    double gain = 1;
  };
  HotSpot hot_spot(const Load& load) const;
  HotSpot hot_rank(const Load& load) const;
  Load load_of(std::span<const std::uint32_t> lps) const;
  std::vector<lp::Move> planned(std::span<const std::uint32_t> loads);
  /// For tests: any LPs, anywhere.
  std::vector<lp::Move> at_random();

  lp::LpStore& lps_;
  const Config& config_;
  const fabric::RankLayout* const ranks_;
  const std::size_t pes_;  // of all ranks
  const partition::Clusters clusters_;
  Load of_pes_{};                    // so far, of one process
  Load of_ranks_{};                  // so far, as rank 0 knows
  std::uint64_t own_committed_ = 0;  // at the round before
  Phase phase_ = Phase::watching;
  std::optional<Way> way_;          // of the present term, if LPs may move
  double warm_s_ = 0;               // from then on it counts
  std::optional<std::size_t> hot_;  // where there was a hot spot in the window before
  std::optional<Window> window_;    // none: not begun
  observe::LoadTally tally_;
  double pause_until_s_ = 0, pause_in_vain_s_ = kPauseInVain;
  double asked_s_ = 0;  // when the last term was to end
  struct Before {
    Way way;
    double rate = 0;               // events per second
    std::vector<lp::Move> back{};  // what takes the last move back
  } before_;
  bool takes_back_ = false;
  std::uint64_t rounds_ = 0;  // for tests
  std::uint64_t migrations_ = 0, moved_ = 0, taken_back_ = 0;
  struct Kept {
    std::uint64_t moves = 0;
    double log_gains = 0;  // sum of the logarithms of rates after by rates before
  } kept_;
};

}  // namespace anachron::engine
