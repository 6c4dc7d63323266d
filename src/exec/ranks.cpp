#include "exec/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/text.hpp>

#include "place/layout.hpp"
#include "place/partition.hpp"
#include "topo/processors.hpp"

namespace anachron::exec {
namespace {

using net::Bytes;

void write_text(ByteWriter& out, std::string_view text) {
  out.length(text.size());
  out.bytes(text.data(), text.size());
}
std::string read_text(ByteReader& in) {
  std::string text(in.length_of(1), '\0');
  in.bytes(text.data(), text.size());
  return text;
}
/// As it is: all ranks run the same program on the same kind of processor.
template <class T>
void write_plain(ByteWriter& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.bytes(&value, sizeof value);
}
template <class T>
T read_plain(ByteReader& in) {
  T value{};
  in.bytes(&value, sizeof value);
  return value;
}
template <class T>
void write_rows(ByteWriter& out, const std::vector<T>& rows) {
  out.length(rows.size());
  for (const T& row : rows) write_plain(out, row);
}
template <class T>
void read_rows(ByteReader& in, std::vector<T>& rows) {
  const std::size_t count = in.length_of(sizeof(T));
  for (std::size_t i = 0; i < count; ++i) rows.push_back(read_plain<T>(in));
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::uint64_t peak_rss() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// What ranks must have in common, with names for it.
std::vector<std::pair<std::string, std::string>> common(const Config& config,
                                                        std::span<const event::LpTypeEntry> types) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&all](std::string name, const auto& value) {
    all.emplace_back(std::move(name), fmt::format("{}", value));
  };
  add("the byte order", std::endian::native == std::endian::little ? "little" : "big");
  add("--sync", to_string(config.sync.value()));
  add("--until", config.until);
  add("--seed", config.seed);
  add("--tie-seed", config.tie_seed);
  add("--warm-up", config.warm_up);
  add("--confidence", config.confidence);
  add("--partition", to_string(config.partition));
  add("--gvt", to_string(config.gvt));
  add("--rollback", to_string(config.rollback));
  add("--run-lookahead", config.lookahead.value_or(0));
  for (const event::LpTypeEntry& type : types)
    add(fmt::format("the number of LPs of type {}", type.ops->name), type.count);
  return all;
}

struct Introduction {
  unsigned pes = 1;
  Bytes event_types;
  std::vector<std::pair<std::string, std::string>> common;
};

Bytes encoded(const Introduction& rank) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(rank.pes);
  out.length(rank.event_types.size());
  out.bytes(rank.event_types.data(), rank.event_types.size());
  out.length(rank.common.size());
  for (const auto& [name, value] : rank.common) {
    write_text(out, name);
    write_text(out, value);
  }
  return bytes;
}
Introduction decoded(const Bytes& bytes) {
  ByteReader in(bytes);
  Introduction rank;
  rank.pes = in.number<unsigned>();
  rank.event_types.resize(in.length_of(1));
  in.bytes(rank.event_types.data(), rank.event_types.size());
  rank.common.resize(in.length_of(2));
  for (auto& [name, value] : rank.common) {
    name = read_text(in);
    value = read_text(in);
  }
  return rank;
}

/// Each rank compares all others with rank 0, so all find the same difference.
fabric::RankLayout introduce(net::Exchange& exchange, const net::Hub& hub, const Config& config,
                             std::span<const event::LpTypeEntry> types, const event::TypeTable& events) {
  const Introduction own{*config.pes, events.description(), common(config, types)};
  const std::vector<Bytes> all = exchange.gather_for_all(encoded(own));
  const Introduction first = decoded(all.front());
  std::vector<unsigned> pes;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Introduction other = decoded(all[rank]);
    pes.push_back(other.pes);
    if (other.event_types != first.event_types)
      throw InputError(fmt::format(
          "ranks 0 and {} do not run the same model: {}", rank,
          events.difference(hub.rank() == 0 ? other.event_types : first.event_types).value_or("their events differ")));
    const auto [at, there] = std::mismatch(first.common.begin(), first.common.end(), other.common.begin(),
                                           other.common.end());
    if (at != first.common.end() || there != other.common.end())
      throw InputError(fmt::format(
          "ranks 0 and {} differ in {}: {} and {}", rank, at != first.common.end() ? at->first : there->first,
          at != first.common.end() ? at->second : "nothing", there != other.common.end() ? there->second : "nothing"));
  }
  std::uint64_t sum = 0;
  for (const unsigned n : pes) sum += n;
  constexpr std::uint64_t kMost = std::numeric_limits<PeId>::max();
  if (sum > kMost)
    throw InputError(fmt::format("--pes: {} on all {} ranks together are more than {}", sum, pes.size(), kMost));
  return {hub.rank(), std::move(pes)};
}

