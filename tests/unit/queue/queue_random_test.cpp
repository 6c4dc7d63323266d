// Every pending set in random use, with times of many kinds, does what the reference does.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "scale.hpp"
#include "unit/queue/pending_sets.hpp"

namespace anachron::queue_test {
namespace {

using test::scaled;

// How the time of a new event comes from that of the last one taken.
using Draw = Time (*)(Time now, std::mt19937_64& random);

struct Times {
  const char* name;
  Draw draw;
};
const Times kTimes[] = {
    {"exponential", [](Time now, auto& random) { return now - std::log1p(-unit(random)); }},
    {"any_nonnegative_double",
     [](Time, auto& random) {
       return std::bit_cast<Time>(random() % (std::bit_cast<std::uint64_t>(kHighest) + 1));
     }},
    {"all_zero", [](Time, auto&) { return Time{0}; }},
    {"all_equal", [](Time, auto&) { return Time{3.25}; }},
    {"few_values", [](Time, auto& random) { return static_cast<Time>(random() % 7); }},
    {"whole_numbers",
     [](Time now, auto& random) { return std::floor(now) + static_cast<Time>(random() % 3); }},
    {"denormal", [](Time, auto& random) { return static_cast<Time>(random() % 1000) * kDenormal; }},
    {"huge", [](Time, auto& random) { return kHighest * (0.5 + unit(random) / 2); }},
    {"zero_or_highest", [](Time, auto& random) { return random() % 2 ? Time{0} : kHighest; }},
    {"neighbours",
     [](Time now, auto& random) {
       for (auto i = random() % 4; i > 0; --i) now = std::nextafter(now, kHighest);
       return now;
     }},
    {"whole_numbers_and_next",
     [](Time now, auto& random) {
       const Time whole = std::floor(now) + static_cast<Time>(random() % 2);
       return random() % 2 ? whole : std::nextafter(whole, kHighest);
     }},
    {"around_powers_of_two",
     [](Time, auto& random) {
       const Time power = std::ldexp(1.0, static_cast<int>(random() % 64) - 32);
       return random() % 3 == 0 ? power
              : random() % 2    ? std::nextafter(power, 0)
                                : std::nextafter(power, kHighest);
     }},
    {"clustered",
     [](Time now, auto& random) {
       return std::floor(now / 100) * 100 + static_cast<Time>(random() % 3) * 100 + unit(random) * 1e-6;
     }},
    {"bursty",
     [](Time now, auto& random) {
       return random() % 50 == 0 ? now + 1000 * unit(random) : now + 1e-9 * unit(random);
     }},
    {"anywhere", [](Time, auto& random) { return 1000 * unit(random); }},
    {"mostly_earlier",
     [](Time now, auto& random) { return random() % 10 == 0 ? now + 10 : now * unit(random); }},
};

TYPED_TEST(PendingSetTest, SortsAnyTimes) {
  for (const Times& times : kTimes) {
    SCOPED_TRACE(times.name);
    Pair<TypeParam> pair;
    for (int i = 0; i < scaled(2000) && !this->HasFailure(); ++i) pair.insert(times.draw(1, pair.random()));
    pair.drain();
  }
}

// The life of a pending set under Time Warp: each event taken leads to others; now and then a rollback, a
// burst of cancellations, a horizon.
TYPED_TEST(PendingSetTest, BehavesLikeASortedSet) {
  for (const Times& times : kTimes) {
    SCOPED_TRACE(times.name);
    for (const std::size_t target : {1u, 40u, 200u, 1000u, 5000u}) {  // about so many are pending
      SCOPED_TRACE(target);
      Pair<TypeParam> pair;
      pair.seed(target);
      auto& random = pair.random();
      while (pair.size() < target) pair.insert(times.draw(pair.now(), random));
      for (int step = 0; step < scaled(3000) && !this->HasFailure(); ++step) {
        const auto op = random() % 1000;
        if (op < 480) {
          if (pair.size() < 2 * target + 100) pair.insert(times.draw(pair.now(), random));
        } else if (op < 700) {
          pair.pop();
        } else if (op < 960) {
          const Time first = pair.first_time();
          const Time bounds[] = {first, std::nextafter(first, kForever), times.draw(pair.now(), random),
                                 kForever, 0};
          pair.pop_below(bounds[random() % 5]);
        } else if (op < 980) {
          pair.put_back(random() % 40);
        } else if (op < 985) {
          pair.put_back(random() % 4000);
        } else if (op < 990) {
          pair.check_top();
        } else if (op < 995) {
          pair.check_hint(random() % 100);
        } else if (op < 998) {
          for (auto i = random() % 400; i > 0; --i) pair.insert(times.draw(pair.now(), random));
        } else if (op < 999) {
          const auto salt = random();
          const auto share = random() % 5;
          pair.remove_if([&](const EventHeader& e) {
            return mix64(salt ^ event::number_in_order(e.place()) ^ std::bit_cast<std::uint64_t>(e.time)) %
                       4 <
                   share;
          });
          pair.remove_if(
              [&](const EventHeader& e) { return event::number_in_order(e.place()) % 3 < 2; },
              [&](Time time) { return mix64(salt ^ std::bit_cast<std::uint64_t>(time)) % 4 < share; });
        } else {
          pair.remove_if([](const EventHeader&) { return false; });
        }
      }
      pair.drain();
    }
  }
}

// The same as above in a form that rapidcheck can shrink to a short sequence.
struct Step {
  std::uint8_t op;
  std::uint8_t exponent;
  std::uint8_t mantissa;

  Time time() const { return exponent == 0 ? 0 : std::ldexp(1 + (mantissa % 4) / 4.0, exponent % 24 - 12); }
};
std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "{" << int{step.op} << ", " << int{step.exponent} << ", " << int{step.mantissa} << "}";
}

TYPED_TEST(PendingSetTest, PropertySameAsASortedSet) {
  const auto step =
      rc::gen::construct<Step>(rc::gen::arbitrary<std::uint8_t>(), rc::gen::arbitrary<std::uint8_t>(),
                               rc::gen::arbitrary<std::uint8_t>());
  EXPECT_TRUE(rc::check([&] {
    const auto steps = *rc::gen::container<std::vector<Step>>(step);
    Pair<TypeParam> pair;
    for (const Step& s : steps) {
      switch (s.op % 8) {
        case 0:
          pair.pop();
          break;
        case 1:
          pair.pop_below(s.time());
          break;
        case 2:
          pair.put_back(s.mantissa);
          break;
        case 3:
          for (int i = 0; i < s.mantissa; ++i) pair.insert(s.time() + i * 0.25);
          break;
        case 4:
          if (s.mantissa < 16)
            pair.remove_if([&](const EventHeader& e) { return e.time <= s.time(); });
          else
            for (int i = 0; i < s.mantissa / 2; ++i) pair.pop();
          break;
        default:
          pair.insert(s.time());
      }
      RC_ASSERT(!::testing::Test::HasFailure());
    }
    pair.drain();
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

}  // namespace
}  // namespace anachron::queue_test
