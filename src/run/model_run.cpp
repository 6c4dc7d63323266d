#include "run/model_run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/suggest.hpp>
#include <anachron/base/version.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>

#include "run/command_line.hpp"
#include "run/config_file.hpp"
#include "run/engine_options.hpp"
#include "run/interrupt.hpp"
#include "run/output_file.hpp"
#include "run/progress_line.hpp"
#include "run/table_csv.hpp"

namespace anachron {

namespace {

constexpr std::string_view kStandardOutput = "-";

std::vector<Option> options_of(const std::vector<GroupedOption>& grouped) {
  std::vector<Option> out;
  for (const auto& [group, option] : grouped) out.push_back(option);
  return out;
}

void check_names(const std::string& model, const std::vector<Option>& model_options,
                 const std::vector<Option>& engine) {
  std::map<std::string, std::string> taken{{"help", "the command line's"}, {"version", "the command line's"}};
  for (const Option& option : engine) taken[option.name] = fmt::format("the engine's ({})", option.help);
  for (const Option& option : model_options) {
    const auto [other, added] =
        taken.emplace(option.name, fmt::format("another one of the model's ({})", option.help));
    if (!added)
      throw std::logic_error(fmt::format("model '{}': its option --{} ({}) is named like {}: rename one",
                                         model, option.name, option.help, other->second));
  }
}

/// The options of a run and what they are set to.
class Settings {
 public:
  explicit Settings(AnyModel& model) : model_(model), model_options_(model.options()) {
    options_.config.until = model.default_until().value_or(kForever);
    const auto engine = engine_options(options_);
    engine_ = options_of(engine);
    check_names(model.name(), model_options_, engine_);
    for (const Option& option : model_options_)
      all_.push_back({fmt::format("Model {}", model.name()), option});
    all_.insert(all_.end(), engine.begin(), engine.end());
  }
  Settings(const Settings&) = delete;  // engine_ points into options_
  Settings& operator=(const Settings&) = delete;

  const std::vector<GroupedOption>& all() const { return all_; }
  const RunOptions& options() const { return options_; }

  std::vector<std::pair<std::string, std::string>> model_options() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const Option& option : model_options_) out.emplace_back(option.name, option.text());
    return out;
  }

  /// The file first, so that the command line wins.
  void set(const Arguments& arguments, const Invocation& invocation) {
    for (const auto& [name, text] : arguments.values)
      if (name == kConfigOption) apply_file(text, invocation);
    for (const auto& [name, text] : arguments.values) {
      const auto found =
          std::find_if(all_.begin(), all_.end(), [&](const auto& o) { return o.option.name == name; });
      found->option.set(text);
    }
  }

 private:
  void apply_file(const std::string& path, const Invocation& invocation) {
    const ConfigFile file = read_config_file(path);
    const auto& models = invocation.models;
    const auto known = [&](const std::string& name) {
      return std::find(models.begin(), models.end(), name) != models.end();
    };
    if (file.model && !known(file.model->text))
      throw InputError(fmt::format("{}: model: '{}' is no model{} (valid: {})", file.model->where,
                                   file.model->text, did_you_mean(file.model->text, models),
                                   fmt::join(models, ", ")));

    std::vector<Option> allowed = engine_;
    std::erase_if(allowed, [](const Option& option) { return option.name == kConfigOption; });
    apply(file.engine, allowed, "engine option");
    for (const ConfigTable& table : file.tables) {
      if (table.name == model_.name() || table.name == "model")
        apply(table.settings, model_options_, fmt::format("option of model '{}'", model_.name()));
      else if (!known(table.name))  // another model's table is none of our business
        throw InputError(fmt::format("{}: table [{}] names no model{} (valid: model, {})", table.where,
                                     table.name, did_you_mean(table.name, models), fmt::join(models, ", ")));
    }
  }

  AnyModel& model_;
  RunOptions options_;
  std::vector<Option> model_options_, engine_;
  std::vector<GroupedOption> all_;
};

/// The files of a run. Made before it, so that an hour's results are not lost to a wrong path.
class Outputs {
 public:
  explicit Outputs(const RunOptions& options)
      : quiet_(options.quiet),
        report_on_stdout_(options.report_file == kStandardOutput),
        folder_(options.out_folder) {
    if (!options.report_file.empty() && !report_on_stdout_) report_.emplace("report", options.report_file);
    if (!folder_.empty()) prepare_folder("out", folder_);
  }

  /// Writes all that can be written, then throws the first error.
  void write(const Report& report) const {
    const Machine machine = this_machine();
    std::exception_ptr failure;
    const auto attempt = [&failure](const auto& action) {
      try {
        action();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    };
    if (report_) attempt([&] { report_->write(report_json(report, machine)); });
    if (!folder_.empty())
      for (const auto& [name, table] : report.results.tables())
        attempt([&, &rows = table, &title = name] {
          OutputFile("out", folder_ / table_file_name(title)).write(table_csv(rows));
        });
    if (report_on_stdout_)
      attempt([&] { print(report_json(report, machine)); });
    else if (!quiet_)
      attempt([&] { print(report_text(report, machine)); });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  bool quiet_, report_on_stdout_;
  std::optional<OutputFile> report_;
  std::filesystem::path folder_;
};

Status simulate(AnyModel& model, const Settings& settings) {
  const RunOptions& options = settings.options();
  const Config config = resolve(options.config, usable_cores());
  const Outputs outputs(options);

  const InterruptGuard guard;
  Report report;
  {
    ProgressLine line(options.quiet ? ProgressLine::Mode::off : ProgressLine::Mode::automatic);
    ProgressCallback progress;
    if (line.enabled()) progress = [&line](const Progress& now) { line.show(now); };
    report = model.run(config, progress, InterruptGuard::requested);
  }
  report.model_options = settings.model_options();
  outputs.write(report);
  return report.ending == Ending::interrupted ? Status::interrupted : Status::ok;
}

}  // namespace

Status run_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments) {
  Settings settings(model);
  const Arguments given = parse_arguments(settings.all(), arguments, invocation.usage + " --help");
  if (given.help) {
    const std::string& summary = model.summary();
    const std::string title = summary.empty() ? model.name() : fmt::format("{}: {}", model.name(), summary);
    print(help_text(settings.all(), title, invocation.usage));
    return Status::ok;
  }
  if (given.version) {
    print(fmt::format("Anachron {}\n", kVersion));
    return Status::ok;
  }
  settings.set(given, invocation);
  return simulate(model, settings);
}

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  const int error = errno;
  std::clearerr(stdout);
  if (error != EPIPE)
    throw std::runtime_error(
        fmt::format("cannot write to standard output: {}", std::generic_category().message(error)));
}

}  // namespace anachron
