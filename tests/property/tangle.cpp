#include "property/tangle.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "comm/transport/cluster.hpp"

namespace anachron::test {
namespace {

template <class Lp>
void start_spreading(Context<Lp>& cx) {
  for (std::uint32_t i = 0; i < cx.params().roots; ++i) {
    send_one<Lp, Lp>(cx, cx.params().life, cx.rng().bits());
    send_one<Lp, Cell>(cx, cx.params().life, cx.rng().bits());
  }
}

/// Of those that are on this rank, the states as they are now.
template <class Lp>
void add_final_states(const Tangle& tangle, std::vector<Lp>& states) {
  for (std::uint32_t i = 0; i < states.size(); ++i) try {
      states[i] = tangle.lp<Lp>(i);
    } catch (const std::out_of_range&) {
      continue;
    }
}

/// Runs the model and adds what is known of its LPs here.
void run_into(TangleResult& result, const TangleParams& params, const Config& config, std::mutex* mutex) {
  Tangle tangle;
  tangle.config = config;
  tangle.params<TangleParams>() = params;
  const auto trace = std::make_shared<const TangleTrace>(params);
  tangle.shared<TangleTrace>(trace);
  Report report = tangle.run();
  const auto lock = mutex ? std::unique_lock(*mutex) : std::unique_lock<std::mutex>();
  if (!config.cluster || config.cluster->rank() == 0) {
    result.report = std::move(report);
    result.in_order = read_file(trace->in_order.path());
  }
  add_final_states(tangle, result.cells);
  add_final_states(tangle, result.bags);
  add_final_states(tangle, result.gates);
  add_final_states(tangle, result.ledgers);
  add_outputs(result, *trace);
}

}  // namespace

TangleResult result_for(const TangleParams& params) {
  TangleResult result;
  result.cells.resize(params.lps_per_type);
  result.bags.resize(params.lps_per_type);
  result.gates.resize(params.lps_per_type);
  result.ledgers.resize(params.lps_per_type);
  result.trace.resize(4 * std::size_t{params.lps_per_type});
  result.decrees.resize(params.lps_per_type);
  return result;
}

void add_outputs(TangleResult& result, const TangleTrace& of_rank) {
  const auto add = [](Outputs& all, const Outputs& more) {
    for (std::size_t lp = 0; lp < all.size(); ++lp) {
      all[lp].insert(all[lp].end(), more[lp].begin(), more[lp].end());
      std::sort(all[lp].begin(), all[lp].end(),
                [](const Written& a, const Written& b) { return a.order < b.order; });
    }
  };
  add(result.trace, of_rank.of_lp);
  add(result.decrees, of_rank.decrees);
}

TangleParams random_tangle(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  TangleParams params;
  params.lps_per_type = static_cast<std::uint32_t>(1 + below(20));
  params.roots = static_cast<std::uint32_t>(1 + below(6));
  params.life = static_cast<std::uint32_t>(5 + below(20));
  params.zero_delay = static_cast<double>(below(5)) * 0.1;
  params.tie = static_cast<double>(below(5)) * 0.1;
  params.local = static_cast<double>(below(4)) * 0.3;
  return params;
}

TangleParams random_medley(std::mt19937_64& random) {
  TangleParams params = random_tangle(random);
  const auto some = [&](double most) { return most * static_cast<double>(random() % 4) / 3; };
  params.zero_delay = some(0.5);
  params.cancels = some(0.6);
  params.ordered = some(0.6);
  params.broadcasts = some(0.04);
  params.irrevocable = some(0.1);
  params.uneven = random() % 2;
  params.stops = random() % 8 == 0 ? 0.002 : 0;
  return params;
}

void Cell::start(Context<Cell>& cx) { start_spreading(cx); }
void Bag::start(Context<Bag>& cx) { start_spreading(cx); }
void Gate::start(Context<Gate>& cx) { start_spreading(cx); }
void Ledger::start(Context<Ledger>& cx) { start_spreading(cx); }

void Cell::on(Context<Cell>& cx, const Ping& ping) {
  ++pings;
  seen += ping.value;
  sum = sum * 31 + ping.value + cx.rng(luck).below(9u);
  spread(cx, ping.life, sum, &kept);
}
void Cell::on(Context<Cell>& cx, const Parcel& parcel) {
  for (const auto x : parcel.content) sum ^= x + pings;
  sizes.add(cx, static_cast<double>(parcel.content.size()));
  spread(cx, parcel.life, sum + parcel.label.size(), &kept);
}

void Cell::on(Context<Cell>& cx, const Decree& decree) {
  cx.shared().decrees[cx.self().index()].push_back(decree.value + pings);
  spread(cx, decree.life, sum ^ decree.value, &kept);
}

void Bag::on(Context<Bag>& cx, const Ping& ping) {
  last.push_back(ping.value);
  if (last.size() > 6) last.erase(last.begin());
  text = std::to_string(ping.value) + text.substr(0, 20);
  spread(cx, ping.life, ping.value + last.size(), &kept);
}
void Bag::on(Context<Bag>& cx, const Parcel& parcel) {
  last = parcel.content;
  text += parcel.label.substr(0, 3);
  if (text.size() > 64) text.clear();
  spread(cx, parcel.life, text.size(), &kept);
}
void Bag::commit(Commit<Bag>& cx, const Parcel& parcel) {
  auto& trace = cx.shared().of_lp[kType * cx.params().lps_per_type + cx.self().index()];
  trace.push_back(parcel.label.size());
  trace.push_back(static_cast<std::uint64_t>(cx.now() * 1e3));
}

void Ledger::on(Context<Ledger>& cx, Logged<Ledger>& log, const Ping& ping) const {
  const auto account = ping.value % 8;
  log.write(accounts[account]) += ping.value;
  log.write(accounts[(account + 1) % 8]) ^= accounts[account];
  log.write(accounts[account]) += 1;  // twice in one event
  log.write(accounts[account]) += cx.rng(log.write(&Ledger::luck)).below(9u);
  log.write(&Ledger::note) = std::to_string(accounts[account]);
  spread(cx, ping.life, accounts[account]);
}
void Ledger::on(Context<Ledger>& cx, const Parcel& parcel) {
  for (const auto x : parcel.content) accounts[x % 8] += x;
  note += parcel.label.substr(0, 2);
  if (note.size() > 30) note.clear();
  spread(cx, parcel.life, note.size());
}

TangleResult run_tangle(const TangleParams& params, const Config& config) {
  TangleResult result = result_for(params);
  run_into(result, params, config, nullptr);
  return result;
}

TangleResult run_tangle_over_ranks(const TangleParams& params, const Config& config, unsigned ranks,
                                   const transport::LocalCluster::Options& options) {
  TangleResult result = result_for(params);
  transport::LocalCluster cluster(ranks, options);
  std::mutex mutex;
  std::exception_ptr failure;
  std::vector<std::jthread> threads;
  for (unsigned rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      transport::Cluster here(cluster.transport(rank));
      Config own = config;
      own.cluster = &here;
      try {
        run_into(result, params, own, &mutex);
      } catch (const SimulationError&) {  // all ranks have heard of it
        if (rank == 0) failure = std::current_exception();
      } catch (const std::exception& error) {  // and the others would wait for ever
        std::fprintf(stderr, "rank %u: %s\n", rank, error.what());
        std::abort();
      }
      here.transport().finish();
    });
  threads.clear();
  if (failure) std::rethrow_exception(failure);
  return result;
}

std::string difference(const TangleResult& a, const TangleResult& b) {
  if (a.report.committed != b.report.committed)
    return "committed " + std::to_string(a.report.committed) + " and " + std::to_string(b.report.committed);
  if (a.report.digest != b.report.digest) return "digest";
  if (a.report.critical_path && b.report.critical_path && a.report.critical_path != b.report.critical_path)
    return "critical path";
  if (a.report.ending != b.report.ending) return "ending";
  if (a.report.end_time != b.report.end_time) return "end time";
  if (a.cells != b.cells) return "state of a Cell";
  if (a.bags != b.bags) return "state of a Bag";
  if (a.gates != b.gates) return "state of a Gate";
  if (a.ledgers != b.ledgers) return "state of a Ledger";
  if (!a.report.state_digest || a.report.state_digest != b.report.state_digest) return "state digest";
  if (a.trace != b.trace) return "output at commit";
  if (a.decrees != b.decrees) return "output of irrevocable events";
  if (a.in_order != b.in_order) return "output in order";
  return {};
}

}  // namespace anachron::test
