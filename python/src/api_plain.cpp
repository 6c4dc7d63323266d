// The C interface of the Python package: models written in Python, their runs and sessions.

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/model/plain.hpp>
#include <anachron/model/region/region.hpp>
#include <anachron/run/plain_simulation.hpp>
#include <anachron/run/what_if.hpp>

#include "errors.hpp"
#include "result.hpp"

using namespace anachron;
using namespace anachron::python;

namespace {

struct PlainModel {
  std::shared_ptr<plain::Model> model = std::make_shared<plain::Model>();
};

/// What LPs are made with, and what is left of the last run.
struct PlainSetup {
  std::unique_ptr<plain::Setup> setup;
  std::unique_ptr<plain::Run> run;
};

struct PlainSession {
  std::unique_ptr<plain::Session> session;
  Options options;
  std::vector<EventHandle> scheduled;
};

/// Variants of what a session has run, and what came of them.
struct PlainVariants {
  const plain::Setup* setup;
  std::vector<plain::Variant> variants;
  std::vector<detail::VariantOutcome> outcomes;
};

void copy_states(const plain::Setup& setup, std::uint32_t type, std::byte* out, const auto& state) {
  const std::size_t bytes = setup.model().state_bytes(type);
  for (std::uint32_t i = 0; i < setup.types().at(type).count; ++i, out += bytes)
    std::memcpy(out, state(i), bytes);
}

bool may_stop(const plain::Setup& setup) {
  for (std::uint32_t i = 0; i < setup.types().size(); ++i)
    if (setup.model().lp(i).may_stop && setup.types()[i].may_stop) return true;
  return false;
}

}  // namespace

ANACHRON_EXPORT PlainModel* anachron_model_new() { return new PlainModel; }
ANACHRON_EXPORT void anachron_model_free(PlainModel* model) { delete model; }

/// `declares`: 1 lookahead, 2 may_stop, 4 load, 8 position, 16 a region.
ANACHRON_EXPORT std::uint32_t anachron_model_lp(PlainModel* model, const char* name, const std::byte* initial,
                                                std::uint64_t bytes, plain::Handler start, const void* user,
                                                int declares, Error* error) {
  return guarded(error, [&] {
    plain::LpDescription lp;
    lp.name = name;
    lp.initial = {initial, initial + bytes};
    lp.start = start;
    lp.user = user;
    lp.has_lookahead = (declares & 1) != 0;
    lp.has_may_stop = (declares & 2) != 0;
    lp.has_load = (declares & 4) != 0;
    lp.has_position = (declares & 8) != 0;
    lp.has_region = (declares & 16) != 0;
    return model->model->add_lp(std::move(lp));
  });
}
/// `undoer`: null: states are copied.
ANACHRON_EXPORT std::uint32_t anachron_model_event(PlainModel* model, std::uint32_t lp, const char* name,
                                                   std::uint64_t bytes, plain::Handler handler,
                                                   plain::Undoer undoer, const void* user, int priority,
                                                   int in_order, Error* error) {
  return guarded(error, [&] {
    return model->model->add_event(lp, {.name = name,
                                        .bytes = bytes,
                                        .handler = handler,
                                        .user = user,
                                        .order = {priority, in_order != 0},
                                        .undoer = undoer});
  });
}
/// `handles`: of all processes where their frames have handles, one process behind another; of one whose
/// number of them is below 0 the frame begins with its handles.
ANACHRON_EXPORT void anachron_model_processes(PlainModel* model, std::uint32_t lp, std::uint32_t count,
                                              const char* const* names, const plain::Handler* resume,
                                              const std::uint32_t* frame_bytes,
                                              const std::int32_t* handle_counts, const std::uint32_t* handles,
                                              std::uint32_t filter_count, const plain::Filter* filters,
                                              Error* error) {
  guarded(error, [&] {
    std::vector<plain::ProcessDescription> processes(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      processes[i] = {names[i], resume[i], frame_bytes[i], {}, handle_counts[i] < 0};
      for (std::int32_t k = 0; k < handle_counts[i]; ++k) processes[i].handles.push_back(*handles++);
    }
    model->model->add_processes(lp, std::move(processes), {filters, filters + filter_count});
  });
}
ANACHRON_EXPORT std::uint32_t anachron_model_table(PlainModel* model, std::uint64_t row_bytes,
                                                   std::int32_t is_saved, Error* error) {
  return guarded(error, [&] { return model->model->add_table(row_bytes, is_saved != 0); });
}

/// Arrays have an element for each LP type; `load` and `position` null where a type declares none.
ANACHRON_EXPORT PlainSetup* anachron_setup_new(const PlainModel* model, std::uint32_t types,
                                               const std::uint64_t* counts, const double* lookahead,
                                               const int* may_stop_of, const double* const* load,
                                               const double* const* position, const void* params,
                                               const void* shared, Error* error) {
  return guarded(error, [&]() -> PlainSetup* {
    std::vector<plain::TypeInRun> all(types);
    for (std::uint32_t i = 0; i < types; ++i) {
      all[i].count = counts[i];
      all[i].lookahead = lookahead[i];
      all[i].may_stop = may_stop_of[i] != 0;
      if (load[i]) all[i].load.assign(load[i], load[i] + counts[i]);
      if (position[i]) all[i].position.assign(position[i], position[i] + counts[i]);
    }
    auto made = std::make_unique<PlainSetup>();
    made->setup = std::make_unique<plain::Setup>(model->model, std::move(all), params, shared);
    return made.release();
  });
}
ANACHRON_EXPORT void anachron_setup_free(PlainSetup* setup) { delete setup; }

