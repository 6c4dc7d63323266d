#include "run/commands/tune.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/suggest.hpp>

#include "mem/allocator.hpp"
#include "run/files/output_file.hpp"
#include "run/options/settings.hpp"
#include "run/rank.hpp"
#include "run/report/format.hpp"
#include "run/report/table_csv.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {

namespace {

using Values = std::vector<std::string>;

/// An engine option and the values to try; the first is the default.
struct Axis {
  std::string name;
  Values values;
};

constexpr std::string_view kSweep = "throttle,batch,gvt-interval";

/// What can be swept beside options with a list of valid values.
const std::vector<Axis>& numeric_axes() {
  static const std::vector<Axis> axes{
      {"batch", {"auto", "16", "64", "256"}},
      {"gvt-interval", {"auto", "128", "512", "2048", "8192"}},
      {"checkpoint-interval", {"auto", "1", "4", "16"}},
      {"lps-per-group", {"1", "4", "16"}},
      {"channel-queues", {"auto", "1", "2", "8"}},
  };
  return axes;
}

struct TuneOptions {
  std::string sweep{kSweep};
  unsigned repetitions = 7, finalists = 5;
  std::string csv;
};

std::vector<GroupedOption> tune_options(TuneOptions& options) {
  const auto number = [](unsigned& target, std::string name, std::string help) {
    const auto set = [&target, name](const std::string& text) {
      target = parse_value<unsigned>(name, text);
      if (target == 0) throw bad_value(name, text, "at least 1");
    };
    return own_option("Tuning", name, "N", std::move(help), std::to_string(target), set);
  };
  const auto text = [](std::string& target, std::string name, std::string hint, std::string help) {
    return own_option("Tuning", std::move(name), std::move(hint), std::move(help), target,
                      [&target](const std::string& value) { target = value; });
  };
  return {text(options.sweep, "sweep", "NAME,...", "Engine options to try all combinations of"),
          number(options.finalists, "finalists", "Fastest combinations to repeat, beside the defaults"),
          number(options.repetitions, "repetitions", "Runs of each of these, in turn"),
          text(options.csv, "csv", "FILE.csv", "Write all combinations and their rates")};
}

/// This program is linked with the allocator of that name.
bool has_pool(const std::string& name) {
  return std::any_of(std::begin(Spelling<Pool>::names), std::end(Spelling<Pool>::names),
                     [&](const auto& pool) { return pool.first == name && mem::has_allocator(pool.second); });
}

std::vector<Axis> axes_of(const std::string& sweep, const std::vector<Option>& engine) {
  Values names;
  for (const Option& option : engine)
    if (!option.choices.empty()) names.push_back(option.name);
  for (const Axis& axis : numeric_axes()) names.push_back(axis.name);

  std::vector<Axis> axes;
  for (std::size_t at = 0; at <= sweep.size();) {
    const std::size_t end = std::min(sweep.find(',', at), sweep.size());
    const std::string name = sweep.substr(at, end - at);
    at = end + 1;
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(fmt::format("--sweep: '{}' cannot be swept{} (valid: {})", name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
    if (std::any_of(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; }))
      throw InputError(fmt::format("--sweep: '{}' is named twice", name));
    const auto option =
        std::find_if(engine.begin(), engine.end(), [&](const Option& o) { return o.name == name; });
    const auto numeric = std::find_if(numeric_axes().begin(), numeric_axes().end(),
                                      [&](const Axis& axis) { return axis.name == name; });
    Axis axis{name, numeric != numeric_axes().end() ? numeric->values : option->choices};
    if (name == "pool") std::erase_if(axis.values, [](const std::string& pool) { return !has_pool(pool); });
    // What the user has set, or the default, comes first.
    const std::string set_to = option->text();
    std::erase(axis.values, set_to);
    axis.values.insert(axis.values.begin(), set_to);
    axes.push_back(std::move(axis));
  }
  return axes;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct Combination {
  Values values;              // by axis
  std::vector<double> rates;  // of the comparison; of the first look as long as there is none
  double efficiency = 0;
};

class Sweep {
 public:
  Sweep(AnyModel& model, Settings& settings, std::vector<Axis> axes)
      : model_(model), settings_(settings), axes_(std::move(axes)) {
    Values chosen(axes_.size());
    combine(0, chosen);
  }

  /// False: interrupted.
  bool run(const TuneOptions& options, bool quiet) {
    quiet_ = quiet || !isatty(STDERR_FILENO);
    steps_ = combinations_.size() +
             (std::min<std::size_t>(options.finalists, combinations_.size() - 1) + 1) * options.repetitions;
    for (Combination& combination : combinations_)
      if (!measure(combination)) return false;
    table_ = look_table();
    std::vector<Combination*> finalists{&combinations_.front()};
    std::vector<Combination*> others;
    for (std::size_t i = 1; i < combinations_.size(); ++i) others.push_back(&combinations_[i]);
    std::sort(others.begin(), others.end(),
              [](const auto* a, const auto* b) { return a->rates.front() > b->rates.front(); });
    others.resize(std::min<std::size_t>(others.size(), options.finalists));
    finalists.insert(finalists.end(), others.begin(), others.end());
    for (Combination* finalist : finalists) finalist->rates.clear();
    for (unsigned i = 0; i < options.repetitions; ++i)
      for (Combination* finalist : finalists)
        if (!measure(*finalist)) return false;
    finalists_ = std::move(finalists);
    clear_line();
    return true;
  }

  std::string text() const {
    std::vector<const Combination*> order(finalists_.begin(), finalists_.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return median(a->rates) > median(b->rates); });
    const double best = median(order.front()->rates), ours = median(finalists_.front()->rates);
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      std::size_t width = axes_[i].name.size();
      for (const auto& value : axes_[i].values) width = std::max(width, value.size());
      widths.push_back(width);
    }
    std::string out;
    for (std::size_t i = 0; i < axes_.size(); ++i) out += fmt::format("{:<{}}  ", axes_[i].name, widths[i]);
    out += fmt::format("{:>12}  {:>9}  {:>10}\n", "events/s", "of best", "efficiency");
    for (const Combination* c : order) {
      for (std::size_t i = 0; i < axes_.size(); ++i) out += fmt::format("{:<{}}  ", c->values[i], widths[i]);
      const double rate = median(c->rates);
      out += fmt::format("{:>12}  {:>9}  {:>10}{}\n", scaled(rate), percent(rate / best),
                         percent(c->efficiency), c == finalists_.front() ? "  <- as set" : "");
    }
    out += fmt::format("\n{} combinations, one digest: {:016x}\n", combinations_.size(), *digest_);
    out += ours >= best
               ? "The settings as they are were the fastest.\n"
               : fmt::format("The settings as they are reach {} of the best.\n", percent(ours / best));
    return out;
  }

  /// A row per combination: its values, the rate of the first look, the median of the comparison if it took
  /// part.
  Results::Table table() const {
    Results::Table out = table_;
    out.columns.push_back("median_rate");
    for (std::size_t i = 0; i < combinations_.size(); ++i) {
      const bool compared =
          std::find(finalists_.begin(), finalists_.end(), &combinations_[i]) != finalists_.end();
      out.rows[i].push_back(compared ? Results::Cell(median(combinations_[i].rates))
                                     : Results::Cell(std::string()));
    }
    return out;
  }

 private:
  void combine(std::size_t axis, Values& chosen) {
    if (axis == axes_.size()) {
      combinations_.push_back({chosen, {}, 0});
      return;
    }
    for (const auto& value : axes_[axis].values) {
      chosen[axis] = value;
      combine(axis + 1, chosen);
    }
  }

  void set(const Combination& combination) {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const auto& engine = settings_.engine();
      std::find_if(engine.begin(), engine.end(), [&](const Option& o) {
        return o.name == axes_[i].name;
      })->set(combination.values[i]);
    }
  }

