// The C interface of the Python package: bundled models, results, the command line. anachron/_native.py
// declares the same functions. Every `char*` and every pointer to an array that a function returns belongs to
// the object that it was asked of, unless it says otherwise.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <anachron/base/version.hpp>
#include <anachron/run/ranks.hpp>
#include <nlohmann/json.hpp>

#include "anachron/bundled.hpp"
#include "comm/transport/world.hpp"
#include "errors.hpp"
#include "result.hpp"
#include "run/options/engine_options.hpp"
#include "run/rank.hpp"

using namespace anachron;
using namespace anachron::python;

ANACHRON_EXPORT const char* anachron_version() {
  static const std::string version(kVersion);
  return version.c_str();
}

/// How many ranks mpirun or the like has started, and which one this process is.
ANACHRON_EXPORT std::uint32_t anachron_ranks(std::uint32_t* own) {
  *own = own_rank();
  return rank_count();
}
/// This process has failed and said why: ends the other ranks, which may wait for it, and this one.
ANACHRON_EXPORT void anachron_end_ranks(int status) { end_others_for_good(status); }
/// What each rank has given, one behind the other, each behind its size in 8 bytes, the least first. Called
/// by all ranks. To be freed with anachron_free.
ANACHRON_EXPORT char* anachron_gather(const char* own, std::uint64_t size, std::uint64_t* all_size,
                                      Error* error) {
  return guarded(error, [&]() -> char* {
    std::string packed;
    for (const std::string& given : Ranks().gather(std::string(own, size))) {
      for (unsigned byte = 0; byte < 8; ++byte)
        packed += static_cast<char>(std::uint64_t{given.size()} >> (8 * byte) & 0xff);
      packed += given;
    }
    *all_size = packed.size();
    return copy_text(packed);
  });
}
/// Whether this library can run over ranks.
ANACHRON_EXPORT bool anachron_has_mpi() { return transport::has_mpi(); }

ANACHRON_EXPORT void anachron_free(void* memory) { std::free(memory); }

/// The `anachron` program. Returns its exit status.
ANACHRON_EXPORT int anachron_main(int argc, char** argv) { return run_program(bundled_models(), argc, argv); }

namespace {

std::unique_ptr<AnyModel> make_model_called(const std::string& name) {
  std::string valid;
  for (const BundledModel& model : bundled_models()) {
    if (model.name == name) return model.make();
    valid += (valid.empty() ? "" : ", ") + model.name;
  }
  throw InputError("unknown model '" + name + "' (valid: " + valid + ")");
}

nlohmann::json described(const Option& option) {
  return {{"name", option.name},
          {"help", option.help},
          {"hint", option.hint},
          {"default", option.default_text},
          {"choices", option.choices}};
}

}  // namespace

/// JSON: name, summary and options of each bundled model. To be freed with anachron_free.
ANACHRON_EXPORT char* anachron_models(Error* error) {
  return guarded(error, [] {
    auto all = nlohmann::json::array();
    for (const BundledModel& bundled : bundled_models()) {
      auto options = nlohmann::json::array();
      for (const Option& option : bundled.make()->options()) options.push_back(described(option));
      all.push_back({{"name", bundled.name}, {"summary", bundled.summary}, {"options", options}});
    }
    return copy_text(all.dump());
  });
}

/// JSON: the engine's options that are not about files. To be freed with anachron_free.
ANACHRON_EXPORT char* anachron_engine_options(Error* error) {
  return guarded(error, [] {
    RunOptions options;
    auto all = nlohmann::json::array();
    for (const auto& [group, option] : engine_options(options))
      if (group != "Input and output" && !is_for_one_run(option)) all.push_back(described(option));
    return copy_text(all.dump());
  });
}

/// Runs a bundled model. The result is to be freed with anachron_result_free; null after an error.
ANACHRON_EXPORT Result* anachron_run(const char* name, int count, const char* const* words, Watch watch,
                                     void* user, Error* error) {
  return guarded(error, [&]() -> Result* {
    const std::unique_ptr<AnyModel> model = make_model_called(name);
    Config defaults;
    defaults.until = model->default_until().value_or(kForever);
    Options options = read(defaults, model->options(), name, count, words);
    for (const Option& option : model->options())
      options.config.model_options.emplace_back("--" + option.name, option.text());
    Watcher watcher(watch, user);
    Report report = model->run(options.config, watcher.progress(), watcher.interrupted());
    report.model = name;
    for (const Option& option : model->options())
      report.model_options.emplace_back(option.name, option.text());
    add_notes(report, options, model->may_stop(), true);
    return new Result(result_of(report));
  });
}

ANACHRON_EXPORT void anachron_result_free(Result* result) { delete result; }
ANACHRON_EXPORT const char* anachron_result_json(const Result* result) { return result->json.c_str(); }
ANACHRON_EXPORT const char* anachron_result_text(const Result* result) { return result->text.c_str(); }
ANACHRON_EXPORT std::uint64_t anachron_result_tables(const Result* result) { return result->tables.size(); }
ANACHRON_EXPORT const char* anachron_result_table(const Result* result, std::uint64_t table,
                                                  std::uint64_t* rows, std::uint64_t* columns) {
  const Table& of = result->tables[table];
  *rows = of.rows;
  *columns = of.columns.size();
  return of.name.c_str();
}
/// `kind`: of the numbers in the array that is returned: std::int64_t, double, or std::int32_t, numbers of
/// the texts, a JSON array.
ANACHRON_EXPORT const void* anachron_result_column(const Result* result, std::uint64_t table,
                                                   std::uint64_t number, const char** name, int* kind,
                                                   const char** texts) {
  const Column& column = result->tables[table].columns[number];
  *name = column.name.c_str();
  *kind = static_cast<int>(column.kind);
  *texts = column.texts.c_str();
  switch (column.kind) {
    case Column::Kind::whole:
      return column.whole.data();
    case Column::Kind::real:
      return column.real.data();
    case Column::Kind::text:
      break;
  }
  return column.codes.data();
}
