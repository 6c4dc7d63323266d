#include "run/options/settings.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/suggest.hpp>

#include "run/options/config_file.hpp"
#include "run/rank.hpp"
#include "run/report/fingerprint.hpp"

namespace anachron {

namespace {

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

}  // namespace

Settings::Settings(AnyModel& model, const Config& defaults) : model_(model), model_options_(model.options()) {
  options_.config = defaults;
  options_.config.until = model.default_until().value_or(defaults.until);
  const auto engine = engine_options(options_);
  engine_ = options_of(engine);
  check_names(model.name(), model_options_, engine_);
  for (const Option& option : model_options_) all_.push_back({fmt::format("Model {}", model.name()), option});
  all_.insert(all_.end(), engine.begin(), engine.end());
}

std::vector<std::pair<std::string, std::string>> Settings::model_inputs() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Option& option : model_options_)
    if (!option.is_output_file)  // of an enumeration no value is a file, whatever its name
      out.emplace_back(option.name, option.choices.empty() ? fingerprint(option.text()) : option.text());
  return out;
}

std::vector<std::pair<std::string, std::string>> Settings::model_options() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Option& option : model_options_) out.emplace_back(option.name, option.text());
  return out;
}

std::vector<GroupedOption> Settings::options_beside(const ModelCommand& command) const {
  const auto& own = command.own;
  std::vector<GroupedOption> all = own;
  for (const GroupedOption& option : all_) {
    if (is_for_one_run(option.option)) continue;
    if (std::any_of(own.begin(), own.end(),
                    [&](const auto& o) { return o.option.name == option.option.name; }))
      throw std::logic_error(
          fmt::format("model '{}': its option --{} is named like one of the command '{}': rename it",
                      model_.name(), option.option.name, command.name));
    all.push_back(option);
  }
  return all;
}

void Settings::set(const Arguments& arguments, const Invocation& invocation) {
  given_ = arguments.values;
  for (const auto& [name, text] : arguments.values)
    if (name == kConfigOption) apply_file(text, invocation);
  for (const auto& [name, text] : arguments.values) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const auto& o) { return o.option.name == name; });
    if (found != all_.end()) found->option.set(text);
    places_.erase(name);
    note_as_set(name);
  }
}

bool Settings::read(const ModelCommand& command, const Invocation& invocation,
                    std::span<const std::string> arguments) {
  const auto all = options_beside(command);
  const Arguments given = parse_arguments(all, arguments, invocation.usage + " --help");
  if (given.help) {
    print(help_text(all, fmt::format("{}: {}", model_.name(), command.summary), invocation.usage) +
          command.more + invocation.commands);
    return false;
  }
  set(given, invocation);
  for (const auto& [name, text] : given.values)
    for (const auto& [group, option] : command.own)
      if (option.name == name) option.set(text);
  return true;
}

InputError Settings::located(const InputError& error) const {
  const std::string_view what = error.what();
  if (!what.starts_with("--")) return error;
  const std::string_view name = what.substr(2, what.find_first_of(": ", 2) - 2);
  const auto place = places_.find(name);
  return place == places_.end() ? error : InputError(fmt::format("{}: {}", place->second, what));
}

void Settings::note_as_set(const std::string& name) {
  const bool is_engines =
      std::any_of(engine_.begin(), engine_.end(), [&](const Option& option) { return option.name == name; });
  auto& set = set_engine_options_;
  if (is_engines && std::find(set.begin(), set.end(), name) == set.end()) set.push_back(name);
}

void Settings::apply_file(const std::string& path, const Invocation& invocation) {
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
  const auto apply_all = [this](const std::vector<Setting>& settings, const std::vector<Option>& options,
                                const std::string& what) {
    apply(settings, options, what);
    for (const Setting& setting : settings) places_.insert_or_assign(setting.name, setting.where);
  };
  apply_all(file.engine, allowed, "engine option");
  for (const Setting& setting : file.engine) note_as_set(setting.name);
  for (const ConfigTable& table : file.tables) {
    if (table.name == model_.name() || table.name == "model")
      apply_all(table.settings, model_options_, fmt::format("option of model '{}'", model_.name()));
    else if (!known(table.name))  // another model's table is none of our business
      throw InputError(fmt::format("{}: table [{}] names no model{} (valid: model, {})", table.where,
                                   table.name, did_you_mean(table.name, models), fmt::join(models, ", ")));
  }
}

RunOptions options_of_rank(const Settings& settings) {
  RunOptions options = settings.options();
  if (own_rank() > 0) {
    if (options.quiet && !options.heartbeat) options.heartbeat = 0;
    options.quiet = true;
    options.report_file.clear();
    options.out_folder.clear();
    options.plot_folder.clear();
    options.live.clear();
  }
  for (auto& [name, value] : settings.model_options())
    options.config.model_options.emplace_back("--" + name, std::move(value));
  return options;
}

}  // namespace anachron
