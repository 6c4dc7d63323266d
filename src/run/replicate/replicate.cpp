#include "run/replicate/replicate.hpp"

#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <anachron/run/pictures.hpp>
#include <anachron/run/replications.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>

#include "run/files/output_file.hpp"
#include "run/options/without_effect.hpp"
#include "run/progress/progress_line.hpp"
#include "run/rank.hpp"
#include "run/report/table_csv.hpp"
#include "run/report/text/precision_text.hpp"
#include "run/signals/endless_handler.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {

namespace {

constexpr std::string_view kStandardOutput = "-";

/// The files, made before the runs.
class Outputs {
 public:
  explicit Outputs(const RunOptions& options)
      : options_(options), folder_(options.out_folder), plot_folder_(options.plot_folder) {
    if (!options.report_file.empty() && options.report_file != kStandardOutput)
      report_.emplace("report", options.report_file);
    if (!folder_.empty()) prepare_folder("out", folder_);
    if (!plot_folder_.empty()) prepare_folder("plot", plot_folder_);
  }

  void write(const Replications& replications) const {
    const bool prints_json = options_.report_file == kStandardOutput;
    if (report_) report_->write(replications_json(replications, this_machine()));
    if (!folder_.empty()) write_tables(replications);
    if (!plot_folder_.empty()) write_pictures(replications);
    if (prints_json)
      print(replications_json(replications, this_machine()));
    else if (!options_.quiet)
      print(replications_text(replications));
  }

 private:
  void write_tables(const Replications& replications) const {
    OutputFile("out", folder_ / "replications.csv").write(table_csv(replications.table()));
    for (const Report& report : replications.reports) {
      if (report.results.tables().empty()) continue;
      const auto folder = folder_ / fmt::format("seed-{}", report.config.seed);
      prepare_folder("out", folder);
      for (const auto& [name, table] : report.results.tables())
        OutputFile("out", folder / table_file_name(name)).write(table_csv(table));
    }
  }

  /// A folder for each seed.
  void write_pictures(const Replications& replications) const {
    for (const Report& report : replications.reports) {
      const Pictures pictures = draw_pictures(report);
      if (pictures.all.empty()) continue;
      const auto folder = plot_folder_ / fmt::format("seed-{}", report.config.seed);
      prepare_folder("plot", folder);
      for (const Picture& picture : pictures.all)
        OutputFile("plot", folder / (picture.name + ".svg")).write(picture.svg);
    }
  }

  const RunOptions& options_;
  const std::filesystem::path folder_, plot_folder_;
  std::optional<OutputFile> report_;
};

/// "12 of 100 replications" on a terminal.
class Counter {
 public:
  /// `most`: what stands before the number, which there may be less of.
  Counter(unsigned n, std::string_view most, bool quiet)
      : n_(n), most_(most), is_shown_(!quiet && is_on_terminal()) {}
  ~Counter() {
    if (is_shown_) std::fputs("\r\x1b[K", stderr);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  void show(unsigned done) const {
    if (is_shown_)
      std::fputs(fmt::format("\r{} of {}{} replications\x1b[K", done, most_, n_).c_str(), stderr);
  }

 private:
  const unsigned n_;
  const std::string_view most_;
  const bool is_shown_;
};

}  // namespace

Status replicate(AnyModel& model, const Settings& settings, const std::string& program) {
  const RunOptions options = options_of_rank(settings);
  const unsigned n = options.replications.value_or(options.precision ? Precision::kMost : 1);
  const auto first = model.copy();
  auto plan = detail::plan_replications(n, options.config, first ? n : 1);
  if (options.precision) {
    plan.precision = {*options.precision, options.precision_of};
    detail::check_precision(*plan.precision, n);
  }
  RanksAtWork ranks(plan.config);  // the others will wait for rank 0, which alone has files to make
  const Outputs outputs(options);
  ranks.succeeded();
  const auto notes = notes_on_options(settings.set_engine_options(), {plan.config, model.may_stop()});
  if (!options.quiet)
    for (const std::string& note : notes) std::fputs(fmt::format("{}: {}\n", program, note).c_str(), stderr);

  std::vector<detail::ReplicationRun> runs;
  for (unsigned lane = 0; lane < plan.side_by_side; ++lane) {
    const std::shared_ptr<AnyModel> own = first ? first->copy() : nullptr;
    runs.push_back([&program, &model, own](const Config& config, const std::function<bool()>& ends) {
      ProgressLine no_line(ProgressLine::Mode::off);
      EndlessHandler endless(program, no_line);
      const auto look = [&endless](const Progress& now) { endless.look(now); };
      return (own ? *own : model).run(config, look, ends);
    });
  }
  const auto write = [&](Replications& found) {
    InterruptGuard::let_end();
    if (const std::string missed = precision_note(found); !missed.empty() && !options.quiet)
      std::fputs(fmt::format("{}: {}\n", program, missed).c_str(), stderr);
    for (Report& report : found.reports) {
      report.model_options = settings.model_options();
      report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    }
    outputs.write(found);
  };
  Replications found;
  {
    std::optional<Counter> counter(std::in_place, n, plan.precision ? "at most " : "", options.quiet);
    found = detail::run_replications(
        n, plan, std::move(runs), [&counter](unsigned done) { counter->show(done); },
        InterruptGuard::requested,
        [&](Replications so_far) {
          counter.reset();
          try {
            write(so_far);
          } catch (const std::exception& error) {  // the failure is told, too
            std::fputs(fmt::format("{}: {}\n", program, error.what()).c_str(), stderr);
          }
        });
  }
  write(found);
  return found.is_interrupted() ? Status::interrupted : Status::ok;
}

}  // namespace anachron
