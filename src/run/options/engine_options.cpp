#include "run/options/engine_options.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/parse.hpp>

namespace anachron {

namespace {

template <class Enum>
std::vector<std::string> spellings() {
  std::vector<std::string> names;
  for (const auto& [name, value] : Spelling<Enum>::names) names.emplace_back(name);
  return names;
}

std::uint64_t parse_bytes(const OptionFacts& facts, const std::string& text) {
  constexpr std::uint64_t kLeastMemory = 64 << 10;  // less is a slip
  const std::uint64_t bytes = detail::named(facts.name, [&text] { return parse_size(text); });
  if (facts.name == "memory" && bytes < kLeastMemory)
    throw bad_value(facts.name, text, fmt::format("at least {}", format_size(kLeastMemory)));
  return bytes;
}

template <class T>
T parse_option(const OptionFacts& facts, const std::string& text) {
  if constexpr (is_optional_value<T>) {
    if (text == kAuto) return std::nullopt;
    return parse_option<typename T::value_type>(facts, text);
  } else if constexpr (std::is_enum_v<T>) {
    for (const auto& [spelling, value] : Spelling<T>::names)
      if (spelling == text) return value;
    throw bad_choice(facts.name, text, spellings<T>());
  } else if constexpr (std::is_same_v<T, std::vector<TracedLps>>) {
    return parse_traced_lps(text);
  } else {
    if constexpr (std::is_same_v<T, Time>)
      if (facts.form == ValueForm::time && text == "inf") return kForever;
    if constexpr (std::is_same_v<T, std::uint64_t>)
      if (facts.form == ValueForm::size) return parse_bytes(facts, text);
    return parse_value<T>(facts.name, text);
  }
}

template <class T>
std::vector<std::string> choices() {
  if constexpr (is_optional_value<T>)
    return choices<typename T::value_type>();
  else if constexpr (std::is_enum_v<T>)
    return spellings<T>();
  else
    return {};
}

/// The option of a row, bound to `target`: an enumeration, a number, a text or a switch. Where it is
/// optional, "auto" leaves the choice to the engine.
template <class T>
Option bound(const OptionFacts& facts, T& target) {
  Option option;
  option.name = facts.name;
  option.help = facts.help;
  option.choices = choices<T>();
  option.hint =
      option.choices.empty() ? std::string(facts.hint) : fmt::format("{}", fmt::join(option.choices, "|"));
  option.may_be_bare = facts.may_be_bare;
  option.is_list = std::is_same_v<T, std::vector<TracedLps>>;
  option.set = [facts, &target](const std::string& text) { target = parse_option<T>(facts, text); };
  option.text = [facts, &target] { return option_text(facts, target); };
  if (!facts.default_text.empty())
    option.default_text = facts.default_text;
  else if (!option.is_switch())
    option.default_text = option.text();
  return option;
}

Option partition_option(const OptionFacts& facts, Config& config) {
  Option option = bound(facts, config.partition);
  option.hint += "|FILE";
  option.set = [facts, &config](const std::string& text) {
    if (names_partition_file(text)) {
      config.partition_file = text;
      return;
    }
    std::vector<std::string> valid = spellings<Partition>();
    valid.emplace_back("the path of a file, as ./FILE");
    if (std::find(valid.begin(), valid.end(), text) == valid.end())
      throw bad_choice("partition", text, valid);
    config.partition = parse_option<Partition>(facts, text);
    config.partition_file.clear();
  };
  option.text = [facts, &config] {
    return config.partition_file.empty() ? option_text(facts, config.partition) : config.partition_file;
  };
  return option;
}

std::string title(OptionGroup group) {
  switch (group) {
    case OptionGroup::experiment:
      return "Experiment (what is simulated)";
    case OptionGroup::engine:
      break;
    case OptionGroup::ranks:
      return "Ranks (of a program that mpirun has started)";
    case OptionGroup::files:
      return "Input and output";
    case OptionGroup::testing:
      return "Testing";
  }
  return "Engine (speed only, never the results)";
}

}  // namespace

GroupedOption own_option(std::string group, std::string name, std::string hint, std::string help,
                         std::string default_text, std::function<void(const std::string&)> set) {
  Option option;
  option.name = std::move(name);
  option.help = std::move(help);
  option.hint = std::move(hint);
  option.default_text = std::move(default_text);
  option.set = std::move(set);
  return {std::move(group), std::move(option)};
}

bool names_partition_file(std::string_view text) {
  return text.find_first_of("./") != std::string_view::npos;
}

bool is_for_one_run(const Option& option) {
  return option.name == "report" || option.name == "out" || option.name == "plot" || option.name == "trace" ||
         option.name == "live" || option.name == "timeline" || option.name == "flight-record" ||
         option.name == "verbose" || option.name == "heartbeat" || option.name == "max-stall" ||
         is_about_checkpoints(option) || option.name == "replications" || option.name == "precision" ||
         option.name == "precision-of";
}

bool is_about_checkpoints(const Option& option) {
  return option.name == "checkpoint" || option.name == "checkpoint-every" || option.name == "max-wall" ||
         option.name == "resume";
}

std::vector<GroupedOption> engine_options(RunOptions& options) {
  std::vector<std::pair<OptionGroup, Option>> all;
  const auto add = [&](const OptionFacts& facts, auto of) {
    all.emplace_back(facts.group, bound(facts, std::invoke(of, options)));
  };
  const auto add_of_config = [&](const OptionFacts& facts, auto of) {
    all.emplace_back(facts.group, facts.name == "partition" ? partition_option(facts, options.config)
                                                            : bound(facts, std::invoke(of, options.config)));
  };
  for_each_option_of_run(add);
  for_each_option(add_of_config);
  add({.name = "replications",
       .group = OptionGroup::experiment,
       .hint = "N",
       .help = "Run with the N seeds S to S+N-1 from --seed S on, and tell means with intervals",
       .default_text = "1; at most 1000 with --precision"},
      &RunOptions::replications);
  add({.name = "precision",
       .group = OptionGroup::experiment,
       .hint = "P",
       .help = "End the replications when the half-width of the intervals is at most P of the means, as 0.01",
       .default_text = "none"},
      &RunOptions::precision);
  add({.name = "precision-of",
       .group = OptionGroup::experiment,
       .hint = "FIGURE",
       .help = "The figure whose mean --precision is about",
       .default_text = "all"},
      &RunOptions::precision_of);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  std::vector<GroupedOption> out;
  for (auto& [group, option] : all) out.push_back({title(group), std::move(option)});
  return out;
}

}  // namespace anachron