/// Runs from time 0 to the end; once for each setup. `data`: what ranks compare, of all that the LPs are
/// given.
ANACHRON_EXPORT Result* anachron_setup_run(PlainSetup* setup, const char* program, const char* data,
                                           double until, int count, const char* const* words, Watch watch,
                                           void* user, Error* error) {
  return guarded(error, [&]() -> Result* {
    Config defaults;
    defaults.until = until;
    defaults.model_options.emplace_back("parameters, shared data or handlers", data);
    const Options options = read(defaults, {}, program, count, words);
    Watcher watcher(watch, user);
    setup->run = std::make_unique<plain::Run>(*setup->setup, options.config, watcher.progress(),
                                              watcher.interrupted());
    Report& report = setup->run->report;
    report.model = program;
    add_notes(report, options, may_stop(*setup->setup), false);
    return new Result(result_of(report));
  });
}
/// Copies the states at the end of the run, one behind another.
ANACHRON_EXPORT void anachron_setup_states(const PlainSetup* setup, std::uint32_t type, std::byte* out,
                                           Error* error) {
  guarded(error, [&] {
    if (!setup->run) throw std::out_of_range("there was no run");
    copy_states(*setup->setup, type, out, [&](std::uint32_t i) { return setup->run->state(type, i); });
  });
}
/// The memory that grows of an LP's state at the end of the run. Valid as long as the setup.
ANACHRON_EXPORT const void* anachron_setup_region(const PlainSetup* setup, std::uint32_t type,
                                                  std::uint32_t index, std::uint64_t* bytes, Error* error) {
  return guarded(error, [&]() -> const void* {
    const std::span<const std::byte> region = setup->run->region(type, index);
    *bytes = region.size();
    return region.data();
  });
}
ANACHRON_EXPORT std::uint64_t anachron_setup_row_count(const PlainSetup* setup, std::uint32_t table) {
  return setup->setup->table(table).count();
}
ANACHRON_EXPORT void anachron_setup_rows(const PlainSetup* setup, std::uint32_t table, std::byte* rows,
                                         double* times, std::uint32_t* lps, Error* error) {
  guarded(error, [&] { setup->setup->table(table).write(rows, times, lps); });
}

