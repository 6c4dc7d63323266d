// Resources, containers and stores are state: every mode gives the sequential results. And a resource grants
// what one grants that waits for the end of each instant and then looks at all requests.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "property/random_options.hpp"
#include "property/random_ranks.hpp"
#include "scale.hpp"

namespace anachron::test {
namespace {

struct Visit {};
struct Seat {
  Token token{};
};
struct Bed {
  Token token{};
};
struct OutOfBed {
  Bed bed;
};
struct Fuel {
  Token token{};
};
struct Fetched {
  std::vector<std::uint32_t> item{};
  Token token{};
  bool operator==(const Fetched&) const = default;
};
struct Stored {
  Token token{};
};
struct Rise {
  Seat seat;
};
struct GetUp {
  Bed bed;
};
enum class Wish : std::uint8_t { seat, bed, fuel, room, item, shelf };
struct GiveUp {
  Token token{};
  Wish wish{};
};

/// Guests come and go, often at the same times, and lose patience.
struct Inn {
  struct Params {
    std::uint32_t guests = 4;  // of each inn
    double gap = 0;            // least delay between two inns
  };
  static constexpr bool encodable_events = true;

  Resource<Seat> seats;
  PreemptiveResource<Bed, OutOfBed> beds{2};
  Container<Fuel, Stored> tank{10, 3};
  Store<std::vector<std::uint32_t>, Fetched, Stored> shelf{3};
  std::uint64_t sum = 0;

  static double lookahead(const Params& params) { return params.gap; }
  void start(Context<Inn>& cx) {
    for (std::uint32_t i = 0; i < cx.params().guests; ++i) cx.send(cx.self(), delay(cx), Visit{});
  }
  void on(Context<Inn>& cx, const Visit&) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.params().gap + delay(cx), Visit{});
    if (cx.rng().bernoulli(0.05)) seats.set_capacity(cx, cx.rng().below(4u));
    if (cx.rng().bernoulli(0.05)) beds.set_capacity(cx, cx.rng().below(4u));
    const auto wish = static_cast<Wish>(cx.rng().below(6u));
    const Token token = ask(cx, wish);
    if (cx.rng().bernoulli(0.7)) cx.send(cx.self(), delay(cx), GiveUp{token, wish});
  }
  void on(Context<Inn>& cx, const Seat& seat) {
    hear(1, seat.token);
    cx.send(cx.self(), delay(cx), Rise{seat});
  }
  void on(Context<Inn>& cx, const Rise& rise) { sum += seats.release(cx, rise.seat.token); }
  void on(Context<Inn>& cx, const Bed& bed) {
    hear(2, bed.token);
    cx.send(cx.self(), delay(cx), GetUp{bed});
  }
  void on(Context<Inn>& cx, const GetUp& up) { sum += beds.release(cx, up.bed.token); }
  void on(Context<Inn>& cx, const OutOfBed& out) {
    hear(3, out.bed.token);
    EXPECT_FALSE(beds.release(cx, out.bed.token));
    if (cx.rng().bernoulli(0.5)) ask(cx, Wish::bed);
  }
  void on(Context<Inn>&, const Fuel& fuel) { hear(4, fuel.token); }
  void on(Context<Inn>&, const Stored& stored) { hear(5, stored.token); }
  void on(Context<Inn>&, const Fetched& fetched) {
    hear(6, fetched.token);
    sum += fetched.item.size();
  }
  void on(Context<Inn>& cx, Logged<Inn>& log, const GiveUp& event) const {
    bool has_left = false;
    switch (event.wish) {
      case Wish::seat:
        has_left = log.write(seats).cancel(cx, event.token);
        break;
      case Wish::bed:
        has_left = log.write(beds).cancel(cx, event.token);
        break;
      case Wish::fuel:
      case Wish::room:
        has_left = log.write(tank).cancel(cx, event.token);
        break;
      default:
        has_left = log.write(shelf).cancel(cx, event.token);
    }
    log.write(sum) += has_left ? 7u : 0u;
  }
  void finish(Results& results) const {
    results.count("sum", sum % 1'000'003);
    const auto waiting = seats.waiting() + beds.waiting() + tank.waiting_gets() + shelf.waiting_gets();
    results.count("waiting", static_cast<std::int64_t>(waiting));
  }
  friend bool operator==(const Inn&, const Inn&) = default;

