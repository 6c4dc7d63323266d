// Probes of what finds an event by its match id: the engine's table of copied events, the table of Bauer et
// al. 2009, and the list of arrivals of ranks, half full where that means something, beside what the paper's
// equations 1 and 2 say of load 0.5. Usage: bench_match_tables [EVENTS]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "comm/fabric/baselines/prime_table.hpp"
#include "comm/fabric/match_table.hpp"
#include "comm/fabric/ranks/arrivals.hpp"

namespace {

using namespace anachron;
using event::EventHeader;
using Clock = std::chrono::steady_clock;

/// Ids that are put in, and as many others that are not.
struct Ids {
  const char* name;
  std::vector<std::uint64_t> there, others;
};

Ids ids_of(const char* name, std::size_t count, const auto& next) {
  Ids ids{.name = name, .there = {}, .others = {}};
  for (std::size_t i = 0; i < count; ++i) ids.there.push_back(next());
  for (std::size_t i = 0; i < count; ++i) ids.others.push_back(next());
  return ids;
}

std::vector<Ids> all_ids(std::size_t count) {
  std::mt19937_64 random(1);
  std::uint64_t last = 1'000'003;
  return {ids_of("counted", count, [&] { return ++last; }),
          ids_of("every other", count, [&] { return last += 1 + random() % 3; }),
          ids_of("random", count, [&] { return random(); })};
}

struct Row {
  double found, not_there, insert_ns, find_ns;
};

double ns_per(std::size_t count, Clock::time_point since) {
  return std::chrono::duration<double, std::nano>(Clock::now() - since).count() / static_cast<double>(count);
}

/// All but one of a table's half are in, so that one more is put in and taken out without growth.
template <class Table>
Row measure(const Ids& ids) {
  const std::size_t count = ids.there.size() - 1;
  const double n = static_cast<double>(count);
  std::vector<EventHeader> events(count);
  for (std::size_t i = 0; i < count; ++i) events[i].match.value = ids.there[i];
  Table table;
  std::uint64_t uncounted = 0, found = 0, not_there = 0;
  const auto began = Clock::now();
  for (EventHeader& e : events) table.insert(e, uncounted);
  Row row{.found = 0, .not_there = 0, .insert_ns = ns_per(count, began), .find_ns = 0};
  const auto searched = Clock::now();
  for (const EventHeader& e : events)
    if (table.find(e.match.value, found) != &e) std::abort();
  row.find_ns = ns_per(count, searched);
  row.found = static_cast<double>(found) / n;
  EventHeader extra{};
  for (std::size_t i = 0; i < count; ++i) {
    extra.match.value = ids.others[i];
    table.insert(extra, not_there);
    table.erase(extra.match.value, uncounted);
  }
  row.not_there = static_cast<double>(not_there) / n;
  return row;
}

void print(const char* what, const char* ids, const Row& row) {
  std::printf("%-14s %-12s %6.2f %10.2f %12.1f %9.1f\n", what, ids, row.found, row.not_there, row.insert_ns,
              row.find_ns);
}

void print_arrivals(const Ids& ids) {
  std::vector<EventHeader> events(ids.there.size());
  fabric::Arrivals arrivals;
  const auto began = Clock::now();
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].match.value = ids.there[i];
    arrivals.add(events[i]);
  }
  const double insert_ns = ns_per(events.size(), began);
  std::uint64_t looks = 0;
  const auto searched = Clock::now();
  for (const EventHeader& e : events)
    if (arrivals.find(e.match.value, looks) != &e) std::abort();
  std::printf("%-14s %-12s %6.2f %10s %12.1f %9.1f\n", "arrivals", ids.name,
              static_cast<double>(looks) / static_cast<double>(events.size()), "", insert_ns,
              ns_per(events.size(), searched));
}

}  // namespace

int main(int argc, char** argv) {
  // Of a table with a power of two of slots this is half.
  const std::size_t wanted = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 32'768;
  std::size_t count = 64;
  while (2 * count <= wanted) count *= 2;
  std::printf("%zu events, load 0.5; probes of a search for what is there, and of an insertion\n", count);
  std::printf("%-14s %-12s %6s %10s %12s %9s\n", "", "ids", "there", "insertion", "insertion ns",
              "search ns");
  std::printf("%-14s %-12s %6.2f %10.2f\n", "the paper says", "", 1.39, 2.0);
  for (const Ids& ids : all_ids(count)) {
    print("match table", ids.name, measure<fabric::MatchTable>(ids));
    print("prime table", ids.name, measure<fabric::PrimeTable>(ids));
    if (std::is_sorted(ids.there.begin(), ids.there.end())) print_arrivals(ids);
  }
  return 0;
}
