// The C interface of the Python package: statistics in states. What a handler observes goes into one in
// place; when a run has ended, those of all LPs are merged as Results does it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>

#include <anachron/model/plain.hpp>
#include <anachron/model/results.hpp>
#include <anachron/model/statistics.hpp>
#include <anachron/run/report.hpp>

#include "errors.hpp"
#include "result.hpp"

using namespace anachron;
using namespace anachron::python;
using plain::Call;

namespace {

/// As anachron/_stats.py numbers them.
enum class Kind : int { tally = 0, time_average = 1, histogram = 2, batch_means = 3, series = 4 };

template <class Statistic>
constexpr bool kIsPlain =
    std::is_trivially_copyable_v<Statistic> && std::is_trivially_destructible_v<Statistic> &&
    sizeof(Statistic) % plain::Model::kAlignment == 0 && alignof(Statistic) <= plain::Model::kAlignment;

/// Calls `use` with what makes a statistic of that kind.
template <class Use>
auto with_kind(int kind, double argument, const Use& use) {
  switch (static_cast<Kind>(kind)) {
    case Kind::tally:
      return use([](void* at) { return ::new (at) Tally; });
    case Kind::time_average:
      return use([=](void* at) { return ::new (at) TimeAverage(argument); });
    case Kind::histogram:
      return use([](void* at) { return ::new (at) Histogram; });
    case Kind::batch_means:
      return use([](void* at) { return ::new (at) BatchMeans; });
    case Kind::series:
      break;
  }
  return use([=](void* at) { return argument > 0 ? ::new (at) Series(argument) : ::new (at) Series; });
}
template <class Make>
using Made = std::remove_pointer_t<std::invoke_result_t<Make, void*>>;

/// Who tells a statistic the time.
struct Clock {
  const Call& call;
  Time now() const { return call.now; }
  Time warm_up() const { return call.frame->warm_up; }
};

template <class Observe>
void observed(Call* call, const Observe& observe) noexcept {
  try {
    observe(Clock{*call});
  } catch (const std::exception& e) {
    plain::fail(*call, e.what());
  }
}

struct Merged {
  Results results;
};

}  // namespace

/// What a statistic of that kind takes in a state.
ANACHRON_EXPORT std::uint64_t anachron_stat_bytes(int kind) noexcept {
  return with_kind(kind, 0, [](const auto& make) -> std::uint64_t {
    using Statistic = Made<decltype(make)>;
    static_assert(kIsPlain<Statistic>);
    return sizeof(Statistic);
  });
}
/// Writes one without observations: a time average with its first level, a series with the length of its
/// intervals or 0.
ANACHRON_EXPORT void anachron_stat_initial(int kind, double argument, void* out, Error* error) noexcept {
  guarded(error, [&] {
    with_kind(kind, argument, [&](const auto& make) {
      using Statistic = Made<decltype(make)>;
      std::memset(out, 0, sizeof(Statistic));
      make(out);
    });
  });
}

ANACHRON_EXPORT void anachron_stat_tally_add(Call* call, Tally* to, double x) noexcept {
  observed(call, [&](const Clock& cx) { to->add(cx, x); });
}
ANACHRON_EXPORT void anachron_stat_level_set(Call* call, TimeAverage* to, double level) noexcept {
  observed(call, [&](const Clock& cx) { to->set(cx, level); });
}
ANACHRON_EXPORT void anachron_stat_level_change(Call* call, TimeAverage* to, double by) noexcept {
  observed(call, [&](const Clock& cx) { to->change(cx, by); });
}
ANACHRON_EXPORT void anachron_stat_histogram_add(Call* call, Histogram* to, double x) noexcept {
  observed(call, [&](const Clock& cx) { to->add(cx, x); });
}
ANACHRON_EXPORT void anachron_stat_batches_add(Call* call, BatchMeans* to, double x) noexcept {
  observed(call, [&](const Clock& cx) { to->add(cx, x); });
}
ANACHRON_EXPORT void anachron_stat_series_add(Call* call, Series* to, double x) noexcept {
  observed(call, [&](const Clock& cx) { to->add(cx, x); });
}

/// For statistics of a run that lasted from `warm_up` to `end`.
ANACHRON_EXPORT Merged* anachron_merged_new(double warm_up, double end, double confidence) {
  return new Merged{Results({warm_up, end, confidence})};
}
ANACHRON_EXPORT void anachron_merged_free(Merged* merged) { delete merged; }
/// Merges `count` statistics, one each `stride` bytes from `first` on, into the figure `name`.
ANACHRON_EXPORT void anachron_merged_add(Merged* merged, const char* name, int kind, const std::byte* first,
                                         std::uint64_t count, std::int64_t stride, Error* error) {
  guarded(error, [&] {
    with_kind(kind, 0, [&](const auto& make) {
      using Statistic = Made<decltype(make)>;
      alignas(Statistic) std::byte room[sizeof(Statistic)];
      const Statistic* const one = make(room);
      for (std::uint64_t i = 0; i < count; ++i, first += stride) {
        std::memcpy(room, first, sizeof(Statistic));
        merged->results.add(name, *one);
      }
    });
  });
}
/// The figures and tables, in a result without anything else.
ANACHRON_EXPORT Result* anachron_merged_result(Merged* merged, Error* error) {
  return guarded(error, [&] {
    Report report;
    merged->results.complete();
    report.results = merged->results;
    return new Result(result_of(report));
  });
}
