#include "run/commands/partition_command.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/parse.hpp>

#include "partition/clusters.hpp"
#include "partition/graph/graph_partition.hpp"
#include "partition/metis/metis.hpp"
#include "partition/partition.hpp"
#include "partition/partition_file.hpp"
#include "partition/profile/survey.hpp"
#include "partition/quality.hpp"
#include "run/files/output_file.hpp"
#include "run/options/settings.hpp"
#include "run/progress/progress_line.hpp"
#include "run/rank.hpp"
#include "run/report/format.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {

namespace {

using partition::Layout;
using partition::Profile;

struct PartitionOptions {
  std::optional<unsigned> parts;
  unsigned ranks = 1;
  std::optional<Time> profile_until;
  std::string out;
};

std::vector<GroupedOption> own_options(PartitionOptions& options) {
  std::vector<GroupedOption> all;
  const auto add = [&all](const auto&... facts) { all.push_back(own_option("Partition", facts...)); };
  const auto count = [](const std::string& name, const std::string& text) {
    const auto value = parse_value<unsigned>(name, text);
    if (value < 1 || value > kMostPes)
      throw bad_value(name, text, fmt::format("a number from 1 to {}", kMostPes));
    return value;
  };
  add("parts", "N", "Processing elements to deal to, of all ranks together", "as many as a run has",
      [&options, count](const std::string& text) { options.parts = count("parts", text); });
  add("ranks", "N", "Processes that they are in, as equally as can be", "1",
      [&options, count](const std::string& text) { options.ranks = count("ranks", text); });
  add("profile-until", "T", "Count what LPs do and send in a sequential run to this time",
      "as the model declares", [&options](const std::string& text) {
        const auto until = parse_value<Time>("profile-until", text);
        if (!(until > 0)) throw bad_value("profile-until", text, "a time above 0");
        options.profile_until = until;
      });
  add("out", "FILE", "Write the partition, for --partition FILE of a run", "",
      [&options](const std::string& text) { options.out = text; });
  return all;
}

/// A way to deal, and what it came to.
struct Dealt {
  std::string method;
  Owners owners;
};

class Partitioning {
 public:
  /// `chosen`: its partition is what the user wants to see.
  Partitioning(const Config& chosen, const PartitionOptions& options, Layout layout)
      : chosen_(chosen), options_(options), layout_(std::move(layout)) {}

  /// Throws as AnyModel::run. False: interrupted.
  bool run(AnyModel& model, bool quiet) {
    const auto survey = std::make_shared<partition::Survey>();
    survey->look = [this](const auto& types) { look(types); };
    if (options_.profile_until) survey->counted = [this](Profile profile) { profile_ = std::move(profile); };
    Config config = chosen_;
    config.sync = Sync::sequential;
    config.workers = config.pes = 1;
    config.partition = Partition::block;
    config.partition_file.clear();
    config.lookahead.reset();
    config.until = options_.profile_until.value_or(0);
    config.survey = survey;
    ProgressLine line(quiet ? ProgressLine::Mode::off : ProgressLine::Mode::automatic);
    const Report report = model.run(
        resolve(config, usable_cores()), [&](const Progress& now) { line.show(now); },
        InterruptGuard::requested);
    if (report.ending == Ending::interrupted) return false;
    if (is_by_graph()) deal_by_graph();
    return true;
  }

  std::string text() const {
    const bool has_ranks = layout_.ranks() > 1;
    std::string out = fmt::format(
        "{} LPs, {} links{}, {}\n{} parts{}\n\n{:<16} {:>14} {:>9} {:>14}{}\n", grouped(profile_.work.size()),
        grouped(profile_.sent.size()),
        profile_.spread.empty() ? ""
                                : fmt::format(" and {} to ranges of LPs", grouped(profile_.spread.size())),
        options_.profile_until ? fmt::format("counted until {}", format_real(*options_.profile_until))
                               : std::string("as declared"),
        layout_.pes(), has_ranks ? fmt::format(" on {} ranks", layout_.ranks()) : "", "partition", "edge cut",
        "balance", "to other PEs", has_ranks ? fmt::format(" {:>14}", "to other ranks") : "");
    for (const Dealt& dealt : dealt_) {
      const partition::Quality quality = partition::quality_of(profile_, dealt.owners, layout_);
      out += fmt::format("{:<16} {:>14} {:>9.3f} {:>14}{}\n", dealt.method, figure(quality.edge_cut),
                         quality.balance, percent(quality.remote),
                         has_ranks ? fmt::format(" {:>14}", percent(quality.between_ranks)) : "");
    }
    return out;
  }

