// A simulation, or a session, of LP types that are described at run time (model/plain.hpp): what
// run/simulation.hpp and run/session.hpp are for C++ types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <anachron/model/plain.hpp>
#include <anachron/run/any_model.hpp>
#include <anachron/run/config.hpp>
#include <anachron/run/report.hpp>
#include <anachron/run/session.hpp>

namespace anachron {
class FinishedRun;
}

namespace anachron::plain {

/// The rows of a table that have committed.
class Rows final : public RowSink {
 public:
  explicit Rows(std::size_t row_bytes) : row_bytes_(row_bytes) {}

  /// Any thread, but for one LP one at a time.
  void add(Time time, LpId lp, std::span<const std::byte> row) override;

  std::size_t row_bytes() const { return row_bytes_; }
  /// Not at the same time as `add`, like what follows.
  std::size_t count() const;
  /// Writes `count()` of each: rows one after another, the time of each, and its LP's number among those of
  /// all types. In the order of time, then LP, then events: the same in every mode. O(n log n).
  void write(std::byte* rows, Time* times, std::uint32_t* lps) const;

 private:
  struct Shard {  // LPs are dealt out to these, so that threads seldom meet
    std::mutex mutex;
    std::vector<std::byte> rows;
    std::vector<Time> times;
    std::vector<LpId> lps;
  };
  std::size_t row_bytes_;
  std::array<Shard, 16> shards_;
};

/// What an LP type has in a run.
struct TypeInRun {
  std::uint64_t count = 0;
  Time lookahead = 0;              ///< of types that declare one
  bool may_stop = true;            ///< of types that declare it
  std::vector<double> load{};      ///< by LP, of types that declare it
  std::vector<double> position{};  ///< likewise
};

/// LP types with all that a run needs; what `params` and `shared` point to must outlive it.
class Setup {
 public:
  /// Throws InputError when the number of types is not that of the model, or a type's LPs are none or too
  /// many, or its loads or positions not as many.
  Setup(std::shared_ptr<const Model> model, std::vector<TypeInRun> types, const void* params,
        const void* shared);

  const Model& model() const { return *model_; }
  const std::vector<TypeInRun>& types() const { return types_; }
  Rows& table(std::uint32_t number) const { return *tables_.at(number); }
  std::vector<event::LpTypeEntry> entries() const;

 private:
  std::shared_ptr<const Model> model_;
  std::vector<TypeInRun> types_;
  std::vector<std::unique_ptr<Rows>> tables_;
  std::vector<RowSink*> sinks_;
  std::vector<LpData> data_;  // entries point into it
};

/// What the LPs of a type have at the end of a run over ranks.
struct StatesOfType {
  std::vector<std::byte> states;                ///< one behind another
  std::vector<std::vector<std::byte>> regions;  ///< by LP, of types that have them
};

/// One run. Over ranks each of them makes it, and has all states and rows at the end.
class Run {
 public:
  /// Throws as Simulation::run.
  Run(const Setup& setup, const Config& config, const ProgressCallback& progress,
      const std::function<bool()>& interrupted);

  Report report;
  /// The state of an LP at the end. Throws std::out_of_range.
  const void* state(std::uint32_t type, std::uint32_t index) const;
  /// Its memory that grows, of a type that has it.
  std::span<const std::byte> region(std::uint32_t type, std::uint32_t index) const;

 private:
  std::shared_ptr<const FinishedRun> finished_;
  std::vector<StatesOfType> of_all_ranks_;  // by type; empty in one process
  const Model& model_;
};

/// A run in steps; see anachron::Session.
/// Changes to a run: see Session::run.
class Variant {
 public:
  explicit Variant(const Setup& setup) : model_(setup.model()) {}
  /// Begins with the first changes of another one.
  Variant(const Variant& other, std::size_t count)
      : model_(other.model_),
        changes_(other.changes_.begin(), other.changes_.begin() + static_cast<std::ptrdiff_t>(count)) {}

  /// As Session::schedule.
  void schedule(std::uint32_t event, std::uint32_t index, Time time, const void* payload);
  /// Writes bytes into an LP's state, before its events at that time.
  void edit(std::uint32_t type, std::uint32_t index, Time time, std::size_t offset,
            std::span<const std::byte> bytes);
  /// Takes back what Session::schedule has scheduled.
  void cancel(const EventHandle& scheduled) {
    changes_.push_back(std::make_shared<const event::Change>(event::Change{std::nullopt, scheduled}));
  }

  const event::Changes& changes() const { return changes_; }

 private:
  const Model& model_;
  event::Changes changes_;
};

class Session {
 public:
  /// `setup` must outlive it.
  Session(const Setup& setup, const Config& config);

  Ending run_until(Time until, const ProgressCallback& progress = {},
                   const std::function<bool()>& interrupted = {}) {
    return kernel_.run_until(until, progress, interrupted);
  }
  Time now() const { return kernel_.now(); }
  Report report() const { return kernel_.report(); }
  const void* state(std::uint32_t type, std::uint32_t index) const { return kernel_.state(type, index); }
  /// Throws InputError when the time or the LP is not valid, std::out_of_range when there is no such event.
  EventHandle schedule(std::uint32_t event, std::uint32_t index, Time time, const void* payload);
  /// As those of an::Session.
  void keep_history() { kernel_.keep_history(); }
  std::string checkpoint(const std::string& folder) { return kernel_.checkpoint(folder); }
  std::vector<detail::VariantOutcome> run(const std::vector<const event::Changes*>& variants,
                                          unsigned workers) {
    return kernel_.run(variants, workers);
  }
  std::uint64_t mark() { return kernel_.mark(); }
  void rewind(std::uint64_t mark) { kernel_.rewind(mark); }
  void accept(std::uint64_t mark) { kernel_.accept(mark); }

 private:
  const Model& model_;
  detail::SessionKernel kernel_;
};

}  // namespace anachron::plain
