// The report as JSON. Other tools rely on the names; `schema` changes when one of them changes its meaning or
// goes.
#pragma once

#include <string>
#include <string_view>

#include <anachron/run/machine.hpp>
#include <anachron/run/replications.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// The field `schema` of the report of a run.
inline constexpr std::string_view kReportSchema = "anachron-report/3";

/// Tables of results are written in full up to this many rows in total; beyond, only with their row counts.
inline constexpr std::size_t kMostTableRows = 10'000;

/// The whole report, one JSON object, ending in a newline.
///
/// - `digest` is a text of 16 hex digits (a JSON number would lose bits). Times are in the model's unit,
/// `*_s` in
///   seconds, memory in bytes.
/// - JSON has no infinity and no NaN: both are `null`, e.g. `config.until` of a run without end time, the
///   `horizon` of a round without bound, the mean of no values.
/// - `config` holds the engine's options under their command-line names, as resolved; "auto" where the engine
///   chose while it ran. `config.model` holds the model's options as text.
/// - `model` holds the model's figures by name. A figure is a number, or of a statistic an object with some
/// of
///   `count`, `mean`, `sd`, `min`, `p50`, `p90`, `p99`, `max`, `half_width`, `batches`, `correlation`.
///   `tables` holds its tables: {"row_count", "columns", "rows"}.
/// - `pes` is an array with one object per processing element; `rounds` one object of equally long arrays.
std::string report_json(const Report& report, const Machine& machine);

/// The field `schema` of the report of replications.
inline constexpr std::string_view kReplicationsSchema = "anachron-replications/1";

/// What replications found, in the same way. `estimates` holds for each figure, or part of one ("stay.p99"),
/// `count` (of replications), `mean`, `sd`, `min`, `max`, and `half_width` of its interval with the
/// probability `confidence`. `precision` is null, or has `relative`, `of` (a figure; empty: all) and
/// `missed`, the relative half-width of each mean that missed it. `runs` has an object for each replication
/// with `seed`, `digest`, `ending`, `end_time`, `committed`, `wall_s` and its figures in `model`. `config` is
/// that of all, with the first seed.
std::string replications_json(const Replications& replications, const Machine& machine);

}  // namespace anachron