  std::string file_text() const {
    return partition::to_text({.parts = layout_.pes(),
                               .lps = lps_,
                               .owners = dealt_.front().owners.of_lps(),
                               .profile = options_.profile_until ? std::optional(profile_) : std::nullopt});
  }

 private:
  bool is_from_file() const { return !chosen_.partition_file.empty(); }
  bool is_by_graph() const { return !is_from_file() && chosen_.partition == Partition::metis; }

  /// What can be done only while the LP types are there.
  void look(const std::vector<event::LpTypeEntry>& types) {
    lps_ = partition::lp_counts(types);
    clusters_.emplace(types);
    if (!options_.profile_until) profile_ = partition::declared_profile(types);
    if (!is_by_graph())
      dealt_.push_back({is_from_file() ? "file" : std::string(to_string(chosen_.partition)),
                        partition::deal(chosen_, types, layout_).owners});
    for (const Partition kind : {Partition::block, Partition::random}) {
      if (!is_from_file() && kind == chosen_.partition) continue;
      Config other = chosen_;
      other.partition = kind;
      other.partition_file.clear();
      dealt_.push_back({std::string(to_string(kind)), partition::deal(other, types, layout_).owners});
    }
  }

  /// In front of the others; where there are ranks, with the other number of levels beside it.
  void deal_by_graph() {
    std::vector<Levels> levels{chosen_.levels};
    if (levels.front() == Levels::automatic) levels.front() = layout_.ranks() > 1 ? Levels::two : Levels::one;
    if (layout_.ranks() > 1) levels.push_back(levels.front() == Levels::two ? Levels::one : Levels::two);
    std::vector<Dealt> all;
    for (const Levels each : levels)
      all.push_back(
          {layout_.ranks() > 1 ? fmt::format("metis --levels {}", to_string(each)) : "metis",
           Owners(partition::partition_profile(profile_, *clusters_, layout_, each, chosen_.seed))});
    dealt_.insert(dealt_.begin(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  }

  const Config& chosen_;
  const PartitionOptions& options_;
  const Layout layout_;
  std::vector<partition::LpCount> lps_;
  std::optional<partition::Clusters> clusters_;
  Profile profile_;
  std::vector<Dealt> dealt_;  // the first: as chosen
};

}  // namespace

Status partition_model(AnyModel& model, const Invocation& invocation,
                       std::span<const std::string> arguments) {
  require_one_process("partition");
  Settings settings(model);
  PartitionOptions options;
  if (!settings.read({"partition", "its LPs dealt to processing elements", own_options(options)}, invocation,
                     arguments))
    return Status::ok;

  try {
    Config chosen = settings.options().config;
    const auto& set = settings.set_engine_options();
    if (std::find(set.begin(), set.end(), "partition") == set.end()) chosen.partition = Partition::metis;
    if (chosen.partition_file.empty() && chosen.partition == Partition::metis) partition::require_metis();
    const unsigned parts = options.parts ? *options.parts : *resolve(chosen, usable_cores()).pes;
    if (parts < 2) throw bad_value("parts", std::to_string(parts), "at least 2");
    if (options.ranks > parts)
      throw bad_value("ranks", std::to_string(options.ranks),
                      fmt::format("at most as many as --parts ({})", parts));
    std::optional<OutputFile> out;
    if (!options.out.empty()) out.emplace("out", options.out);

    Partitioning partitioning(chosen, options, Layout::of(parts, options.ranks));
    if (!partitioning.run(model, settings.options().quiet) || InterruptGuard::requested())
      return Status::interrupted;
    InterruptGuard::let_end();
    if (out) out->write(partitioning.file_text());
    if (!settings.options().quiet) print(partitioning.text());
    return Status::ok;
  } catch (const InputError& error) {
    throw settings.located(error);
  }
}

}  // namespace anachron