/// `setup` has to outlive it, and is used by one session or run.
ANACHRON_EXPORT PlainSession* anachron_session_new(const PlainSetup* setup, const char* program,
                                                   const char* data, int count, const char* const* words,
                                                   Error* error) {
  return guarded(error, [&]() -> PlainSession* {
    auto made = std::make_unique<PlainSession>();
    Config defaults;
    defaults.model_options.emplace_back("parameters, shared data or handlers", data);
    made->options = read(defaults, {}, program, count, words);
    made->session = std::make_unique<plain::Session>(*setup->setup, made->options.config);
    return made.release();
  });
}
ANACHRON_EXPORT void anachron_session_free(PlainSession* session) { delete session; }
/// Returns the number of the Ending.
ANACHRON_EXPORT int anachron_session_run_until(PlainSession* session, double until, Watch watch, void* user,
                                               Error* error) {
  return guarded(error, [&] {
    Watcher watcher(watch, user);
    return static_cast<int>(session->session->run_until(until, watcher.progress(), watcher.interrupted()));
  });
}
ANACHRON_EXPORT double anachron_session_now(const PlainSession* session, Error* error) {
  return guarded(error, [&] { return session->session->now(); });
}
ANACHRON_EXPORT Result* anachron_session_report(const PlainSession* session, const char* program,
                                                Error* error) {
  return guarded(error, [&]() -> Result* {
    Report report = session->session->report();
    report.model = program;
    return new Result(result_of(report));
  });
}
/// Of LP number 0 of a type; those of the others follow at the same distance. Valid until the session ends:
/// LPs stay where they are.
ANACHRON_EXPORT const void* anachron_session_states(const PlainSession* session, const PlainSetup* setup,
                                                    std::uint32_t type, std::uint64_t* stride, Error* error) {
  return guarded(error, [&]() -> const void* {
    const auto* const first = static_cast<const std::byte*>(session->session->state(type, 0));
    *stride = setup->setup->types()[type].count < 2
                  ? setup->setup->model().state_bytes(type)
                  : static_cast<std::uint64_t>(
                        static_cast<const std::byte*>(session->session->state(type, 1)) - first);
    return first;
  });
}
ANACHRON_EXPORT const void* anachron_session_region(const PlainSession* session, std::uint32_t type,
                                                    std::uint32_t index, std::uint64_t* bytes, Error* error) {
  return guarded(error, [&]() -> const void* {
    const std::span<const std::byte> region =
        region::Region::of(session->session->state(type, index)).bytes();
    *bytes = region.size();
    return region.data();
  });
}
/// Returns by which number a variant can cancel it.
ANACHRON_EXPORT std::uint64_t anachron_session_schedule(PlainSession* session, std::uint32_t event,
                                                        std::uint32_t index, double time, const void* payload,
                                                        Error* error) {
  return guarded(error, [&]() -> std::uint64_t {
    session->scheduled.push_back(session->session->schedule(event, index, time, payload));
    return session->scheduled.size() - 1;
  });
}
/// Returns where the checkpoint is. To be freed with anachron_free.
ANACHRON_EXPORT char* anachron_session_checkpoint(PlainSession* session, const char* folder, Error* error) {
  return guarded(error, [&] { return copy_text(session->session->checkpoint(folder)); });
}
ANACHRON_EXPORT void anachron_session_keep_history(PlainSession* session, Error* error) {
  guarded(error, [&] { session->session->keep_history(); });
}
/// `setup` has to outlive them, and the session, too, what came of them.
ANACHRON_EXPORT PlainVariants* anachron_variants_new(const PlainSetup* setup) {
  return new PlainVariants{setup->setup.get(), {}, {}};
}
ANACHRON_EXPORT void anachron_variants_free(PlainVariants* variants) { delete variants; }
/// Another variant, with the first changes of an earlier one. The next three speak of the last one.
ANACHRON_EXPORT void anachron_variants_add(PlainVariants* variants, std::uint64_t like,
                                           std::uint64_t changes) {
  if (changes == 0)
    variants->variants.emplace_back(*variants->setup);
  else
    variants->variants.push_back(plain::Variant(variants->variants[like], changes));
}
ANACHRON_EXPORT void anachron_variants_schedule(PlainVariants* variants, std::uint32_t event,
                                                std::uint32_t index, double time, const void* payload,
                                                Error* error) {
  guarded(error, [&] { variants->variants.back().schedule(event, index, time, payload); });
}
ANACHRON_EXPORT void anachron_variants_edit(PlainVariants* variants, std::uint32_t type, std::uint32_t index,
                                            double time, std::uint64_t offset, const std::byte* content,
                                            std::uint64_t bytes, Error* error) {
  guarded(error, [&] { variants->variants.back().edit(type, index, time, offset, {content, bytes}); });
}
ANACHRON_EXPORT void anachron_variants_cancel(PlainVariants* variants, const PlainSession* session,
                                              std::uint64_t scheduled, Error* error) {
  guarded(error, [&] { variants->variants.back().cancel(session->scheduled.at(scheduled)); });
}
ANACHRON_EXPORT void anachron_variants_run(PlainVariants* variants, PlainSession* session, unsigned workers,
                                           Error* error) {
  guarded(error, [&] {
    std::vector<const event::Changes*> changes;
    for (const plain::Variant& variant : variants->variants) changes.push_back(&variant.changes());
    variants->outcomes = session->session->run(changes, workers);
  });
}
/// The report of one, and behind it as its text (result_text) what was executed: see what_if.hpp.
ANACHRON_EXPORT Result* anachron_variants_report(const PlainVariants* variants, std::uint64_t number,
                                                 const char* program, Error* error) {
  return guarded(error, [&]() -> Result* {
    const VariantReport& of = variants->outcomes.at(number).report;
    Report report = of.report;
    report.model = program;
    auto made = std::make_unique<Result>(result_of(report));
    made->text = variant_json(of);
    return made.release();
  });
}
ANACHRON_EXPORT void anachron_variants_states(const PlainVariants* variants, std::uint64_t number,
                                              std::uint32_t type, std::byte* out, Error* error) {
  guarded(error, [&] {
    const detail::VariantStates& states = *variants->outcomes.at(number).states;
    copy_states(*variants->setup, type, out,
                [&](std::uint32_t i) { return detail::state_of(states, type, i); });
  });
}
ANACHRON_EXPORT const void* anachron_variants_region(const PlainVariants* variants, std::uint64_t number,
                                                     std::uint32_t type, std::uint32_t index,
                                                     std::uint64_t* bytes, Error* error) {
  return guarded(error, [&]() -> const void* {
    const detail::VariantStates& states = *variants->outcomes.at(number).states;
    const std::span<const std::byte> region =
        region::Region::of(detail::state_of(states, type, index)).bytes();
    *bytes = region.size();
    return region.data();
  });
}
ANACHRON_EXPORT std::uint64_t anachron_session_mark(PlainSession* session, Error* error) {
  return guarded(error, [&] { return session->session->mark(); });
}
ANACHRON_EXPORT void anachron_session_rewind(PlainSession* session, std::uint64_t mark, Error* error) {
  guarded(error, [&] { session->session->rewind(mark); });
}
ANACHRON_EXPORT void anachron_session_accept(PlainSession* session, std::uint64_t mark, Error* error) {
  guarded(error, [&] { session->session->accept(mark); });
}
