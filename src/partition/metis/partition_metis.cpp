#include <metis.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/model/dissection.hpp>

#include "partition/metis/metis.hpp"

namespace anachron::partition {
namespace {

/// METIS keeps handlers of signals and random numbers for the whole process: one call at a time. It takes
/// SIGTERM, while it works, for a failure of its own; that signal waits until it is done.
class MetisCall {
 public:
  MetisCall() : alone_(mutex()) {
    sigset_t terminate;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &terminate, &mask_);
    sigaction(SIGTERM, nullptr, &on_terminate_);
    sigaction(SIGABRT, nullptr, &on_abort_);
  }
  ~MetisCall() {
    sigaction(SIGABRT, &on_abort_, nullptr);
    sigaction(SIGTERM, &on_terminate_, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  MetisCall(const MetisCall&) = delete;
  MetisCall& operator=(const MetisCall&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex of_metis;
    return of_metis;
  }

  std::scoped_lock<std::mutex> alone_;
  sigset_t mask_{};
  struct sigaction on_terminate_{}, on_abort_{};
};

/// Weights as whole numbers of which METIS can add up all. What is above 0 stays so.
std::vector<idx_t> whole(const std::vector<double>& weights) {
  constexpr double kSum = 1 << 28;
  double sum = 0;
  for (const double weight : weights) sum += weight;
  std::vector<idx_t> out;
  out.reserve(weights.size());
  for (const double weight : weights)
    out.push_back(sum > 0 ? std::max<idx_t>(static_cast<idx_t>(std::llround(weight / sum * kSum)), weight > 0)
                          : 1);
  return out;
}

template <class To, class From>
std::vector<To> converted(const From& from) {
  return std::vector<To>(from.begin(), from.end());
}

}  // namespace

const bool kHasMetis = true;

void require_metis() {}

std::vector<std::uint32_t> cut_by_metis(const Graph& graph, std::span<const double> shares, double tolerance,
                                        std::uint64_t seed) {
  // Half of what its numbers can hold: weights above 0 that are rounded up come on top.
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) / 2;
  if (graph.size() > kMost || graph.to.size() > kMost)
    throw InputError("--partition metis: " + std::to_string(graph.size()) + " LPs with " +
                     std::to_string(graph.to.size() / 2) + " links between them are too many for METIS");

  auto vertices = static_cast<idx_t>(graph.size()), parts = static_cast<idx_t>(shares.size()),
       conditions = idx_t{1};
  auto first = converted<idx_t>(graph.first), to = converted<idx_t>(graph.to);
  auto work = whole(graph.work), weight = whole(graph.weight);
  std::vector<real_t> targets;
  for (const double share : shares) targets.push_back(static_cast<real_t>(share));

  std::array<idx_t, METIS_NOPTIONS> options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffff);
  options[METIS_OPTION_UFACTOR] = std::max<idx_t>(static_cast<idx_t>(std::lround(tolerance * 1000)), 1);
  options[METIS_OPTION_NCUTS] = graph.size() < 100'000 ? 4 : 1;  // the best of so many; time grows with it
  const auto cut = parts == 2 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  std::vector<idx_t> part(graph.size());
  idx_t weight_between = 0;
  int status = METIS_ERROR;
  {
    const MetisCall call;
    status = cut(&vertices, &conditions, first.data(), to.data(), work.data(), nullptr, weight.data(), &parts,
                 targets.data(), nullptr, options.data(), &weight_between, part.data());
  }
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  if (status != METIS_OK)
    throw std::runtime_error("METIS could not deal " + std::to_string(graph.size()) + " LPs into " +
                             std::to_string(shares.size()) + " parts");
  return converted<std::uint32_t>(part);
}

}  // namespace anachron::partition

namespace anachron {

std::optional<std::vector<std::uint32_t>> nested_dissection(std::span<const std::uint32_t> first,
                                                            std::span<const std::uint32_t> to) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  auto vertices = static_cast<idx_t>(first.size() - 1);
  if (vertices == 0) return std::vector<std::uint32_t>();
  if (to.size() > kMost) return std::nullopt;

  auto rows = partition::converted<idx_t>(first), neighbours = partition::converted<idx_t>(to);
  std::array<idx_t, METIS_NOPTIONS> options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> order(first.size() - 1), place_of(first.size() - 1);
  const partition::MetisCall call;
  const int status = METIS_NodeND(&vertices, rows.data(), neighbours.data(), nullptr, options.data(),
                                  order.data(), place_of.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  if (status != METIS_OK) return std::nullopt;
  return partition::converted<std::uint32_t>(order);
}

}  // namespace anachron
