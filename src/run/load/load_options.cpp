#include "run/load/load_options.hpp"

#include <limits>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {

namespace {

constexpr unsigned kMostThreads = 10'000;
constexpr std::uint64_t kLongestPeriod = 3'600'000'000;  // microseconds
constexpr std::uint64_t kLeastMemory = 1 << 20, kMostMemory = std::uint64_t{1} << 44;
constexpr double kShortestSlice = 1e-3, kLongestSlice = 3600;

GroupedOption make(std::string name, std::string hint, std::string help, std::string default_text,
                   std::function<void(const std::string&)> set) {
  return own_option("Load", std::move(name), std::move(hint), std::move(help), std::move(default_text),
                    std::move(set));
}

GroupedOption kind_option(LoadOptions& options) {
  std::vector<std::string> names;
  std::string hint;
  for (const auto& [name, kind] : Spelling<LoadKind>::names) {
    names.emplace_back(name);
    hint += (hint.empty() ? "" : "|") + names.back();
  }
  GroupedOption out =
      make("kind", hint, "What the threads do", names.front(), [&options, names](const std::string& text) {
        for (const auto& [name, kind] : Spelling<LoadKind>::names)
          if (name == text) {
            options.kind = kind;
            return;
          }
        throw bad_choice("kind", text, names);
      });
  out.option.choices = names;
  return out;
}

template <class T>
T number(std::string_view name, const std::string& text, T least, T most, std::string_view expected) {
  const T value = parse_value<T>(name, text);
  if (!(value >= least && value <= most)) throw bad_value(name, text, expected);
  return value;
}

std::uint64_t memory(const std::string& text) {
  const std::uint64_t value = detail::named("memory", [&] { return parse_size(text); });
  if (value < kLeastMemory || value > kMostMemory)
    throw bad_value("memory", text, "a size from 1MiB to 16TiB");
  return value;
}

}  // namespace

std::vector<GroupedOption> load_options(LoadOptions& options) {
  std::vector<GroupedOption> all;
  all.push_back(kind_option(options));
  all.push_back(make("threads", "N", "Threads", "1", [&options](const std::string& text) {
    options.threads =
        number("threads", text, 1u, kMostThreads, fmt::format("a number from 1 to {}", kMostThreads));
  }));
  all.push_back(make("memory", "SIZE", "Memory that all streaming threads go through together",
                     "twice the last level cache, at least 64MiB",
                     [&options](const std::string& text) { options.memory = memory(text); }));
  all.push_back(make("period", "US", "Work for so many microseconds, sleep as long, and so on", "none",
                     [&options](const std::string& text) {
                       options.period = number("period", text, std::uint64_t{1}, kLongestPeriod,
                                               fmt::format("microseconds from 1 to {}", kLongestPeriod));
                     }));
  all.push_back(make("io", "", "Write and sync a temporary file when it is time to sleep; needs --period", "",
                     [&options](const std::string& text) { options.io = parse_value<bool>("io", text); }));
  all.push_back(make(
      "gang", "PID",
      "Take turns with this process: it is stopped while the load works, and the load while it runs", "none",
      [&options](const std::string& text) {
        options.gang = number("gang", text, 1, std::numeric_limits<int>::max(), "the number of a process");
      }));
  all.push_back(make("slice", "S", "Seconds of each turn; needs --gang", format_real(kUsualSlice),
                     [&options](const std::string& text) {
                       options.slice = number("slice", text, kShortestSlice, kLongestSlice,
                                              "a number of seconds from 0.001 to 3600");
                     }));
  all.push_back(make("for", "S", "End after so many seconds; else a signal ends it", "none",
                     [&options](const std::string& text) {
                       const auto value = parse_value<double>("for", text);
                       if (!(value > 0) || value > 1e9)
                         throw bad_value("for", text, "a number of seconds > 0 and <= 1e9");
                       options.seconds = value;
                     }));
  all.push_back(make("report", "FILE.json", "Write what was used as JSON; -: print it instead of the table",
                     "", [&options](const std::string& text) { options.report = text; }));
  return all;
}

void check_together(const LoadOptions& options) {
  if (options.io && !options.period) throw InputError("--io needs --period");
  if (options.memory && options.kind != LoadKind::stream) throw InputError("--memory needs --kind stream");
  if (options.slice && !options.gang) throw InputError("--slice needs --gang");
  if (options.kind == LoadKind::communicate && options.threads < 2)
    throw InputError("--kind communicate needs --threads 2 or more: each has another one to talk to");
}

}  // namespace anachron
