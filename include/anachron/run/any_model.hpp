// A model behind a virtual interface: what the command line needs to list, describe, configure and run it.
// `make_model<Lps...>` in run/cli.hpp builds one from LP types.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <anachron/model/option.hpp>
#include <anachron/run/config.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/variant.hpp>

namespace anachron {

/// Called on the thread that called `run` while the event loop is in progress, about 5 times a second.
using ProgressCallback = std::function<void(const Progress&)>;

/// Changes to a run, as the user writes them.
struct NamedVariant {
  std::string name;
  std::vector<std::string> changes;
};

/// A run and variants of it.
struct WhatIfReport {
  Report run;
  struct Of {
    NamedVariant variant;
    VariantReport report;
    double full_run_s = 0;  ///< how long a run with the changes takes; 0: nobody tried
  };
  std::vector<Of> variants;
};

/// A model as the command line sees it; `make_model` makes one from LP types.
class AnyModel {
 public:
  virtual ~AnyModel() = default;

  virtual const std::string& name() const = 0;            ///< as in `anachron run NAME`
  virtual const std::string& summary() const = 0;         ///< one line
  virtual std::vector<Option> options() = 0;              ///< bound to this object's parameters
  virtual std::optional<Time> default_until() const = 0;  ///< the model's own default of --until
  /// Whether events may stop the run, with the parameters as set; true where the model cannot tell.
  virtual bool may_stop() { return true; }
  /// Runs the model once with the parameters as set. Throws InputError, SimulationError or
  /// FinishError. `interrupted` is polled; when it returns true the run ends at the next GVT.
  virtual Report run(const Config& config, const ProgressCallback& progress,
                     const std::function<bool()>& interrupted) = 0;
  /// How changes to a run are written, one form in a line; empty: the model declares none.
  virtual std::string change_forms() const { return {}; }
  /// Runs the model once, and variants of that run, `side_by_side` at a time; 0: on all cores. `checked`:
  /// also a run of each with the changes from the beginning, and throws std::logic_error if that has another
  /// digest. Without variants when it was interrupted. Throws as `run`, and InputError for changes that
  /// cannot be.
  virtual WhatIfReport what_if(const Config& config, const std::vector<NamedVariant>& variants,
                               unsigned side_by_side, bool checked, const ProgressCallback& progress,
                               const std::function<bool()>& interrupted);
  /// One with the same parameters, whose `run` may be called at the same time as that of this one. What its
  /// runs only read may be made here, once, and shared by the copies of the copy. Null where the model cannot
  /// be copied; then replications run one after another. Throws as `run`.
  virtual std::unique_ptr<AnyModel> copy() { return nullptr; }
};

/// How the `anachron` program makes the models it bundles.
struct BundledModel {
  std::string name, summary;
  std::unique_ptr<AnyModel> (*make)();
};

}  // namespace anachron
