#include "run/options/command_line.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/suggest.hpp>

namespace anachron {

namespace {

constexpr std::size_t kNameColumns = 34, kHelpColumns = 76;

std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > 0) {
      const bool fits = column + 1 + length <= kHelpColumns;
      out += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    out.append(text, at, length);
    column += length;
    at = end + 1;
  }
  return out;
}

std::string description(const Option& option) {
  const bool off = option.is_switch() && option.default_text == "false";  // goes without saying
  if (option.default_text.empty() || off) return wrapped(option.help);
  return wrapped(fmt::format("{}{}[{}]", option.help, option.help.empty() ? "" : " ", option.default_text));
}

void add_options(CLI::App& app, const std::vector<GroupedOption>& options) {
  app.set_help_flag();
  app.allow_extras();
  app.get_formatter()->column_width(kNameColumns);
  app.get_formatter()->label("OPTIONS", "options");
  for (const auto& [group, option] : options) {
    const std::string flag = "--" + option.name, help = description(option);
    CLI::Option* const added = option.is_switch() ? app.add_flag(flag, help) : app.add_option(flag, help);
    added->group(group)->multi_option_policy(option.is_list ? CLI::MultiOptionPolicy::TakeAll
                                                            : CLI::MultiOptionPolicy::TakeLast);
    if (!option.is_switch()) added->type_name(option.hint);
    if (option.may_be_bare) added->expected(0, 1);
  }
  const std::string help_help = "Print this", version_help = "Print the version";
  app.add_flag("-h,--help", help_help)->group("Other");
  app.add_flag("--version", version_help)->group("Other");
}

InputError unexpected(const std::string& argument, const std::vector<GroupedOption>& options,
                      const std::string& help_command) {
  if (!argument.starts_with('-') || argument == "--" || argument == "-")
    return InputError(
        fmt::format("unexpected argument '{}': options have the form --NAME VALUE ('{}' lists them)",
                    argument, help_command));
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names{"--help", "--version"};
  for (const auto& [group, option] : options) names.push_back("--" + option.name);
  const std::string dashed = "--" + name.substr(std::min(name.find_first_not_of('-'), name.size()));
  return InputError(fmt::format("unknown option '{}'{} ('{}' lists the valid ones)", name,
                                did_you_mean(dashed, names), help_command));
}

InputError missing_value(const Option& option) {
  return InputError(
      fmt::format("--{}: the value is missing: expected --{} {}", option.name, option.name, option.hint));
}

}  // namespace

Arguments parse_arguments(const std::vector<GroupedOption>& options, std::span<const std::string> arguments,
                          const std::string& help_command) {
  CLI::App app;
  add_options(app, options);
  // CLI11 takes `--name=` followed by another argument for `--name ARGUMENT`, and the last argument without a
  // value for an error that does not say what the value looks like.
  for (const auto& [group, option] : options) {
    if (option.is_switch()) continue;
    const std::string flag = "--" + option.name;
    for (const std::string& argument : arguments)
      if (argument == flag + "=" ||
          (argument == flag && &argument == &arguments.back() && !option.may_be_bare))
        throw missing_value(option);
  }

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  Arguments out;
  out.help = app.count("--help") > 0;
  out.version = app.count("--version") > 0;
  if (out.help || out.version) return out;
  if (const auto extras = app.remaining(); !extras.empty())
    throw unexpected(extras.front(), options, help_command);

  for (const auto& [group, option] : options) {
    const auto results = app.get_option("--" + option.name)->results();
    if (results.empty()) continue;
    // `--report --quiet`: the value was forgotten. A negative number has one dash.
    if (!option.is_switch() && results.back().starts_with("--")) throw missing_value(option);
    if (option.may_be_bare && results.back().empty()) {
      out.values.emplace_back(option.name, "true");
      continue;
    }
    out.values.emplace_back(option.name,
                            option.is_list ? fmt::format("{}", fmt::join(results, ",")) : results.back());
  }
  return out;
}

std::string help_text(const std::vector<GroupedOption>& options, const std::string& description,
                      const std::string& usage) {
  CLI::App app(description, usage);
  add_options(app, options);
  std::string text = app.help();
  // CLI11 separates groups by two empty lines and ends with one.
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace anachron