 private:
  Token ask(Context<Inn>& cx, Wish wish) {
    const auto number = cx.rng().below(4u);
    switch (wish) {
      case Wish::seat:
        return seats.request(cx, {}, static_cast<std::int32_t>(number));
      case Wish::bed:
        return beds.request(cx, {}, static_cast<std::int32_t>(number));
      case Wish::fuel:
        return tank.get(cx, number + 0.5, {});
      case Wish::room:
        return tank.put(cx, number + 0.75, {});
      case Wish::item:
        return shelf.get(cx, {});
      default:
        return shelf.put(cx, std::vector<std::uint32_t>(number, 1));
    }
  }
  void hear(std::uint64_t what, Token token) {
    sum = (sum * 31 + what) * 31 + static_cast<std::uint64_t>(token);
  }
  static double delay(Context<Inn>& cx) {
    const double kind = cx.rng().uniform();
    if (kind < 0.15) return 0;
    if (kind < 0.7) return std::ceil(cx.now()) + cx.rng().below(3u) - cx.now();
    return cx.rng().exponential(1.0);
  }
};

struct Outcome {
  std::uint64_t digest = 0, committed = 0;
  double sum = 0, waiting = 0;
  std::vector<Inn> inns;  // not of a run over ranks

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(std::uint32_t lps, const Config& config, double gap = 0) {
  Simulation<Inn> simulation;
  simulation.params<Inn>().gap = gap;
  simulation.lps<Inn>(lps);
  simulation.config = config;
  const Report report = simulation.run();
  EXPECT_TRUE(report.notes.empty()) << report.notes.front();
  Outcome out{
      report.digest, report.committed, report.results.value("sum"), report.results.value("waiting"), {}};
  if (!config.cluster)
    for (std::uint32_t i = 0; i < lps; ++i) out.inns.push_back(simulation.lp<Inn>(i));
  return out;
}

TEST(Equivalence, ResourcesAreDealtAsSequentially) {
  for (int model = 0; model < scaled(15); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 8101);
    const auto lps = static_cast<std::uint32_t>(1 + random() % 12);
    const Config base = sequential_run(random() % 1000 + 1, 5 + static_cast<double>(random() % 15));
    const Outcome expected = outcome_of(lps, base);
    for (int variant = 0; variant < 6; ++variant) {
      const Config config = random_optimistic(random, base);
      ASSERT_EQ(expected, outcome_of(lps, config)) << "model " << model << ", " << describe(config);
    }
    for (Config checked : {base, random_optimistic(random, base)}) {
      checked.check_rollback = true;
      ASSERT_EQ(expected, outcome_of(lps, checked)) << "model " << model << ", " << describe(checked);
    }
  }
}

TEST(Equivalence, ResourcesAreDealtAsSequentiallyInConservativeRuns) {
  for (const unsigned workers : {1u, 2u, 3u})
    for (const unsigned more_pes : {0u, 2u}) {
      Config config = sequential_run(workers, 20);
      const Outcome expected = outcome_of(20, config, 0.5);
      config.sync = Sync::conservative;
      config.workers = workers;
      config.pes = workers + more_pes;
      config.partition = Partition::round_robin;
      ASSERT_EQ(expected, outcome_of(20, config, 0.5)) << describe(config);
    }
}

/// What rank 0 reports.
Outcome outcome_over_ranks(std::uint32_t lps, const Config& config, unsigned ranks,
                           const transport::LocalCluster::Options& links) {
  transport::LocalCluster cluster(ranks, links);
  Outcome outcome;
  std::vector<std::jthread> threads;
  for (unsigned rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      transport::Cluster here(cluster.transport(rank));
      Config own = config;
      own.cluster = &here;
      try {
        Outcome of_rank = outcome_of(lps, own);
        if (rank == 0) outcome = std::move(of_rank);
      } catch (const std::exception& error) {  // the others would wait for ever
        std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
        std::abort();
      }
      here.transport().finish();
    });
  threads.clear();
  return outcome;
}

TEST(Ranks, ResourcesAreDealtAsSequentially) {
  for (int model = 0; model < scaled(5); ++model) {
    std::mt19937_64 random(static_cast<std::uint64_t>(model) + 8201);
    const auto lps = static_cast<std::uint32_t>(4 + random() % 12);
    const Config base = sequential_run(random() % 1000 + 1, 10);
    Outcome expected = outcome_of(lps, base);
    expected.inns.clear();
    for (int variant = 0; variant < 3; ++variant) {
      const RankShape shape = random_rank_shape(random);
      const Config config = random_rank_config(random, base, shape);
      ASSERT_EQ(expected, outcome_over_ranks(lps, config, shape.ranks, random_rank_links(random)))
          << "model " << model << ", " << shape.ranks << " ranks," << describe(config);
    }
  }
}

// --- A resource as at the end of each instant
// --------------------------------------------------------------------

struct Place {
  std::uint32_t who = 0;
  Token token{};
};
struct Lost {
  Place place;
};
enum class What : std::uint8_t { request, release, cancel };
struct Step {
  Time time = 0;
  What what{};
  std::uint32_t who = 0;
  std::int32_t priority = 0;
  bool is_late = false;  // at the next step of its time
};
struct News {
  Time time = 0;
  bool is_granted = false;
  std::uint32_t who = 0;