  bool measure(Combination& combination) {
    show_step();
    if (InterruptGuard::requested()) {
      clear_line();
      return false;
    }
    Report report;
    try {
      set(combination);
      report = model_.run(resolve(settings_.options().config, usable_cores()), {}, InterruptGuard::requested);
    } catch (const InputError&) {  // not every combination makes sense; what the user has set must
      if (&combination == &combinations_.front()) throw;
      combination.rates.push_back(0);
      return true;
    }
    if (report.ending == Ending::interrupted) {
      clear_line();
      return false;
    }
    if (digest_ && *digest_ != report.digest) {
      clear_line();
      throw std::runtime_error(
          fmt::format("the digest is {:016x} with {} and was {:016x} before: please report this",
                      report.digest, fmt::join(combination.values, " "), *digest_));
    }
    digest_ = report.digest;
    combination.rates.push_back(report.rate());
    combination.efficiency = report.efficiency();
    best_ = std::max(best_, report.rate());
    return true;
  }

  Results::Table look_table() const {
    Results::Table out;
    for (const Axis& axis : axes_) out.columns.push_back(axis.name);
    out.columns.insert(out.columns.end(), {"rate", "efficiency"});
    for (const Combination& combination : combinations_) {
      auto& row = out.rows.emplace_back();
      for (const auto& value : combination.values) row.emplace_back(value);
      row.emplace_back(combination.rates.front());
      row.emplace_back(combination.efficiency);
    }
    return out;
  }

  void show_step() {
    ++step_;
    if (!quiet_)
      std::fputs(
          fmt::format("\rrun {} of {}, best so far {} events/s\x1b[K", step_, steps_, scaled(best_)).c_str(),
          stderr);
  }
  void clear_line() const {
    if (!quiet_) std::fputs("\r\x1b[K", stderr);
  }

  AnyModel& model_;
  Settings& settings_;
  std::vector<Axis> axes_;
  std::vector<Combination> combinations_;  // the first: as set
  std::vector<Combination*> finalists_;    // the first: as set
  Results::Table table_;
  std::optional<std::uint64_t> digest_;
  std::size_t step_ = 0, steps_ = 0;
  double best_ = 0;
  bool quiet_ = false;
};

}  // namespace

Status tune_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments) {
  require_one_process("tune");
  Settings settings(model);
  TuneOptions tune;
  if (!settings.read({"tune", "the fastest engine options on this machine", tune_options(tune)}, invocation,
                     arguments))
    return Status::ok;
  std::optional<OutputFile> csv;
  if (!tune.csv.empty()) csv.emplace("csv", tune.csv);
  Sweep sweep(model, settings, axes_of(tune.sweep, settings.engine()));
  try {
    if (!sweep.run(tune, settings.options().quiet) || InterruptGuard::requested()) return Status::interrupted;
  } catch (const InputError& error) {
    throw settings.located(error);
  }
  InterruptGuard::let_end();
  if (csv) csv->write(table_csv(sweep.table()));
  print(sweep.text());
  return Status::ok;
}

}  // namespace anachron
