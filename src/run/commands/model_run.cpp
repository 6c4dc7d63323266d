#include "run/commands/model_run.hpp"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/version.hpp>
#include <anachron/run/pictures.hpp>
#include <anachron/run/report_html.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>

#include "run/checkpoint/checkpoint_options.hpp"
#include "run/files/output_file.hpp"
#include "run/live/live_view.hpp"
#include "run/options/command_line.hpp"
#include "run/options/duration.hpp"
#include "run/options/settings.hpp"
#include "run/options/without_effect.hpp"
#include "run/progress/heartbeat.hpp"
#include "run/progress/progress_line.hpp"
#include "run/rank.hpp"
#include "run/replicate/replicate.hpp"
#include "run/report/table_csv.hpp"
#include "run/signals/checkpoint_signal.hpp"
#include "run/signals/endless_handler.hpp"
#include "run/signals/interrupt.hpp"
#include "run/traces/traces.hpp"

namespace anachron {

namespace {

constexpr std::string_view kStandardOutput = "-";

bool is_html_page(const std::filesystem::path& report) {
  return report.extension() == ".html" || report.extension() == ".htm";
}

/// The files of a run. Made before it, so that an hour's results are not lost to a wrong path.
class Outputs {
 public:
  explicit Outputs(const RunOptions& options)
      : quiet_(options.quiet),
        detail_(options.verbose ? Detail::verbose : Detail::brief),
        report_on_stdout_(options.report_file == kStandardOutput),
        is_page_(is_html_page(options.report_file)),
        folder_(options.out_folder),
        plot_folder_(options.plot_folder) {
    if (!options.report_file.empty() && !report_on_stdout_) report_.emplace("report", options.report_file);
    if (!folder_.empty()) prepare_folder("out", folder_);
    if (!plot_folder_.empty()) prepare_folder("plot", plot_folder_);
  }