  friend auto operator<=>(const News&, const News&) = default;
};

/// Requests with different priorities, so that nothing depends on which of two simultaneous ones is first.
struct Course {
  std::uint32_t capacity = 1;
  std::vector<Step> steps;
  std::vector<News> news;
};

/// Does not wait for events: knows at the end of each instant who asks and who leaves.
class EndOfInstant {
 public:
  EndOfInstant(std::uint32_t capacity, bool preempts) : preempts_(preempts) { course_.capacity = capacity; }

  void pass(Time time, std::mt19937_64& random) {
    const auto leave = [&](auto& from, What what) {
      if (from.empty() || random() % 2) return;
      const auto one = std::next(from.begin(), static_cast<std::ptrdiff_t>(random() % from.size()));
      course_.steps.push_back({time, what, one->second, 0, random() % 2 > 0});
      from.erase(one);
    };
    leave(users_, What::release);
    leave(users_, What::release);
    leave(waiting_, What::cancel);
    for (auto n = random() % 4; n > 0; --n) {
      const auto priority = static_cast<std::int32_t>(random() % 1'000'000);
      course_.steps.push_back({time, What::request, next_, priority, random() % 2 > 0});
      waiting_[priority] = next_++;
    }
    deal(time);
  }
  Course course() const { return course_; }

 private:
  using Line = std::map<std::int32_t, std::uint32_t>;

  void deal(Time time) {
    while (!waiting_.empty()) {
      if (users_.size() == course_.capacity) {
        const auto least = std::prev(users_.end());
        if (!preempts_ || least->first < waiting_.begin()->first) return;
        course_.news.push_back({time, false, least->second});
        users_.erase(least);
      }
      course_.news.push_back({time, true, waiting_.begin()->second});
      users_.insert(waiting_.extract(waiting_.begin()));
    }
  }

  bool preempts_;
  Course course_;
  Line users_, waiting_;
  std::uint32_t next_ = 0;
};

/// Plays a course.
template <class Places>
struct Player {
  struct Params {};
  struct Shared : Course {
    explicit Shared(const Params&) {}
    explicit Shared(Course course) : Course(std::move(course)) {}
  };
  Places places;
  std::map<std::uint32_t, Token> tokens;
  std::vector<News> news;

  void start(Context<Player>& cx) {
    places.set_capacity(cx, cx.shared().capacity);
    for (const Step& step : cx.shared().steps) cx.send_at(cx.self(), step.time, step);
  }
  void on(Context<Player>& cx, const Step& step) {
    if (step.is_late)
      cx.send(cx.self(), 0, Step{step.time, step.what, step.who, step.priority});
    else if (step.what == What::request)
      tokens[step.who] = places.request(cx, {step.who}, step.priority);
    else if (step.what == What::release)
      EXPECT_TRUE(places.release(cx, tokens[step.who]));
    else
      EXPECT_TRUE(places.cancel(cx, tokens[step.who]));
  }
  void on(Context<Player>& cx, const Place& place) { news.push_back({cx.now(), true, place.who}); }
  void on(Context<Player>& cx, const Lost& lost) { news.push_back({cx.now(), false, lost.place.who}); }
};

template <class Places>
void expect_end_of_instant(bool preempts) {
  for (int n = 0; n < scaled(100); ++n) {
    std::mt19937_64 random(static_cast<std::uint64_t>(n) + 8301);
    EndOfInstant by_instants(static_cast<std::uint32_t>(1 + random() % 4), preempts);
    for (int time = 1; time <= 40; ++time) by_instants.pass(time, random);
    Course course = by_instants.course();
    std::sort(course.news.begin(), course.news.end());
    Simulation<Player<Places>> simulation;
    simulation.config = sequential_run(random() % 1000 + 1);
    simulation.template lps<Player<Places>>(1);
    simulation.template shared<typename Player<Places>::Shared>(
        std::make_shared<const typename Player<Places>::Shared>(course));
    simulation.run();
    std::vector<News> news = simulation.template lp<Player<Places>>(0).news;
    std::sort(news.begin(), news.end());
    ASSERT_EQ(news.size(), course.news.size()) << "course " << n;
    ASSERT_TRUE(news == course.news) << "course " << n;
  }
}

TEST(Resource, GrantsWhatIsDueAtTheEndOfEachInstant) { expect_end_of_instant<Resource<Place>>(false); }

TEST(PreemptiveResource, GrantsWhatIsDueAtTheEndOfEachInstant) {
  expect_end_of_instant<PreemptiveResource<Place, Lost>>(true);
}

}  // namespace
}  // namespace anachron::test
