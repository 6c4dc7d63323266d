// What a run leaves, as Python reads it: the report as JSON, tables as columns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <anachron/run/any_model.hpp>
#include <anachron/run/report.hpp>

namespace anachron::python {

/// A column of a table: whole numbers, numbers, or numbers of texts that are listed once.
struct Column {
  enum class Kind : int { whole = 0, real = 1, text = 2 } kind = Kind::whole;
  std::string name;
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  std::vector<std::int32_t> codes;
  std::string texts;  ///< a JSON array
};

struct Table {
  std::string name;
  std::uint64_t rows = 0;
  std::vector<Column> columns;
};

struct Result {
  std::string json, text;  ///< text: the table of the command line
  std::vector<Table> tables;
};

Result result_of(const Report& report);

/// Told about 5 times a second how far the run is; returns not 0 to end it. `user` is what it was given with.
using Watch = int (*)(void* user, double gvt, double until, std::uint64_t committed, std::uint64_t executed,
                      double wall_s);

/// The two callbacks that a run has, as one.
class Watcher {
 public:
  Watcher(Watch watch, void* user) : watch_(watch), user_(user) {}

  ProgressCallback progress() {
    return [this](const Progress& now) { now_ = now; };
  }
  std::function<bool()> interrupted() {
    return [this] {
      return watch_ && watch_(user_, now_.gvt, now_.until, now_.committed, now_.executed, now_.wall_s) != 0;
    };
  }

 private:
  Watch watch_;
  void* user_;
  Progress now_{};
};

/// The options that `words` ask for, names with two dashes followed by values, and notes on those that have
/// no effect.
struct Options {
  Config config;
  std::vector<std::string> set;
};
Options read(Config defaults, std::vector<Option> own, const std::string& program, int count,
             const char* const* words);
/// `has_all_results`: what the report has not is nowhere; models in Python add theirs later.
void add_notes(Report& report, const Options& options, bool may_stop, bool has_all_results);

}  // namespace anachron::python