bool wants_thread(const Config& config, const net::Transport& transport) {
  if (config.comm != Comm::automatic) return config.comm == Comm::thread;
  const unsigned share = std::max(topo::usable_processors() / std::max(transport.ranks_here(), 1u), 1u);
  return *config.workers > 1 && *config.workers < share;
}

fabric::PostOptions post_options(const Config& config, unsigned ranks) {
  constexpr std::uint64_t kLeast = 64 << 10, kMost = 1 << 20;
  const std::uint64_t share = config.memory.value_or(std::numeric_limits<std::int64_t>::max()) / 16 / ranks;
  return {.window = std::clamp(share, kLeast, kMost),
          .consolidates = config.consolidation == Consolidation::on,
          .polling_period = config.polling_period.value_or(0)};
}

}  // namespace

Ranks::Ranks(const Config& config, std::span<const event::LpTypeEntry> types)
    : config_(config),
      hub_(config.cluster->hub()),
      exchange_(config.cluster->exchange()),
      types_(types),
      layout_(introduce(exchange_, hub_, config, types, types_.events)),
      post_(hub_, layout_, post_options(config, layout_.ranks())),
      has_thread_(wants_thread(config, hub_.transport())) {}

std::vector<PeId> Ranks::share_out(const std::vector<event::LpTypeEntry>& types) {
  const place::Layout layout{{layout_.pes_of_rank().begin(), layout_.pes_of_rank().end()}};
  // METIS may be another one on another machine, and the file may be on one machine only.
  const bool is_alike = config_.partition != Partition::metis && config_.partition_file.empty();
  if (is_alike) return place::partition(config_, types, layout);
  std::vector<PeId> owners;
  Bytes bytes;
  std::string error;
  if (layout_.rank() == 0) try {
      owners = place::partition(config_, types, layout);
    } catch (const InputError& e) {
      error = e.what();
    }
  ByteWriter out(bytes);
  write_text(out, error);
  write_rows(out, owners);
  bytes = exchange_.broadcast(std::move(bytes));
  ByteReader in(bytes);
  if (error = read_text(in); !error.empty()) throw InputError(error);
  owners.clear();
  read_rows(in, owners);
  return owners;
}

std::unique_ptr<fabric::Fabric> Ranks::make_fabric(std::unique_ptr<fabric::Fabric> within,
                                                   std::span<const PeId> owners) {
  return std::make_unique<fabric::RankFabric>(std::move(within), post_, layout_, types_, owners);
}

sync::RankRounds& Ranks::make_rounds(Judge& judge) {
  return rounds_.emplace(
      hub_, sync::RankRounds::Outside{
                .in_transit = [this](unsigned colour) { return post_.in_transit(colour); },
                .report = [&judge](std::span<const sync::Summary> summaries) { return judge.report(summaries); },
                .conclude = [&judge](const sync::RankReport& all) { return judge.conclude(all); },
                .take_note = [&judge](const sync::Round& round,
                                      const sync::RankReport& own) { judge.take_note(round, own); }});
}

void Ranks::serve(bool waits) {
  if (is_served_.load(std::memory_order_relaxed) || is_served_.exchange(true, std::memory_order_acquire)) return;
  const struct Done {
    std::atomic<bool>& flag;
    ~Done() { flag.store(false, std::memory_order_release); }
  } done{is_served_};
  post_.serve(waits);
  rounds_->serve();
}

