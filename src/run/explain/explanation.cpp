#include "run/explain/explanation.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "run/report/format.hpp"

namespace anachron {

namespace {

using json::Json;

/// Each of these makes a sentence of a report, or nothing where there is nothing to say.
class Sentences {
 public:
  explicit Sentences(const Json& report) : report_(report) {}

  std::string what() const {
    const std::string end = report_.at("ending") == "finished"  ? "to time"
                            : report_.at("ending") == "stopped" ? "until the model stopped the run, at time"
                                                                : "until the run was interrupted, at time";
    return fmt::format("{} of the model {} were simulated {} {}, which took {}.", plural(count("lps"), "LP"),
                       report_.at("model_name").get<std::string>(), end, figure(number("end_time")),
                       plural(count("committed"), "event"));
  }

  std::string speed() const {
    return fmt::format("The run took {}, after {} of preparation: {} events per second.",
                       duration(number("wall_s")), duration(number("setup_s")), scaled(number("rate")));
  }

  std::string mode() const {
    if (is_alone()) return "One worker executed the events one after the other, in the order of time.";
    const std::string who = fmt::format("{}{}", plural(workers(), "worker"),
                                        ranks() > 1 ? fmt::format(" in {} processes", ranks()) : "");
    if (config("sync") == "conservative")
      return fmt::format("{} executed events side by side, each only when nothing could come before it.",
                         who);
    return fmt::format("{} executed events side by side, and took back what turned out to be too early.",
                       who);
  }

  std::string efficiency() const {
    if (is_alone() || count("executed") == 0) return {};
    if (count("rolled_back") == 0) return "Nothing had to be taken back.";
    return fmt::format("Of {} events executed, {} were taken back and executed again ({}).{}",
                       scaled(number("executed")), scaled(number("rolled_back")),
                       percent(number("rolled_back") / number("executed")), causes());
  }

  std::string time() const {
    const std::array parts{std::pair("executing events", number("execution_s")),
                           std::pair("sending them", number("routing_s")),
                           std::pair("taking events back", number("rollback_s")),
                           std::pair("agreeing on the time (GVT)", number("rounds_s")),
                           std::pair("committing", number("commit_s")),
                           std::pair("waiting", number("idle_s"))};
    double all = 0;
    for (const auto& [name, seconds] : parts) all += seconds;
    if (is_alone() || all <= 0) return {};
    std::string out;
    for (const auto& [name, seconds] : parts)
      if (seconds > all / 1000)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", percent(seconds / all), name);
    return fmt::format("The workers spent their time so: {}.", out);
  }

  std::string traffic() const {
    if (is_alone()) return {};
    const double more = number("imbalance");
    return fmt::format(
        "{} of the events went from one part of the model to another ({}); {}.",
        percent(number("remote_events")),
        ranks() > 1 ? "a part is what a worker of a process has" : "each worker has its own",
        more < 0.05 ? "the parts had the same amount of work"
                    : fmt::format("the busiest part had {} more work than the average one", percent(more)));
  }

  std::string chain() const {
    if (!has_number("available_parallelism")) return {};
    const std::string length =
        has_number("critical_path_s")
            ? fmt::format("takes {} in handlers:", duration(number("critical_path_s")))
            : fmt::format("has {}: if each takes the same time,", plural(count("critical_path"), "event"));
    return fmt::format(
        "The longest chain of causes {} no number of cores makes the run more than {:.1f} times as fast as "
        "one.",
        length, number("available_parallelism"));
  }

  /// Of different numbers of workers, where some were tried.
  std::string trials() const {
    std::string out;
    for (const Json& trial : report_.at("workers_tried"))
      if (trial.at("rate").is_number())
        out += fmt::format("{}{} events per second with {}{}", out.empty() ? "" : ", ",
                           scaled(trial.at("rate").get<double>()),
                           plural(trial.at("workers").get<std::uint64_t>(), "worker"),
                           trial.at("in_windows").get<bool>() ? " that wait for each other" : "");
    if (report_.at("workers_tried").size() < 2 || out.empty()) return {};
    return fmt::format("The engine measured {}, and went on with what was best.", out);
  }

  std::string memory() const {
    const std::string events =
        report_.at("bytes_per_pending_event").is_number()
            ? fmt::format(" and {} for each event that waits, at most {}",
                          bytes(rounded("bytes_per_pending_event")), grouped(count("peak_pending")))
            : "";
    return fmt::format("The process took {} of memory: {} for each LP{}.", bytes(count("peak_rss")),
                       bytes(rounded("bytes_per_lp")), events);
  }

  std::string advice() const {
    if (const std::string hint = report_.contains("hint") && report_.at("hint").is_string()
                                     ? report_.at("hint").get<std::string>()
                                     : "";
        !hint.empty()) {
      return hint.starts_with("nothing held it back") ? "Nothing held the run back."
                                                      : fmt::format("What held it back: {}.", hint);
    }
    const auto cores = report_.at("machine").at("usable_cores").get<std::uint64_t>();
    if (number("wall_s") < 0.05) return "The run was too short to say what held it back.";
    if (is_alone() && cores > 1)
      return fmt::format("This machine has {}: --workers {} may be faster.", plural(cores, "core"), cores);
    return {};
  }

 private:
  /// Reports of older programs do not have all.
  bool has_number(const char* name) const { return report_.contains(name) && report_.at(name).is_number(); }
  double number(const char* name) const { return report_.at(name).get<double>(); }
  std::uint64_t count(const char* name) const { return report_.at(name).get<std::uint64_t>(); }
  std::uint64_t rounded(const char* name) const { return static_cast<std::uint64_t>(number(name) + 0.5); }
  const Json& config(const char* name) const { return report_.at("config").at(name); }
  std::uint64_t ranks() const { return std::max<std::uint64_t>(report_.at("ranks").size(), 1); }
  std::uint64_t workers() const { return report_.at("workers").size(); }
  /// One worker executed everything, so nothing could be too early.
  bool is_alone() const { return config("sync") == "sequential" || (workers() <= 1 && ranks() <= 1); }

  std::string causes() const {
    const double all = number("rollbacks_local") + number("rollbacks_regional") + number("rollbacks_remote");
    if (all <= 0) return {};
    if (ranks() > 1 && number("rollbacks_remote") > all / 2)
      return fmt::format(" Messages of other processes caused {} of that.",
                         percent(number("rollbacks_remote") / all));
    if (number("rollbacks_regional") > all / 2)
      return fmt::format(" Events of other workers' parts caused {} of that.",
                         percent(number("rollbacks_regional") / all));
    return {};
  }

  const Json& report_;
};

}  // namespace

std::string explanation(const Json& report) {
  const Sentences say(report);
  std::string out;
  for (const std::string& sentence : {say.what(), say.speed(), say.mode(), say.efficiency(), say.time(),
                                      say.traffic(), say.chain(), say.trials(), say.memory(), say.advice()})
    if (!sentence.empty()) out += sentence + '\n';
  return out;
}

}  // namespace anachron