  /// Writes all that can be written, then throws the first error.
  void write(const Report& report, const Pictures& pictures) const {
    const Machine machine = this_machine();
    std::exception_ptr failure;
    const auto attempt = [&failure](const auto& action) {
      try {
        action();
      } catch (const InputError& error) {  // no bad input any more: it was good for the run
        if (!failure) failure = std::make_exception_ptr(std::runtime_error(error.what()));
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    };
    if (report_)
      attempt([&] {
        report_->write(is_page_ ? report_html(report, machine, draw_pictures(report))
                                : report_json(report, machine));
      });
    if (!folder_.empty())
      for (const auto& [name, table] : report.results.tables())
        attempt([&, &rows = table, &title = name] {
          OutputFile("out", folder_ / table_file_name(title)).write(table_csv(rows));
        });
    for (const Picture& picture : pictures.all)
      attempt([&] { OutputFile("plot", plot_folder_ / (picture.name + ".svg")).write(picture.svg); });
    if (report_on_stdout_)
      attempt([&] { print(report_json(report, machine)); });
    else if (!quiet_)
      attempt([&] { print(report_text(report, machine, detail_)); });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  bool quiet_;
  Detail detail_;
  bool report_on_stdout_, is_page_;
  std::optional<OutputFile> report_;
  std::filesystem::path folder_, plot_folder_;
};

void show_notes(const std::string& program, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::fputs(fmt::format("{}: {}\n", program, note).c_str(), stderr);
}

/// Null: none was asked for. `config`: of the run, which the view is to pause. Its address is told with
/// --quiet, too, since nobody gets in without the token.
std::unique_ptr<live::LiveView> open_live_view(const RunOptions& options, const std::string& model,
                                               Config& config) {
  if (options.live.empty()) return nullptr;
  auto view = std::make_unique<live::LiveView>(
      live::parse_address(options.live), model,
      live::LiveView::Actions{.end = InterruptGuard::request, .stop = InterruptGuard::end_without_report});
  config.paused = [&view = *view] { return view.is_paused(); };
  std::fputs(fmt::format("live view: {}\n", view->url()).c_str(), stderr);
  return view;
}

/// One run of a model: what comes before it, and what becomes of its report.
class ModelRun {
 public:
  ModelRun(AnyModel& model, const Settings& settings, const std::string& program);

  Status run();

 private:
  Report simulate();
  Status write(Report report);
  void add_pictures(Report& report, Pictures& pictures);
  void add_late_notes(Report& report, bool nothing_to_draw);
  void say(const std::string& what) const { say_all({what}); }
  void say_all(const std::vector<std::string>& notes) const {
    if (!options_.quiet) show_notes(program_, notes);
  }

  AnyModel& model_;
  const Settings& settings_;
  const std::string program_;
  RunOptions options_;
  Config config_;
  RanksAtWork ranks_;  // the others will wait for rank 0, which alone has files to make
  const Outputs outputs_;
  Traces traces_;
  std::unique_ptr<live::LiveView> live_;
  std::optional<CheckpointSignal> checkpoint_signal_;
  std::vector<std::string> notes_;
};

RunOptions options_of_run(const Settings& settings, const std::string& model) {
  RunOptions options = options_of_rank(settings);
  options.config.checkpoint = checkpoint_options(options);
  options.config.checkpoint.asked = CheckpointSignal::take;
  add_origin(options.config.checkpoint, settings, model);
  return options;
}

ModelRun::ModelRun(AnyModel& model, const Settings& settings, const std::string& program)
    : model_(model),
      settings_(settings),
      program_(program),
      options_(options_of_run(settings, model.name())),
      config_(resolve(over_ranks(options_.config), usable_cores())),
      ranks_(config_),
      outputs_(options_),
      traces_(options_, config_, [this](const std::string& what) { say(what); }) {
  config_.checkpoint.failed =
      [this](const std::string& why) {  // with --quiet, too: who relies on it must know
        show_notes(program_, {fmt::format("no checkpoint was written: {}; the run goes on", why)});
      };
  live_ = open_live_view(options_, model.name(), config_);
  if (!config_.checkpoint.folder.empty()) checkpoint_signal_.emplace();
  ranks_.succeeded();
  notes_ = notes_on_options(settings.set_engine_options(), {config_, model.may_stop()});
  say_all(notes_);  // before the run, which may take long
}

Status ModelRun::run() try { return write(simulate()); } catch (const FinishError& error) {
  Report report = error.report();
  report.model = model_.name();
  write(std::move(report));
  throw;
} catch (...) {
  traces_.close_after_failure();
  throw;
}

Report ModelRun::simulate() {
  ProgressLine line(options_.quiet ? ProgressLine::Mode::off : ProgressLine::Mode::automatic);
  EndlessHandler endless(program_, line);
  HeartbeatLines heartbeat(
      program_, {options_.heartbeat, options_.quiet, duration_option("max-stall", options_.max_stall)}, line);
  const auto progress = [&](const Progress& now) {
    if (live_) live_->show(now);
    line.show(now);
    heartbeat.show(now);
    endless.look(now);
  };
  return model_.run(config_, progress, InterruptGuard::requested);
}

Status ModelRun::write(Report report) {
  InterruptGuard::let_end();
  if (live_) live_->end(to_string(report.ending));
  traces_.close();
  report.model_options = settings_.model_options();
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  Pictures pictures;
  add_pictures(report, pictures);
  const bool is_interrupted = report.ending == Ending::interrupted;
  if (!is_interrupted) add_late_notes(report, pictures.all.empty() && pictures.notes.empty());
  outputs_.write(report, pictures);
  if (const std::string note = resume_note(report); !note.empty() && is_interrupted) say(note);
  if (!is_interrupted) return Status::ok;
  return report.is_out_of_time ? Status::out_of_time : Status::interrupted;
}

void ModelRun::add_pictures(Report& report, Pictures& pictures) {
  if (!options_.plot_folder.empty()) pictures = draw_pictures(report);
  report.notes.insert(report.notes.end(), pictures.notes.begin(), pictures.notes.end());
  say_all(pictures.notes);
}

void ModelRun::add_late_notes(Report& report, bool nothing_to_draw) {
  const auto late = notes_on_results(settings_.set_engine_options(),
                                     {config_, model_.may_stop(), &report.results, nothing_to_draw});
  report.notes.insert(report.notes.end(), late.begin(), late.end());
  say_all(late);
}

}  // namespace

Status run_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments) {
  Settings settings(model);
  const Arguments given = parse_arguments(settings.all(), arguments, invocation.usage + " --help");
  if (given.help) {
    const std::string& summary = model.summary();
    const std::string title = summary.empty() ? model.name() : fmt::format("{}: {}", model.name(), summary);
    print(help_text(settings.all(), title, invocation.usage) + invocation.commands);
    return Status::ok;
  }
  if (given.version) {
    print(fmt::format("Anachron {}\n", kVersion));
    return Status::ok;
  }
  settings.set(given, invocation);
  try {
    const RunOptions& options = settings.options();
    if (!options.precision && !options.precision_of.empty())
      throw bad_value("precision-of", options.precision_of, "a figure with --precision only");
    const bool is_replicated = options.replications.value_or(1) != 1 || options.precision;
    if (is_replicated && (!options.checkpoint_folder.empty() || !options.resume_folder.empty()))
      throw InputError("checkpoints are of one run: leave --checkpoint and --resume out with --replications");
    if (is_replicated && is_html_page(options.report_file))
      throw bad_value("report", options.report_file, "a file for JSON with --replications");
    if (!options.live.empty() && is_replicated)
      throw InputError("--live shows one run: leave it out with --replications");
    if (options.verbose && (is_replicated || options.quiet))
      throw InputError(fmt::format("--verbose says what the engine did in one run: leave it out with {}",
                                   is_replicated ? "--replications" : "--quiet"));
    if (is_replicated) return replicate(model, settings, invocation.program);
    return ModelRun(model, settings, invocation.program).run();
  } catch (const InputError& error) {
    throw settings.located(error);
  }
}

void print(std::string_view text) {
  if (own_rank() > 0) return;  // all ranks would say the same
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  const int error = errno;
  std::clearerr(stdout);
  if (error != EPIPE)
    throw std::runtime_error(
        fmt::format("cannot write to standard output: {}", std::generic_category().message(error)));
}

}  // namespace anachron