void Ranks::serve_until(const std::stop_token& stop) {
  Backoff backoff(*config_.workers < std::thread::hardware_concurrency() ? Backoff::kManySpins
                                                                         : Backoff::kFewSpins);
  while (!stop.stop_requested()) {
    const bool any = post_.serve(false) | rounds_->serve();
    any ? backoff.reset() : backoff.wait();
  }
}

void Ranks::quiesce() {
  do {
    for (Backoff backoff; !post_.is_flushed(); backoff.wait()) post_.serve(true);
  } while (exchange_.sum(post_.in_transit()) != 0);
}

Ranks::Start Ranks::agree(const Start& own, LpId halted) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.flag(own.is_set_up);
  out.flag(own.has_halt);
  out.number(halted);
  out.flag(own.fault.has_value());
  if (own.fault) {
    write_text(out, own.fault->event);
    write_text(out, own.fault->cause);
  }
  Start all;
  LpId first = 0;
  for (const Bytes& rank : exchange_.gather_for_all(std::move(bytes))) {
    ByteReader in(rank);
    all.is_set_up &= in.flag();
    const bool has_halt = in.flag();
    const auto lp = in.number<LpId>();
    std::optional<Fault> fault;
    if (in.flag()) {
      fault.emplace(Fault{.key = {.sender = lp}, .lp = lp, .event = {}, .cause = {}});
      fault->event = read_text(in);
      fault->cause = read_text(in);
    }
    if (!has_halt || (all.has_halt && first < lp)) continue;
    all.has_halt = true;
    first = lp;
    all.fault = std::move(fault);
  }
  return all;
}

Stretch Ranks::agree(const Stretch& own) {
  Bytes bytes;
  ByteWriter out(bytes);
  write_plain(out, own.ending);
  out.number(own.last);
  out.number(own.committed);
  out.flag(own.fault.has_value());
  if (own.fault) {
    write_plain(out, own.fault->key);
    out.number(own.fault->lp);
    write_text(out, own.fault->event);
    write_text(out, own.fault->cause);
  }
  Stretch all = own;
  all.committed = 0;
  for (const Bytes& rank : exchange_.gather_for_all(std::move(bytes))) {
    ByteReader in(rank);
    const auto ending = read_plain<Ending>(in);
    if (all.ending == Ending::finished) all.ending = ending;
    all.last = std::max(all.last, in.number<Time>());
    all.committed += in.number<std::uint64_t>();
    if (!in.flag()) continue;
    Fault fault{.key = read_plain<event::EventKey>(in), .lp = 0, .event = {}, .cause = {}};
    fault.lp = in.number<LpId>();
    fault.event = read_text(in);
    fault.cause = read_text(in);
    all.fault = std::move(fault);
  }
  return all;
}

