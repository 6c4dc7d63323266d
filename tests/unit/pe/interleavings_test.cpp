// Random models on PEs that take turns at random.
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"
#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

using test::scaled;

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

class CrowdBench : public PeBench {
 public:
  CrowdBench(const Crowd& crowd, const Config& config, std::uint64_t owners_seed)
      : PeBench(types(crowd), owners(crowd, *config.pes, owners_seed), config), crowd_(crowd) {
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
      constexpr std::array kChannels{Channel::spsc, Channel::mpsc, Channel::iteq_locked,
                                     Channel::iteq_spinning, Channel::iteq_lock_free};
      config.channel = kChannels[random() % kChannels.size()];
      config.channel_capacity = random() % 2 ? 1 : 16;
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
}  // namespace anachron::pe
