// Moves LPs from PE to PE where the load has moved, and takes back what was not worth it.
//
// A partition is made before a run, of what the model declares. A hot spot that moves, or one that nobody
// declared, leaves one PE with most of the work, and the others wait for it or run too far ahead. So GVT
// rounds compare what the PEs commit. Where one has far more than its share, each LP's events are counted for
// a moment, the term ends, and some LPs move. Then the rate is compared with that before.
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

#include "gvt/load_balance.hpp"
#include "lp/lp_store.hpp"
#include "observe/load_tally.hpp"
#include "partition/clusters.hpp"
#include "partition/rebalance.hpp"
#include "pe/sync_mode.hpp"

namespace anachron::engine {

/// Whether LPs may move in this run. Over ranks they do not.
bool may_migrate(const Config& config);

class LpMigration final : public gvt::LoadBalance {
 public:
  /// Both must outlive it.
  LpMigration(lp::LpStore& lps, const Config& config);

  void look(std::span<const gvt::Summary> of_pes, double wall_s) override;
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
  /// Moves those that seem worth it, or back. Precondition: there is no history.
  void move();

  void report(RunFigures& to) const {
    to.migrations = migrations_;
    to.migrated_lps = moved_;
    to.migrations_taken_back = taken_back_;
  }

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
    never,     // the model sends to several LPs at once
  };
  struct Window {
    double wall_s = 0;
    std::vector<std::uint64_t> committed;  // by PE, until it began
  };
  struct Load {
    std::vector<std::uint64_t> of_pes;
    std::uint64_t total = 0;
  };

  void begin_window(std::span<const gvt::Summary> of_pes, double wall_s);
  Load load_since(std::span<const gvt::Summary> of_pes) const;
  void watch(std::span<const gvt::Summary> of_pes, double wall_s);
  void judge(std::span<const gvt::Summary> of_pes, double wall_s);
  void pause(double wall_s);
  /// Who has most to do, a worker or a PE, and how many times as fast all together would be if they had the
  /// same.
  struct HotSpot {
    std::size_t at = 0;
    double gain = 1;
  };
  HotSpot hot_spot(const Load& load) const;
  std::vector<lp::Move> planned();
  /// For tests: any LPs, anywhere.
  std::vector<lp::Move> at_random();

  lp::LpStore& lps_;
  const Config& config_;
  const partition::Clusters clusters_;
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
};

}  // namespace anachron::engine