void Ranks::put_together(Outcome& outcome) {
  RankFigures own{.host = host_name(), .workers = *config_.workers, .pes = *config_.pes, .has_comm_thread = has_thread_};
  for (const PeReport& pe : outcome.pes) {
    own.committed += pe.committed;
    own.executed += pe.executed;
    own.rolled_back += pe.rolled_back;
  }
  const fabric::PostFigures& post = post_.figures();
  const std::array<std::uint64_t, 10> figures{
      own.committed,      own.executed,      own.rolled_back,    peak_rss(),  outcome.memory_peak,
      post.messages_sent, post.bytes_sent,   post.events_sent,   post.probes, post.successful_probes};

  Bytes bytes;
  ByteWriter out(bytes);
  write_text(out, own.host);
  out.number(own.workers);
  out.number(own.pes);
  out.flag(own.has_comm_thread);
  write_plain(out, figures);
  out.number(outcome.cpu_s);
  out.number(outcome.setup_s);
  out.number(outcome.digest);
  out.number(outcome.peak_pending);
  out.number(outcome.large_event_bytes);
  write_rows(out, outcome.pes);
  write_rows(out, outcome.workers);
  out.length(outcome.lp_profile.size());
  for (const LpFigures& lp : outcome.lp_profile) {
    write_text(out, lp.type);
    out.number(lp.index);
    out.number(lp.pe);
    out.number(lp.committed);
    out.number(lp.rolled_back);
    out.number(lp.rollbacks);
    out.number(lp.rollbacks_caused);
  }
  out.length(outcome.notes.size());
  for (const std::string& note : outcome.notes) write_text(out, note);
  if (layout_.rank() == 0) {
    out.number(outcome.wall_s);
    out.number(outcome.gvt_rounds);
    out.number(outcome.gvt_latency_s);
    out.number(outcome.retreats);
    write_rows(out, outcome.rounds);
  }

  const std::vector<Bytes> all = exchange_.gather_for_all(std::move(bytes));
  outcome.cpu_s = outcome.setup_s = 0;
  outcome.digest = outcome.peak_pending = outcome.large_event_bytes = outcome.memory_peak = 0;
  outcome.pes.clear();
  outcome.workers.clear();
  outcome.rounds.clear();
  std::vector<LpFigures> lps;
  std::vector<std::string> notes;
  for (const Bytes& rank : all) {
    ByteReader in(rank);
    RankFigures& row = outcome.ranks.emplace_back();
    row.host = read_text(in);
    row.workers = in.number<unsigned>();
    row.pes = in.number<unsigned>();
    row.has_comm_thread = in.flag();
    const auto of_rank = read_plain<std::array<std::uint64_t, 10>>(in);
    row.committed = of_rank[0];
    row.executed = of_rank[1];
    row.rolled_back = of_rank[2];
    row.peak_rss = of_rank[3];
    row.memory_peak = of_rank[4];
    row.messages_sent = of_rank[5];
    row.bytes_sent = of_rank[6];
    row.events_sent = of_rank[7];
    row.probes = of_rank[8];
    row.successful_probes = of_rank[9];
    row.cpu_s = in.number<double>();
    outcome.cpu_s += row.cpu_s;
    outcome.memory_peak += row.memory_peak;
    outcome.setup_s = std::max(outcome.setup_s, in.number<double>());
    outcome.digest += in.number<std::uint64_t>();
    outcome.peak_pending += in.number<std::uint64_t>();
    outcome.large_event_bytes += in.number<std::uint64_t>();
    read_rows(in, outcome.pes);
    read_rows(in, outcome.workers);
    for (std::size_t n = in.length_of(1); n > 0; --n) {
      const std::string name = read_text(in);
      const auto type = std::find_if(types_.lp_types.begin(), types_.lp_types.end(),
                                     [&](const auto& entry) { return entry.ops->name == name; });
      LpFigures lp;
      if (type != types_.lp_types.end()) lp.type = type->ops->name;
      lp.index = in.number<std::uint32_t>();
      lp.pe = in.number<PeId>();
      lp.committed = in.number<std::uint64_t>();
      lp.rolled_back = in.number<std::uint64_t>();
      lp.rollbacks = in.number<std::uint64_t>();
      lp.rollbacks_caused = in.number<std::uint64_t>();
      lps.push_back(lp);
    }
    for (std::size_t n = in.length_of(1); n > 0; --n)
      if (std::string note = read_text(in); std::find(notes.begin(), notes.end(), note) == notes.end())
        notes.push_back(std::move(note));
    if (outcome.ranks.size() > 1) continue;
    outcome.wall_s = in.number<double>();
    outcome.gvt_rounds = in.number<std::uint64_t>();
    outcome.gvt_latency_s = in.number<double>();
    outcome.retreats = in.number<std::uint64_t>();
    read_rows(in, outcome.rounds);
  }
  outcome.lp_profile = std::move(lps);
  outcome.notes = std::move(notes);
  outcome.transport = hub_.transport().description();
  outcome.gvt_counts = rounds_->counts();
}

}  // namespace anachron::exec
